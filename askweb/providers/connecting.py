"""The HTTP sessions in which providers are called: one that may connect to any address, one to public ones only."""

from __future__ import annotations

import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from askweb.providers.addresses import REFUSED, is_public


class AddressRefused(OSError):
    """Raised instead of connecting to an address that isn't public."""

    def __init__(self) -> None:
        super().__init__(errno.EACCES, REFUSED)


@dataclass(frozen=True)
class Sessions:
    """Kept apart, since a session uses a connection again for whoever asks for the same host next."""

    free: aiohttp.ClientSession
    guarded: aiohttp.ClientSession

    @classmethod
    def open(cls) -> Sessions:
        """Open both, in the running loop."""
        return cls(_session(), _session(socket_factory=_public_socket))

    def for_calls(self, *, guarded: bool) -> aiohttp.ClientSession:
        return self.guarded if guarded else self.free

    async def close(self) -> None:
        try:
            await self.free.close()
        finally:  # even if whoever closes them is cancelled meanwhile
            await self.guarded.close()


@asynccontextmanager
async def opened() -> AsyncIterator[Sessions]:
    sessions = Sessions.open()
    try:
        yield sessions
    finally:
        await sessions.close()


def was_refused(error: BaseException) -> bool:
    """Whether a failed connection failed because of its address."""
    return isinstance(error, aiohttp.ClientConnectorError) and REFUSED in str(error.os_error)


def _session(**how: Any) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=0, **how)
    # No cookies, which would go from one person to another, and no proxies out of the environment.
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False)


def _public_socket(info: tuple[Any, ...]) -> socket.socket:
    """A socket for an address that was resolved; nothing lies between this check and connecting to it."""
    family, kind, protocol, _name, address = info
    if not is_public(str(address[0])):
        raise AddressRefused
    return socket.socket(family, kind, protocol)

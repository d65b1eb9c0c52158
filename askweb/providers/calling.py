"""One model call: the HTTP request, its timers, and the events of its stream."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson
from django.conf import settings

from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, Event
from askweb.providers.reading import StreamReader

COMPLETIONS = "/chat/completions"
READ_SIZE = 64 * 1024


@dataclass(frozen=True)
class Endpoint:
    """Where to call, and with what key. `base_url` is used as given."""

    base_url: str
    api_key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        base = self.base_url.rstrip("/")
        return base if base.endswith(COMPLETIONS) else base + COMPLETIONS


@dataclass(frozen=True)
class Timers:
    """Limits in seconds: to connect, to the first payload, between payloads, and in all."""

    connect: float
    first_byte: float
    between: float
    total: float

    @classmethod
    def from_settings(cls) -> "Timers":
        return cls(**settings.ASKWEB_PROVIDER_TIMEOUTS)


class Call:
    """The events of one call, in batches as they arrive; `ending` is set once there are no more."""

    def __init__(self, response: aiohttp.ClientResponse, reader: StreamReader, timers: Timers) -> None:
        self._response = response
        self._reader = reader
        self._timers = timers
        self.ending: Ending | None = None

    async def batches(self) -> AsyncIterator[list[Event]]:
        """Yield what each read brought; faults of the transport end the call, they don't raise."""
        cut = False
        wait = self._timers.first_byte
        try:
            while not self._reader.done and (data := await self._read(wait)):
                if events := self._reader.feed(data):
                    wait = self._timers.between
                    yield events
                await asyncio.sleep(0)  # a provider that sends flat out must not starve the loop
        except TimeoutError:
            self.ending = _failed("provider.timeout", f"The provider sent nothing for {wait:g} seconds.")
            return
        except aiohttp.ClientError:
            cut = True
        self.ending = self._reader.end(cut=cut)
        if self.ending.events:
            yield self.ending.events

    def ended(self) -> Ending:
        """How it ended; to be asked once `batches` is through."""
        if self.ending is None:
            raise RuntimeError("the call is still going on")
        return self.ending

    async def _read(self, wait: float) -> bytes:
        async with asyncio.timeout(wait):
            return await self._response.content.read(READ_SIZE)


@asynccontextmanager
async def call_model(
    session: aiohttp.ClientSession,
    endpoint: Endpoint,
    *,
    model: str,
    messages: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any] | None = None,
    timers: Timers,
) -> AsyncIterator[Call]:
    """Ask for a streamed completion. Leaving the block closes the connection, finished or not.

    Raises `ProviderError` when no response came at all; everything later is in `Call.ending`.
    """
    body: dict[str, Any] = {
        **(options or {}),
        "model": model,
        "messages": list(messages),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    response = await _respond(session, endpoint, orjson.dumps(body), timers)
    try:
        secrets = [endpoint.api_key] if endpoint.api_key else []
        reader = StreamReader(
            status=response.status,
            content_type=response.headers.get("Content-Type", ""),
            headers={name.lower(): value for name, value in response.headers.items()},
            secrets=secrets,
        )
        yield Call(response, reader, timers)
    finally:
        response.close()


async def _respond(
    session: aiohttp.ClientSession, endpoint: Endpoint, body: bytes, timers: Timers
) -> aiohttp.ClientResponse:
    headers = {
        **endpoint.headers,
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
        "Accept-Encoding": "identity",
    }
    if endpoint.api_key:
        headers["Authorization"] = f"Bearer {endpoint.api_key}"
    limits = aiohttp.ClientTimeout(total=timers.total, sock_connect=timers.connect)
    try:
        async with asyncio.timeout(timers.connect + timers.first_byte):
            return await session.post(
                endpoint.url, data=body, headers=headers, timeout=limits, allow_redirects=False
            )
    except TimeoutError as error:
        raise ProviderError("provider.timeout", f"{_host(endpoint)} did not answer in time.") from error
    except (aiohttp.InvalidURL, ValueError) as error:
        raise ProviderError(
            "provider.bad_request", f"{endpoint.base_url} is not a usable address."
        ) from error
    except (aiohttp.ClientError, OSError) as error:
        message = f"{_host(endpoint)} can't be reached. Is its address right, and is it running?"
        raise ProviderError("provider.unavailable", message) from error


def _failed(code: Any, message: str) -> Ending:
    return Ending("failed", error=ProviderError(code, message))


def _host(endpoint: Endpoint) -> str:
    return endpoint.base_url.split("://", 1)[-1].split("/", 1)[0] or endpoint.base_url

"""What clients that don't read cost the process that serves them, while the reply they watch streams.

Each has subscribed and then takes nothing more off its connection, whose buffer is as small as can be. A reader beside
them keeps up. What a fresh server grows by until the end of the reply, more than one with no such client does, is
theirs. The reply is paced: flat out it would reach the longest that there may be within seconds, and what is kept and
rendered of that would hide what is looked for. It measures and judges nothing.

    python benchmarks/stalled.py --seconds 60

Needs Linux; several processes need PostgreSQL and Redis installed.
"""

import argparse
import asyncio
import socket
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson
from client import ProductStream, ask, get, subscribe, ticket_url
from load import Server
from machine import told
from memory import SETTLING, used
from processes import product, provider, several
from provider import model_name

RATE = 200
"""Deltas a second."""
CLIENTS = 20
SMALL = 4096
FRAME = 250
"""Bytes of a frame without its text."""
WARM_SECONDS = 10


@dataclass(frozen=True)
class Stalled:
    """Kilobytes (10³) for each client that doesn't read: where there is one, and where there are `CLIENTS`.

    `sent` is what the reader beside them got, at least, in kilobytes of frames.
    """

    one: float
    many: float
    sent: float


def measure(seconds: int, *, processes: bool = False) -> Stalled:
    """Of `manage.py up`; or with `processes` of the one of two web processes that all of them are at."""
    none, one, many = (_fresh(clients, seconds, processes) for clients in (0, 1, CLIENTS))
    return Stalled(
        one=(one.grown - none.grown) / 1e3,
        many=(many.grown - none.grown) / CLIENTS / 1e3,
        sent=min(none.sent, one.sent, many.sent) / 1e3,
    )


@dataclass(frozen=True)
class _Seen:
    grown: int
    sent: int


def _fresh(clients: int, seconds: int, processes: bool) -> _Seen:
    with tempfile.TemporaryDirectory() as folder, provider() as port:
        serve: AbstractContextManager[Server] = (several if processes else product)(Path(folder), port)
        with serve as server:
            return asyncio.run(_measure(_Stalling(server, port), clients, seconds))


async def _measure(stalling: "_Stalling", clients: int, seconds: int) -> _Seen:
    await stalling.look(0, WARM_SECONDS)
    await asyncio.sleep(SETTLING)
    return await stalling.look(clients, seconds)


class _Stalling:
    def __init__(self, server: Server, port: int) -> None:
        self._server = Server(server.subject, server.ports[:1], server.pids, server.token)
        self._pid = next(pid for pid in server.pids if _serves(pid))
        self._provider = f"http://127.0.0.1:{port}"

    async def look(self, clients: int, seconds: int) -> _Seen:
        """Stream a reply for so many seconds."""
        before = used(self._pid)
        connector = aiohttp.TCPConnector(limit=0, socket_factory=_small)
        async with aiohttp.ClientSession(connector=connector) as session, aiohttp.ClientSession() as own:
            conversation = await ask(own, self._server, model_name(RATE, seconds * RATE))
            reader = await subscribe(own, self._server, conversation)
            stalled = [await self._stall(session, conversation) for _client in range(clients)]
            await get(own, f"{self._provider}/crowd/1")
            await get(own, f"{self._provider}/open")
            sent = await _read(reader)
            grown = used(self._pid) - before
            for each in stalled:
                await each.close()
        return _Seen(grown, sent)

    async def _stall(
        self, session: aiohttp.ClientSession, conversation: str
    ) -> aiohttp.ClientWebSocketResponse:
        client = await session.ws_connect(await ticket_url(session, self._server), timeout=_AT_ONCE)
        command = {"meta": {"command": "subscribe", "conversation": conversation}}
        await client.send_str(orjson.dumps(command).decode())
        return client


_AT_ONCE = aiohttp.ClientWSTimeout(ws_close=0.1)


async def _read(stream: ProductStream) -> int:
    """Read it to its end, and count the bytes of its frames, about."""
    return sum([FRAME + len(piece) async for piece in stream.pieces()])


def _small(info: Any) -> socket.socket:
    """A socket whose kernel takes next to nothing for who doesn't read."""
    made = socket.socket(*info[:3])
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    return made


def _serves(pid: int) -> bool:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return b"up" in words or b"web" in words


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=60)
    seconds: int = parser.parse_args(arguments).seconds
    print(told())
    for name, processes in (("one process", False), ("several", True)):
        stalled = measure(seconds, processes=processes)
        print(
            f"{name}: {stalled.one:.0f} kB for one client that doesn't read, {stalled.many:.0f} kB each "
            f"for {CLIENTS}, of {stalled.sent:.0f} kB in {seconds} s"
        )


if __name__ == "__main__":
    main()

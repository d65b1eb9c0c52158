"""What a process of AskWeb takes of memory: at rest, for an open socket that is idle, for a conversation that streams.

The kernel's count of pages that are the process's own or shared by few (`Pss`). Conversations stream 50 deltas a
second, each to one viewer, and are looked at two seconds after the first delta. It measures and judges nothing.

    python benchmarks/memory.py --sockets 300 --streams 100

Needs Linux.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from client import ProductStream, ask, get, subscribe, ticket_url
from load import Server
from processes import product, provider
from provider import model_name

RATE, LONG = 50, 120
"""Deltas a second, and seconds that are longer than all this takes."""

SETTLING = 2.0
"""Seconds until what is short-lived is gone."""


@dataclass(frozen=True)
class Memory:
    """Megabytes (10⁶ bytes) at rest; kilobytes (10³) for each socket, and for each conversation with its viewer."""

    at_rest: float
    idle_socket: float
    streaming: float


def measure(sockets: int, streams: int) -> Memory:
    with tempfile.TemporaryDirectory() as folder, provider() as port, product(Path(folder), port) as server:
        return asyncio.run(_measure(server, port, sockets, streams))


def used(pid: int) -> int:
    """Bytes of a process."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    line = next(line for line in rollup.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * 1024


async def _measure(server: Server, port: int, sockets: int, streams: int) -> Memory:
    await asyncio.sleep(SETTLING)
    at_rest = used(server.pid)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def open_idle() -> None:
            opened.extend(
                [await session.ws_connect(await ticket_url(session, server)) for _socket in range(sockets)]
            )

        async def stream() -> None:
            for _stream in range(streams):
                conversation = await ask(session, server, model_name(RATE, LONG * RATE))
                viewer = await subscribe(session, server, conversation)
                following.append(asyncio.create_task(_read(viewer)))
            await get(session, f"http://127.0.0.1:{port}/crowd/{streams}")
            await get(session, f"http://127.0.0.1:{port}/open")

        opened: list[aiohttp.ClientWebSocketResponse] = []
        following: list[asyncio.Task[None]] = []
        idle = await _each(server, open_idle, sockets)
        for socket in opened:
            await socket.close()
        streaming = await _each(server, stream, streams)
        for task in following:
            task.cancel()
    return Memory(at_rest / 1e6, idle / 1e3, streaming / 1e3)


async def _each(server: Server, act: Callable[[], Awaitable[None]], count: int) -> float:
    """Bytes that each of them took; done once before, so that what grows only once is not counted."""
    await act()
    await asyncio.sleep(SETTLING)
    before = used(server.pid)
    await act()
    await asyncio.sleep(SETTLING)
    return (used(server.pid) - before) / count


async def _read(viewer: ProductStream) -> None:
    async for _piece in viewer.pieces():
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sockets", type=int, default=300)
    parser.add_argument("--streams", type=int, default=100)
    arguments = parser.parse_args()
    taken = measure(arguments.sockets, arguments.streams)
    print(
        f"at rest {taken.at_rest:.0f} MB, idle socket {taken.idle_socket:.0f} KB, streaming {taken.streaming:.0f} KB"
    )


if __name__ == "__main__":
    main()

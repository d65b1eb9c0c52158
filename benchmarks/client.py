"""The load client: opens the streams, counts what arrives, and checks that every text is complete.

Takes an `Order` as JSON and prints a `Measurement` as JSON.
"""

import asyncio
import ctypes
import sys
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import msgspec
import orjson
from load import Measurement, Order, Server
from provider import STAMP_LENGTH, TOKEN_LENGTH, expected_text, model_name

ACK_BYTES = 48 * 1024
FINAL = ("run.completed", "run.stopped", "run.interrupted", "run.failed")
OTHERS = ("message.created", "run.queued", "run.started")
MICRO = 1e-6


class Stream(Protocol):
    """One reply on its way to one viewer."""

    def pieces(self) -> AsyncIterator[str]:
        """Its text as it arrives, a frame at a time, until the server has ended it."""


@dataclass
class Progress:
    """How far all streams are together."""

    expected: str
    stamped: bool
    unfinished: int
    frames: int = 0
    firsts: list[float] = field(default_factory=list)
    laters: list[float] = field(default_factory=list)
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, stream: Stream) -> None:
        text = begun = ""
        whole = len(self.expected)
        async for piece in stream.pieces():
            self.frames += 1
            if self.stamped:
                piece, begun = self._without_stamps(begun + piece, is_first=not text)
            text += piece
            if len(text) == whole and piece:
                self._finish()
        assert text == self.expected, f"a text of {len(text)} characters, not {whole}"

    def _without_stamps(self, piece: str, *, is_first: bool) -> tuple[str, str]:
        """The tokens that are there, and what is there of the next one."""
        now = time.monotonic()
        size = TOKEN_LENGTH + STAMP_LENGTH
        end = len(piece) - len(piece) % size
        tokens = [piece[start : start + size] for start in range(0, end, size)]
        taken = [now - int(token[TOKEN_LENGTH:]) * MICRO for token in tokens]
        self.firsts += taken[:is_first]
        self.laters += taken[is_first:]
        return "".join(token[:TOKEN_LENGTH] for token in tokens), piece[end:]

    def _finish(self) -> None:
        self.unfinished -= 1
        if not self.unfinished:
            self.complete.set()


@dataclass
class ReferenceStream:
    socket: aiohttp.ClientWebSocketResponse

    async def pieces(self) -> AsyncIterator[str]:
        async for message in self.socket:
            yield orjson.loads(message.data)["content"]


@dataclass
class ProductStream:
    """A subscriber as docs/protocol.md wants it, but one that takes a gap for a failure."""

    socket: aiohttp.ClientWebSocketResponse
    conversation: str
    place: tuple[int, int] = (0, 0)
    unacknowledged: int = 0

    async def take_snapshot(self) -> None:
        meta = orjson.loads(await self.socket.receive_str())["meta"]
        assert meta["event"] == "conversation.snapshot", meta
        self.place = (meta["epoch"], meta["seq"])
        await self._acknowledge(*self.place)

    async def pieces(self) -> AsyncIterator[str]:
        async for message in self.socket:
            event = orjson.loads(message.data)
            meta = event["meta"]
            if meta["event"] == "reply.delta":
                self._advance(meta)
                yield event["delta"]["content"]
                await self._count(len(message.data))
            elif meta["event"] in FINAL:
                assert meta["event"] == "run.completed", meta
                return
            elif meta["event"] == "heartbeat":
                await self._acknowledge(meta["epoch"], meta["seq"])
            else:
                assert meta["event"] in OTHERS, meta

    def _advance(self, meta: dict[str, Any]) -> None:
        epoch, seq = self.place
        expected = (epoch, seq + 1) if meta["epoch"] == epoch else (meta["epoch"], 1)
        self.place = (meta["epoch"], meta["seq"])
        assert self.place == expected, f"{self.place} came instead of {expected}"

    async def _count(self, size: int) -> None:
        self.unacknowledged += size
        if self.unacknowledged >= ACK_BYTES:
            await self._acknowledge(*self.place)

    async def _acknowledge(self, epoch: int, seq: int) -> None:
        self.unacknowledged = 0
        meta = {"command": "ack", "conversation": self.conversation, "epoch": epoch, "seq": seq}
        await self.socket.send_str(orjson.dumps({"meta": meta}).decode())


async def measure(order: Order, session: aiohttp.ClientSession) -> Measurement:
    """Open all streams, let them go at once, and follow them to their end."""
    provider = f"http://127.0.0.1:{order.provider_port}"
    load = order.load
    progress = Progress(expected_text(load.deltas), load.rate > 0, load.streams * load.viewers)
    cpu = CPUClock(order.server.pids)
    before = cpu.read()
    streams = [stream for number in range(load.streams) for stream in await _open(order, number, session)]
    finished = asyncio.gather(*(progress.follow(stream) for stream in streams))
    await get(session, f"{provider}/crowd/{load.streams}")
    own_start, cpu_start, start = time.process_time(), cpu.read(), time.perf_counter()
    await get(session, f"{provider}/open")
    await _complete_or_failed(progress.complete, finished)
    end, cpu_end, own_end = time.perf_counter(), cpu.read(), time.process_time()
    await finished
    return Measurement(
        elapsed=end - start,
        cpu=cpu_end - cpu_start,
        around=cpu_start - before + cpu.read() - cpu_end,
        frames=progress.frames,
        client_cpu=own_end - own_start,
        firsts=progress.firsts,
        laters=progress.laters,
    )


async def _complete_or_failed(complete: asyncio.Event, finished: asyncio.Future[list[None]]) -> None:
    waiting = asyncio.create_task(complete.wait())
    either: set[asyncio.Future[Any]] = {waiting, finished}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        finished.result()


async def _open(order: Order, number: int, session: aiohttp.ClientSession) -> list[Stream]:
    """One reply's viewers; those of several web processes by turns."""
    if order.server.subject == "reference":
        return [await _open_reference(order, session)]
    model = model_name(order.load.rate, order.load.deltas)
    conversation = await ask(session, order.server, model)
    places = range(number, number + order.load.viewers)
    return [await subscribe(session, order.server, conversation, place) for place in places]


async def _open_reference(order: Order, session: aiohttp.ClientSession) -> Stream:
    socket = await session.ws_connect(f"ws://127.0.0.1:{order.server.port}/")
    await socket.send_str(reference_order(order, model_name(order.load.rate, order.load.deltas)))
    return ReferenceStream(socket)


def reference_order(order: Order, model: str) -> str:
    return orjson.dumps({"provider": ["127.0.0.1", order.provider_port], "model": model}).decode()


async def ticket_url(session: aiohttp.ClientSession, server: Server, place: int = 0) -> str:
    """Where a socket can be opened, once."""
    ticket = await _post(session, server, "socket-tickets", {})
    port = server.ports[place % len(server.ports)]
    return f"ws://127.0.0.1:{port}/ws/?ticket={ticket['ticket']}"


async def subscribe(
    session: aiohttp.ClientSession, server: Server, conversation: str, place: int = 0
) -> ProductStream:
    """A viewer of a conversation, at one of the server's ports."""
    socket = await session.ws_connect(await ticket_url(session, server, place))
    command = {"meta": {"command": "subscribe", "conversation": conversation}}
    await socket.send_str(orjson.dumps(command).decode())
    stream = ProductStream(socket, conversation)
    await stream.take_snapshot()
    return stream


async def ask(
    session: aiohttp.ClientSession, server: Server, model: str, place: str = "conversations"
) -> str:
    """Ask in a new conversation, or at the place of one; the id of the conversation."""
    messages = [{"role": "user", "content": "Count."}]
    posted = await _post(session, server, place, {"meta": {"model": model}, "messages": messages})
    conversation: str = posted["conversation"]["id"]
    return conversation


async def _post(session: aiohttp.ClientSession, server: Server, path: str, body: dict[str, Any]) -> Any:
    headers = {"Authorization": f"Bearer {server.token}"}
    url = f"http://127.0.0.1:{server.port}/api/{path}/"
    async with session.post(url, json=body, headers=headers) as response:
        answer = await response.json()
        assert response.ok, answer
        return answer


async def get(session: aiohttp.ClientSession, url: str) -> None:
    async with session.get(url) as response:
        assert response.status == 204, url


class CPUClock:
    """CPU seconds of other processes and all that they have started, user and system; finer than /proc's ticks.

    A process that ends takes its seconds with it.
    """

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids

    def read(self) -> float:
        return sum(_seconds_of(pid) for root in self._pids for pid in (root, *_started_by(root)))


def _started_by(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return []
    return [each for child in map(int, children) for each in (child, *_started_by(child))]


def _seconds_of(pid: int) -> float:
    clock = ctypes.c_int()
    if ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        return 0.0
    try:
        return time.clock_gettime(clock.value)
    except OSError:
        return 0.0


async def main(order: Order) -> None:
    limits = aiohttp.ClientTimeout(total=120)
    async with aiohttp.ClientSession(timeout=limits, connector=aiohttp.TCPConnector(limit=0)) as session:
        measurement = await measure(order, session)
    sys.stdout.buffer.write(msgspec.json.encode(measurement))


if __name__ == "__main__":
    asyncio.run(main(msgspec.json.decode(sys.argv[1], type=Order)))

"""The load client: opens the streams, counts what arrives, and checks that every text is complete.

Takes an `Order` as JSON and prints a `Measurement` as JSON.
"""

import asyncio
import ctypes
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp
import msgspec
import orjson
from load import Load, Measurement, Order, Server
from provider import expected_text, model_name

ACK_BYTES = 48 * 1024
FINAL = ("run.completed", "run.stopped", "run.interrupted", "run.failed")


class Stream(Protocol):
    """One reply on its way."""

    def pieces(self) -> AsyncIterator[str]:
        """Its text as it arrives, a frame at a time, until the server has ended it."""


@dataclass
class Progress:
    """How far all streams are together."""

    expected: str
    unfinished: int
    frames: int = 0
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, stream: Stream) -> None:
        text = ""
        async for piece in stream.pieces():
            self.frames += 1
            text += piece
            if len(text) == len(self.expected):
                self._finish()
        assert text == self.expected, f"a text of {len(text)} characters, not {len(self.expected)}"

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
                assert meta["event"] == "run.started", meta

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
    progress = Progress(expected_text(order.load.deltas), order.load.streams)
    cpu = CPUClock(order.server.pid)
    before = cpu.read()
    streams = [await OPENERS[order.server.subject](order, session) for _ in range(order.load.streams)]
    finished = asyncio.gather(*(progress.follow(stream) for stream in streams))
    await _get(session, f"{provider}/crowd/{order.load.streams}")
    own_start, cpu_start, start = time.process_time(), cpu.read(), time.perf_counter()
    await _get(session, f"{provider}/open")
    await _complete_or_failed(progress.complete, finished)
    end, cpu_end, own_end = time.perf_counter(), cpu.read(), time.process_time()
    await finished
    after = cpu.read()
    around = cpu_start - before + after - cpu_end
    return Measurement(end - start, cpu_end - cpu_start, around, progress.frames, own_end - own_start)


async def _complete_or_failed(complete: asyncio.Event, finished: asyncio.Future[list[None]]) -> None:
    waiting = asyncio.create_task(complete.wait())
    either: set[asyncio.Future[Any]] = {waiting, finished}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        finished.result()


async def _open_reference(order: Order, session: aiohttp.ClientSession) -> Stream:
    socket = await session.ws_connect(f"ws://127.0.0.1:{order.server.port}/")
    model = model_name(order.load.rate, order.load.deltas)
    words = {"provider": ["127.0.0.1", order.provider_port], "model": model}
    await socket.send_str(orjson.dumps(words).decode())
    return ReferenceStream(socket)


async def _open_product(order: Order, session: aiohttp.ClientSession) -> Stream:
    posted = await _post(session, order.server, "conversations", _envelope(order.load))
    ticket = await _post(session, order.server, "socket-tickets", {})
    socket = await session.ws_connect(f"ws://127.0.0.1:{order.server.port}/ws/?ticket={ticket['ticket']}")
    conversation = posted["conversation"]["id"]
    subscribe = {"meta": {"command": "subscribe", "conversation": conversation}}
    await socket.send_str(orjson.dumps(subscribe).decode())
    stream = ProductStream(socket, conversation)
    await stream.take_snapshot()
    return stream


OPENERS = {"reference": _open_reference, "product": _open_product}


def _envelope(load: Load) -> dict[str, Any]:
    messages = [{"role": "user", "content": "Count."}]
    return {"meta": {"model": model_name(load.rate, load.deltas)}, "messages": messages}


async def _post(session: aiohttp.ClientSession, server: Server, path: str, body: dict[str, Any]) -> Any:
    headers = {"Authorization": f"Bearer {server.token}"}
    url = f"http://127.0.0.1:{server.port}/api/{path}/"
    async with session.post(url, json=body, headers=headers) as response:
        answer = await response.json()
        assert response.status == 201, answer
        return answer


async def _get(session: aiohttp.ClientSession, url: str) -> None:
    async with session.get(url) as response:
        assert response.status == 204, url


class CPUClock:
    """CPU seconds of another process, all threads, user and system; much finer than /proc's ticks of 10 ms."""

    def __init__(self, pid: int) -> None:
        clock = ctypes.c_int()
        failed = ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock))
        assert not failed, f"no CPU clock of process {pid}"
        self._clock = clock.value

    def read(self) -> float:
        return time.clock_gettime(self._clock)


async def main(order: Order) -> None:
    limits = aiohttp.ClientTimeout(total=120)
    async with aiohttp.ClientSession(timeout=limits, connector=aiohttp.TCPConnector(limit=0)) as session:
        measurement = await measure(order, session)
    sys.stdout.buffer.write(msgspec.json.encode(measurement))


if __name__ == "__main__":
    asyncio.run(main(msgspec.json.decode(sys.argv[1], type=Order)))

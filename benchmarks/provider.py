"""A mock provider: streams numbered tokens as OpenAI's API does, paced or flat out.

The model's name says how: `20/s x 500` streams 500 deltas at 20 a second, `0/s x 500` as fast as it can. Streams
wait behind a gate until all of them are there, so that none starts while others are still set up; `at once` as the
model is one delta without waiting. Tokens that are paced also tell when they were written.
"""

import asyncio
import heapq
import itertools
import re
import sys
import time
from collections.abc import Sequence
from functools import cache

import orjson

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
EMPTY = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
AT_ONCE = "at once"
TOKEN_LENGTH = 6
STAMP_LENGTH = 12
"""A paced token ends with the microseconds of the machine's monotonic clock, in so many digits."""

PACE = 0.001
"""In seconds: what is due within one is written together."""


def expected_text(deltas: int) -> str:
    return "".join(f" {number:05d}" for number in range(deltas))


def model_name(rate: int, deltas: int) -> str:
    return f"{rate}/s x {deltas}"


class Gate:
    def __init__(self) -> None:
        self._waiting = 0
        self._changed = asyncio.Condition()
        self._open = asyncio.Event()

    async def wait(self) -> None:
        """Wait until the gate is opened the next time."""
        opened = self._open
        async with self._changed:
            self._waiting += 1
            self._changed.notify_all()
        await opened.wait()

    async def crowd(self, size: int) -> None:
        """Wait until so many are waiting."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._waiting >= size)

    def open(self) -> None:
        self._open.set()
        self._open, self._waiting = asyncio.Event(), 0


class Pacer:
    """Writes every event of every stream at its own time, from one loop for all: thousands of timers would be late."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int]] = []
        self._streams: dict[int, _Paced] = {}
        self._awake = asyncio.Event()

    async def write(self, place: int, writer: asyncio.StreamWriter, rate: int, deltas: int) -> None:
        """`place` spreads the streams evenly over a step, so that they don't beat together."""
        stream = self._streams[place] = _Paced(writer, 1 / rate, deltas)
        stream.start = time.monotonic() + place * 0.618 % 1 / rate
        heapq.heappush(self._due, (stream.start, place))
        self._awake.set()
        await stream.ended.wait()

    async def keep(self) -> None:
        while True:
            self._awake.clear()
            now = time.monotonic()
            while self._due and self._due[0][0] <= now:
                self._write_next(heapq.heappop(self._due)[1])
            if self._due:
                await asyncio.sleep(max(PACE, self._due[0][0] - now))
            else:
                await self._awake.wait()

    def _write_next(self, place: int) -> None:
        stream = self._streams[place]
        stream.writer.write(_stamped(stream.number))
        stream.number += 1
        if stream.number < stream.deltas and not stream.writer.is_closing():
            heapq.heappush(self._due, (stream.start + stream.number * stream.step, place))
        else:
            del self._streams[place]
            stream.ended.set()


class _Paced:
    def __init__(self, writer: asyncio.StreamWriter, step: float, deltas: int) -> None:
        self.writer, self.step, self.deltas = writer, step, deltas
        self.start, self.number = 0.0, 0
        self.ended = asyncio.Event()


class Provider:
    """`POST …/chat/completions`, and for the load client `GET /crowd/<size>` and `GET /open`."""

    def __init__(self) -> None:
        self._gate = Gate()
        self._places = itertools.count()
        self.pacer = Pacer()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ", 2)[1]
            if path.startswith("/crowd/"):
                await self._gate.crowd(int(path.removeprefix("/crowd/")))
            elif path == "/open":
                self._gate.open()
            else:
                await self._stream(await _body(head, reader), writer)
                return
            writer.write(EMPTY)
        except asyncio.IncompleteReadError:
            pass  # somebody only looked whether the port is open
        finally:
            writer.close()

    async def _stream(self, body: bytes, writer: asyncio.StreamWriter) -> None:
        model = orjson.loads(body)["model"]
        writer.write(HEAD)
        if model == AT_ONCE:
            writer.write(_events(1)[0])
        else:
            place = next(self._places)
            await self._gate.wait()
            rate, deltas = (int(number) for number in model.split("/s x "))
            if rate:
                await self.pacer.write(place, writer, rate, deltas)
            else:
                await _flat_out(writer, _events(deltas))
        writer.write(_event("", "stop") + _chunk(b"[DONE]") + b"0\r\n\r\n")
        await writer.drain()


async def _body(head: str, reader: asyncio.StreamReader) -> bytes:
    length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
    return await reader.readexactly(int(length[1])) if length else b""


async def _flat_out(writer: asyncio.StreamWriter, events: Sequence[bytes]) -> None:
    for event in events:
        writer.write(event)
        await writer.drain()
        await asyncio.sleep(0)


@cache
def _events(deltas: int) -> list[bytes]:
    text = expected_text(deltas)
    return [_event(text[start : start + TOKEN_LENGTH]) for start in range(0, len(text), TOKEN_LENGTH)]


def _stamped(number: int) -> bytes:
    return _event(f" {number:05d}{time.monotonic_ns() // 1000:0{STAMP_LENGTH}d}")


def _event(content: str, finish: str | None = None) -> bytes:
    delta = {"content": content} if content else {}
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    completion = {
        "id": "chatcmpl-C8hXw2vYpLq0sJ4tN6eRzKdM",
        "object": "chat.completion.chunk",
        "created": 1750000000,
        "model": "mock",
        "system_fingerprint": "fp_0123456789",
        "choices": [choice],
    }
    return _chunk(orjson.dumps(completion))


def _chunk(payload: bytes) -> bytes:
    event = b"data: " + payload + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(event), event)


async def main(port: int) -> None:
    provider = Provider()
    server = await asyncio.start_server(provider.answer, "127.0.0.1", port, backlog=1024)
    keeping = asyncio.create_task(provider.pacer.keep())
    await server.serve_forever()
    await keeping


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))

"""A mock provider: streams numbered tokens as OpenAI's API does, paced or flat out.

The model's name says how: `20/s x 500` streams 500 deltas at 20 a second, `0/s x 500` as fast as it can.
Streams wait behind a gate until all of them are there, so that none starts while others are still set up.
"""

import asyncio
import itertools
import re
import sys
from collections.abc import Sequence
from functools import cache

import orjson

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
EMPTY = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TOKEN_LENGTH = 6


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


class Provider:
    """`POST …/chat/completions`, and for the load client `GET /crowd/<size>` and `GET /open`."""

    def __init__(self) -> None:
        self._gate = Gate()
        self._places = itertools.count()

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
        rate, deltas = (int(number) for number in orjson.loads(body)["model"].split("/s x "))
        place = next(self._places)
        writer.write(HEAD)
        await self._gate.wait()
        if rate:
            await _paced(writer, _events(deltas), 1 / rate, place * 0.618 % 1 / rate)
        else:
            await _flat_out(writer, _events(deltas))
        writer.write(_chunk(b"[DONE]") + b"0\r\n\r\n")
        await writer.drain()


async def _body(head: str, reader: asyncio.StreamReader) -> bytes:
    length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
    return await reader.readexactly(int(length[1])) if length else b""


async def _paced(writer: asyncio.StreamWriter, events: Sequence[bytes], step: float, phase: float) -> None:
    """Each event at its own time; `phase` spreads the streams evenly, so that they don't beat together."""
    loop = asyncio.get_running_loop()
    start = loop.time() + phase
    for number, event in enumerate(events):
        await asyncio.sleep(start + number * step - loop.time())
        writer.write(event)


async def _flat_out(writer: asyncio.StreamWriter, events: Sequence[bytes]) -> None:
    for event in events:
        writer.write(event)
        await writer.drain()
        await asyncio.sleep(0)


@cache
def _events(deltas: int) -> list[bytes]:
    text = expected_text(deltas)
    tokens = [text[start : start + TOKEN_LENGTH] for start in range(0, len(text), TOKEN_LENGTH)]
    return [*(_event({"content": token}, None) for token in tokens), _event({}, "stop")]


def _event(delta: dict[str, str], finish: str | None) -> bytes:
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
    server = await asyncio.start_server(Provider().answer, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))

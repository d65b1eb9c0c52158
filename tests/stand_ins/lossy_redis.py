"""A way to Redis that loses, repeats and delays what channels bring; commands and their answers pass as they are."""

import asyncio
import random
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from tests.stand_ins.loop_thread import LoopThread
from tests.stand_ins.own_redis import Redis

LENGTHS = {b"$": 1, b"=": 1, b"!": 1}
ITEMS = {b"*": 1, b">": 1, b"~": 1, b"%": 2}
MESSAGE = b"$7\r\nmessage\r\n"


@dataclass(frozen=True)
class Chances:
    """Of each message of a channel, from 0 to 1. `late` ones come up to `seconds` after those that follow."""

    lost: float = 0.0
    twice: float = 0.0
    late: float = 0.0
    seconds: float = 1.0


CALM = Chances()
DEAF = Chances(lost=1.0)


class LossyRedis:
    """The same seed does the same to the same messages. `lost`, `twice` and `late` count."""

    def __init__(self, port: int, *, seed: int = 0) -> None:
        self.chances = CALM
        self.lost = self.twice = self.late = 0
        self._port = port
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        self._thread = LoopThread()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"
        self._thread.run(self._listen())

    def close(self) -> None:
        self._thread.stop_accepting(self._listener)
        self._thread.close()
        self._listener.close()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._connect, sock=self._listener)

    async def _connect(self, here: StreamReader, back: StreamWriter) -> None:
        with suppress(OSError):
            there, on = await asyncio.open_connection("127.0.0.1", self._port)
            ways = [asyncio.create_task(_copy(here, on)), asyncio.create_task(self._answer(there, back))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                on.close()
        back.close()

    async def _answer(self, there: StreamReader, back: StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                reply = await _read(there)
                for _time in range(self._fate(reply, back)):
                    back.write(reply)
                await back.drain()

    def _fate(self, reply: bytes, back: StreamWriter) -> int:
        """How often it is passed on now."""
        if reply[:1] not in b"*>" or not reply.partition(b"\r\n")[2].startswith(MESSAGE):
            return 1
        chances, dice = self.chances, self._chance.random()
        if dice < chances.lost:
            self.lost += 1
            return 0
        if dice < chances.lost + chances.twice:
            self.twice += 1
            return 2
        if dice < chances.lost + chances.twice + chances.late:
            self.late += 1
            self._thread.loop.call_later(self._chance.uniform(0, chances.seconds), _write, back, reply)
            return 0
        return 1


def _write(writer: StreamWriter, data: bytes) -> None:
    if not writer.is_closing():
        writer.write(data)


async def _copy(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


async def _read(reader: StreamReader) -> bytes:
    """The bytes of one whole reply, RESP 2 or 3."""
    line = await reader.readuntil(b"\r\n")
    kind, count = line[:1], line[1:].strip()
    if kind in LENGTHS and int(count) >= 0:
        return line + await reader.readexactly(int(count) + 2)
    items = int(count) * ITEMS[kind] if kind in ITEMS else 0
    return line + b"".join([await _read(reader) for _item in range(items)])


@pytest.fixture(scope="session")
def way_to_redis(redis: Redis) -> Iterator[LossyRedis]:
    way = LossyRedis(redis.port)
    yield way
    way.close()


@pytest.fixture
def lossy(way_to_redis: LossyRedis) -> Iterator[LossyRedis]:
    yield way_to_redis
    way_to_redis.chances = CALM

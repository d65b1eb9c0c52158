"""A stand-in for a provider: a real HTTP server that sends the bytes a test wrote down."""

import asyncio
import queue
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from tests.stand_ins import sse
from tests.stand_ins.loop_thread import LoopThread
from tests.waiting import LONG

SOON = 0.01
"""Seconds; aiohttp takes 0 for "without limit"."""


class Gate:
    """Holds back what follows it until the test opens it."""

    def __init__(self, thread: LoopThread) -> None:
        self._thread = thread
        self._opened = asyncio.Event()

    def open(self) -> None:
        self._thread.soon(self._opened.set)

    async def passed(self) -> None:
        await self._opened.wait()


@dataclass(frozen=True)
class Answer:
    """What one request gets. The headers go out with the first bytes; `cut` breaks the connection off."""

    pieces: tuple[bytes | Gate, ...]
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False


class Call:
    """A request that came, and when its client closed the connection early."""

    def __init__(self, headers: Mapping[str, str], body: dict[str, Any]) -> None:
        self.headers = headers
        self.body = body
        self._closed = threading.Event()
        self._closed_at = 0.0

    @property
    def is_closed(self) -> bool:
        return self._closed.is_set()

    def closed_at(self, within: float = LONG) -> float:
        """When the client closed, on the monotonic clock."""
        assert self._closed.wait(within), f"the connection is still open after {within:g} s"
        return self._closed_at

    def note_closed(self) -> None:
        self._closed_at = time.monotonic()
        self._closed.set()


class Upstream:
    """Each request takes the next scripted answer; with none left it is told "Fine."."""

    def __init__(self) -> None:
        self._thread = LoopThread()
        self._answers: deque[Answer] = deque()
        self._calls: queue.Queue[Call] = queue.Queue()
        self._runner = web.AppRunner(self._application(), handler_cancellation=True, shutdown_timeout=SOON)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread.run(self._listen())
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def will_send(self, *pieces: bytes | Gate, **how: Any) -> None:
        self._answers.append(Answer(pieces, **how))

    def gate(self) -> Gate:
        return Gate(self._thread)

    def next_call(self, within: float = LONG) -> Call:
        """The next request that comes, or that has come and was not asked for yet."""
        return self._calls.get(timeout=within)

    def count_calls(self) -> int:
        """How many requests came that were not asked for yet."""
        return self._calls.qsize()

    def close(self) -> None:
        self._thread.stop_accepting(self._listener)
        self._thread.run(self._runner.cleanup())
        self._thread.close()

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self._answer)
        return application

    async def _listen(self) -> None:
        await self._runner.setup()
        await web.SockSite(self._runner, self._listener).start()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        call = Call(request.headers.copy(), await request.json())
        answer = self._answers.popleft() if self._answers else Answer(tuple(sse.reply("Fine.")))
        self._calls.put(call)
        try:
            return await _send(request, answer)
        except (asyncio.CancelledError, ConnectionError):
            call.note_closed()
            raise


async def _send(request: web.Request, answer: Answer) -> web.StreamResponse:
    headers = {"Content-Type": answer.content_type, **answer.headers}
    response = web.StreamResponse(status=answer.status, headers=headers)
    for piece in answer.pieces:
        if isinstance(piece, Gate):
            await piece.passed()
            continue
        if not response.prepared:
            await response.prepare(request)
        await response.write(piece)
    if not response.prepared:
        await response.prepare(request)
    if answer.cut and request.transport is not None:
        await asyncio.sleep(0)
        request.transport.close()
    else:
        await response.write_eof()
    return response


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    upstream = Upstream()
    yield upstream
    upstream.close()

"""What is on its way to one client, bounded: daphne has no back-pressure, so clients say what they have seen."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from uuid import UUID

from askweb.runs.hub import Frame

LIMIT = 256 * 1024
"""Bytes that may be unacknowledged before a client gets no more."""


class Outbox:
    """Frames to one socket, in order.

    An `ack` names a conversation, an epoch and a seq. Frames arrive in order, so it covers everything
    that was sent before as well.
    """

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._waiting: deque[str] = deque()
        self._ready = asyncio.Event()
        self._marks: deque[_Mark] = deque()
        self._put = 0
        self._seen = 0

    @property
    def is_full(self) -> bool:
        return self._put - self._seen >= LIMIT

    def holds_snapshot(self, conversation: UUID) -> bool:
        """Whether a snapshot of it is not acknowledged yet."""
        return any(mark.is_snapshot and mark.conversation == conversation for mark in self._marks)

    def put(self, frame: Frame) -> None:
        text = frame.text
        self._put += len(text) if text.isascii() else len(text.encode())
        self._waiting.append(text)
        if frame.kind != "event":
            self._marks.append(
                _Mark(frame.conversation, frame.epoch, frame.seq, self._put, frame.kind == "snapshot")
            )
        self._ready.set()

    def acknowledge(self, conversation: UUID, epoch: int, seq: int) -> None:
        """The client has seen this frame of the conversation, and so all that was sent before it."""
        covered = 0
        for count, mark in enumerate(self._marks, start=1):
            if mark.conversation == conversation and (mark.epoch, mark.seq) <= (epoch, seq):
                covered = count
        for _mark in range(covered):
            self._seen = self._marks.popleft().put

    def acknowledge_all(self) -> None:
        """The client has answered the last frame that was sent, so it has seen everything."""
        self._marks.clear()
        self._seen = self._put

    async def send_forever(self) -> None:
        while True:
            await self._ready.wait()
            self._ready.clear()
            while self._waiting:
                await self._send(self._waiting.popleft())


class _Mark(NamedTuple):
    """A frame that can be acknowledged; `put` counts the bytes up to its end."""

    conversation: UUID | None
    epoch: int
    seq: int
    put: int
    is_snapshot: bool

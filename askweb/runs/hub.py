"""Who listens to what in this process, and the replies that are being written in it.

Subscribers in the same process get every frame directly: no channel layer, no queue in between. All
methods but `publish_soon` run in the event loop's thread. Frames are hints: whoever misses one finds
the truth in the database. Where several processes serve, a relay tells the others.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol
from uuid import UUID

from askweb.accounts.access import Access

if TYPE_CHECKING:
    from askweb.runs.live import LiveReply
    from askweb.runs.relaying import Relay


@dataclass(frozen=True, slots=True)
class Frame:
    """An encoded event, and where it stands: deltas, blocks and snapshots by `epoch` and `seq` of a `run`, others by
    `revision`.
    """

    text: str
    conversation: UUID | None = None
    epoch: int = 0
    seq: int = 0
    revision: int = 0
    kind: Literal["delta", "block", "event", "snapshot", "heartbeat"] = "event"
    run: UUID | None = None
    ends: UUID | None = None
    """The run that writes no more: it has ended, or waits for the person."""


class Listener(Protocol):
    reads_blocks: bool
    """Whether it has a use for rendered blocks."""

    def deliver(self, topic: UUID, frame: Frame) -> None:
        """Take the frame without waiting and without raising."""


class Socket(Protocol):
    access: Access
    """Whose it is, and by what."""

    async def restart(self) -> None:
        """Tell the client that the server goes away, and close."""

    async def access_ended(self) -> None:
        """Tell the client nothing more, and close."""


class Hub:
    """Topics are ids: a conversation's for its events, a person's for their feed."""

    def __init__(self) -> None:
        self._listeners: defaultdict[UUID, set[Listener]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.replies: dict[UUID, LiveReply] = {}
        self.sockets: set[Socket] = set()
        self.is_closing = False
        self.relay: Relay | None = None

    def open(self) -> None:
        """Begin to deliver, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self.is_closing = False

    def close(self) -> None:
        self._loop = None

    def join(self, topic: UUID, listener: Listener) -> None:
        self._listeners[topic].add(listener)

    def leave(self, topic: UUID, listener: Listener) -> None:
        listeners = self._listeners[topic]
        listeners.discard(listener)
        if not listeners:
            del self._listeners[topic]

    def has_listeners(self, topic: UUID) -> bool:
        return topic in self._listeners

    def has_readers(self, topic: UUID) -> bool:
        """Whether anyone listens who has a use for rendered blocks."""
        return any(listener.reads_blocks for listener in self._listeners.get(topic, ()))

    def topics(self) -> list[UUID]:
        return list(self._listeners)

    def publish(self, topic: UUID, frame: Frame) -> None:
        self.publish_here(topic, frame)
        if self.relay is not None and frame.kind == "event":
            self.relay.tell(topic, frame)

    def publish_here(self, topic: UUID, frame: Frame) -> None:
        for listener in tuple(self._listeners.get(topic, ())):
            listener.deliver(topic, frame)

    def publish_soon(self, topic: UUID, frame: Frame) -> None:
        """Publish from any thread. Without an open hub nobody listens here, and nothing is lost."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.publish, topic, frame)


hub = Hub()

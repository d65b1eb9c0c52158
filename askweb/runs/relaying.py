"""Between processes: what one publishes, the others hear of, in one message of the channel layer a tick.

A message holds what all runs of a process said since the last one. The first goes out at once. It may be lost, when
Redis restarts for instance. So each process numbers its messages, and sends one a second though it has nothing to say:
whoever misses a number has heartbeats sent at once, which tell clients what they missed.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

from channels.layers import get_channel_layer

from askweb.runs.hearing import REST, heard
from askweb.runs.hub import Frame, Hub
from askweb.runs.live import BUSY_REPLIES, SLOW_TICK, TICK, Piece
from askweb.runs.mirroring import Mirrors

logger = logging.getLogger(__name__)

NEWS = "askweb-news"
STOPS = "askweb-stops"
PULSE = 1.0
"""Seconds after which a message without items is sent."""
MOST_WAITING = 100_000
"""Items that wait at most while it can't; older ones are lost."""

Item = list[Any]


class Relay:
    """One process's ear and mouth. `tell`, `tell_text` and `tell_stop` run in the event loop's thread."""

    def __init__(self, hub: Hub, *, stop: Callable[[UUID], object] | None = None) -> None:
        self.mirrors = Mirrors(hub)
        self._hub = hub
        self._stop = stop
        self._name = uuid4().hex
        self._number = 0
        self._numbers: dict[str, int] = {}
        self.missed = asyncio.Event()
        """Set when news were sent that were not heard here."""
        self._waiting: list[Item] = []
        self._stops: list[str] = []
        self._ready = asyncio.Event()
        self._is_sending = False

    def tell(self, topic: UUID, frame: Frame) -> None:
        ends = frame.ends.hex if frame.ends else ""
        self._put(["event", topic.hex, frame.text, frame.revision, ends])

    def tell_text(self, piece: Piece) -> None:
        place = [piece.conversation.hex, piece.run.hex, piece.epoch, piece.seq]
        self._put(["text", *place, piece.content, piece.reasoning, piece.more])

    def tell_stop(self, run_id: UUID) -> None:
        self._stops.append(run_id.hex)
        self._ready.set()

    def _put(self, item: Item) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._number += 1  # a gap, so that others notice
        self._waiting.append(item)
        self._ready.set()

    async def keep_telling(self) -> None:
        """Run for as long as the process does. What can't be sent now is sent later, in order."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), PULSE)
            self._ready.clear()
            items, stops = self._waiting, self._stops
            self._waiting, self._stops = [], []
            self._is_sending = True
            try:
                await self._send(items, stops)
            except Exception as error:
                logger.warning("other processes can't be reached: %s", type(error).__name__)
                self._waiting[:0], self._stops[:0] = items, stops
                self._ready.set()
                await asyncio.sleep(REST)
            finally:
                self._is_sending = False
            await asyncio.sleep(SLOW_TICK if len(self._hub.replies) > BUSY_REPLIES else TICK)

    async def tell_rest(self) -> None:
        """Before the process ends, wait until what was said last is sent, as far as that takes no second."""
        with suppress(TimeoutError):
            async with asyncio.timeout(REST):
                while self._waiting or self._is_sending:  # noqa: ASYNC110 - a tick is what it waits for
                    await asyncio.sleep(TICK)

    async def _send(self, items: Sequence[Item], stops: Sequence[str]) -> None:
        layer = get_channel_layer()
        if stops:
            await layer.group_send(STOPS, {"type": "relay", "runs": list(stops)})
        news = {"type": "relay", "by": self._name, "number": self._number + 1, "items": list(items)}
        await layer.group_send(NEWS, news)
        self._number += 1

    async def keep_hearing(self) -> None:
        """Run for as long as the process does: the news where it serves people, the stops where it executes."""
        async for message in heard(STOPS if self._stop else NEWS):
            if self._stop is not None:
                for run_id in message["runs"]:
                    self._stop(UUID(run_id))
            else:
                self._hear(message)

    def _hear(self, message: Mapping[str, Any]) -> None:
        by, number = message["by"], message.get("number")  # which a process of an older release leaves out
        if number is not None:
            if number > self._numbers.get(by, 0) + 1:
                self.missed.set()
            self._numbers[by] = max(number, self._numbers.get(by, 0))
        if by != self._name:
            for item in message["items"]:
                self._take(item)

    def _take(self, item: Item) -> None:
        kind, *rest = item
        if kind == "event":
            topic, text, revision, ends = rest
            frame = Frame(text, UUID(topic), revision=revision, ends=UUID(ends) if ends else None)
            if frame.ends is not None:
                self.mirrors.end(UUID(topic), frame.ends)
            self._hub.publish_here(UUID(topic), frame)
        else:
            conversation, run, *place_and_text = rest
            self.mirrors.take(Piece(UUID(conversation), UUID(run), *place_and_text))

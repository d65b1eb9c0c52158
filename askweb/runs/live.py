"""A reply while it is written: the text so far, and the frames that carry it."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from askweb.gathered_text import GatheredText
from askweb.metrics import FIRST_DELTA, FRAMES
from askweb.runs.blocks import LiveBlocks
from askweb.runs.hub import Frame, Hub
from askweb.runs.models import Run

TICK = 0.03
SLOW_TICK = 0.1
BUSY_REPLIES = 100
"""With more live replies than this in one process, ticks stretch from `TICK` to `SLOW_TICK` seconds."""
FRAME_CHARACTERS = 16 * 1024 // 4
"""A frame holds at most 16 KB of text, and a code point takes at most 4 bytes."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one delta carries, as processes tell each other of it; `more` holds its function calls."""

    conversation: UUID
    run: UUID
    epoch: int
    seq: int
    content: str
    reasoning: str = ""
    more: Mapping[str, Any] | None = None


class LiveReply:
    """One run's text in memory.

    The first text goes out at once, later text at most once a tick. `seq` counts these frames alone, from
    1 in each epoch. What was sent is what is saved: `take_unsaved` flushes first.
    """

    def __init__(self, run: Run, hub: Hub, *, content: str = "", reasoning: str = "", html: str = "") -> None:
        self.run_id: UUID = run.pk
        self.reply_id: UUID = run.reply_id
        self.lost = asyncio.Event()
        self.epoch = run.epoch
        self._asked = run.created.timestamp()
        self.seq = 0
        self.saved_seq = 0
        """What is known to be stored ends here."""
        self.blocks = LiveBlocks(run, hub, content, html)
        self._hub = hub
        self._conversation: UUID = run.conversation_id
        self._loop = asyncio.get_running_loop()
        self._sent = _Text(content, reasoning)
        self._unsaved = _Text()
        self._unsaved_bytes = 0
        self._pending = _Text()
        self._timer: asyncio.TimerHandle | None = None
        self._last_flush = 0.0
        self._head = (
            f'{{"meta":{{"event":"reply.delta","conversation":"{run.conversation_id}",'
            f'"message":"{run.reply_id}","run":"{run.pk}","epoch":{run.epoch},"seq":'
        )

    def add(self, content: str = "", reasoning: str = "") -> None:
        self._pending.add(content, reasoning)
        if self._timer is None:
            now, tick = self._loop.time(), self._tick()
            if now - self._last_flush >= tick:
                self.flush()
            else:  # when all other replies tick, too: each time the loop wakes costs as much as a frame
                self._timer = self._loop.call_at((now // tick + 1) * tick, self.flush)

    def add_calls(self, calls: Sequence[Mapping[str, Any]]) -> None:
        """Function calls, whole and in OpenAI's form, one frame each. They are not part of the text."""
        self.flush()
        for index, call in enumerate(calls):
            self._send("", "", {"tool_calls": [{"index": index, **call}]})

    def preview_question(self, text: str) -> None:
        """Show as much as there is of a question that is being written; "" takes it away."""
        meta = {"event": "question.preview", "conversation": self._conversation, "run": self.run_id}
        body = {"meta": {**meta, "epoch": self.epoch, "question": text or None}}
        self._hub.publish(self._conversation, Frame(orjson.dumps(body).decode(), self._conversation))

    def close(self) -> None:
        """Send nothing more. What a run keeps was taken before; what is pending now belongs to no one."""
        self._forget_tick()
        self.blocks.close()

    def flush(self) -> None:
        """Send what is pending, now."""
        self._forget_tick()
        if not self._pending.size:
            return
        self._last_flush = self._loop.time()
        content, reasoning = self._pending.take()
        for piece in _pieces(reasoning):
            self._send("", piece)
        for piece in _pieces(content):
            self._send(piece, "")

    def text(self) -> tuple[str, str]:
        """Content and reasoning that were sent, whole."""
        return self._sent.read()

    @property
    def unsaved_size(self) -> int:
        """In bytes of UTF-8."""
        return self._unsaved_bytes

    @property
    def has_unsaved(self) -> bool:
        return bool(self._unsaved.size or self._pending.size)

    @property
    def size(self) -> int:
        return self._sent.size + self._pending.size

    def take_unsaved(self) -> tuple[str, str]:
        """What was sent since the last call; it ends exactly at `seq`."""
        self.flush()
        self._unsaved_bytes = 0
        return self._unsaved.take()

    def put_back(self, content: str, reasoning: str) -> None:
        """The text that was taken could not be saved."""
        later = self._unsaved.take()
        self._unsaved.add(content, reasoning)
        self._unsaved.add(*later)
        self._unsaved_bytes += _bytes(content) + _bytes(reasoning)

    def lose(self) -> None:
        """The run belongs to someone else now: whoever writes this reply must stop."""
        self.lost.set()

    def _forget_tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> float:
        return SLOW_TICK if len(self._hub.replies) > BUSY_REPLIES else TICK

    def _send(self, content: str, reasoning: str, more: Mapping[str, Any] | None = None) -> None:
        self.seq += 1
        self._sent.add(content, reasoning)
        self._unsaved.add(content, reasoning)
        self._unsaved_bytes += _bytes(content) + _bytes(reasoning)
        self._publish(self.seq, content, reasoning, more)
        if content:
            self.blocks.add(content, self.seq)

    def _publish(self, seq: int, content: str, reasoning: str, more: Mapping[str, Any] | None) -> None:
        FRAMES.inc()
        if (self.epoch, seq) == (1, 1):
            FIRST_DELTA.observe(max(0.0, time.time() - self._asked))
        if self._hub.relay is not None:
            self._hub.relay.tell_text(
                Piece(self._conversation, self.run_id, self.epoch, seq, content, reasoning, more)
            )
        self._publish_here(seq, content, reasoning, more)

    def _publish_here(self, seq: int, content: str, reasoning: str, more: Mapping[str, Any] | None) -> None:
        if not self._hub.has_listeners(self._conversation):
            return
        delta: dict[str, Any] = {"role": "assistant" if seq == 1 else None, "content": content}
        delta |= more or {}
        if reasoning:
            delta["reasoning_content"] = reasoning
        text = f'{self._head}{seq}}},"delta":{orjson.dumps(delta).decode()}}}'
        self._hub.publish_here(
            self._conversation,
            Frame(text, self._conversation, self.epoch, seq, kind="delta", run=self.run_id),
        )


class _Text:
    """Content and reasoning; `size` is in characters."""

    __slots__ = ("_content", "_reasoning")

    def __init__(self, content: str = "", reasoning: str = "") -> None:
        self._content, self._reasoning = GatheredText(content), GatheredText(reasoning)

    @property
    def size(self) -> int:
        return self._content.size + self._reasoning.size

    def add(self, content: str, reasoning: str) -> None:
        if content:
            self._content.add(content)
        if reasoning:
            self._reasoning.add(reasoning)

    def read(self) -> tuple[str, str]:
        return self._content.read(), self._reasoning.read()

    def take(self) -> tuple[str, str]:
        taken = self.read()
        self._content, self._reasoning = GatheredText(), GatheredText()
        return taken


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _pieces(text: str) -> list[str]:
    return [text[start : start + FRAME_CHARACTERS] for start in range(0, len(text), FRAME_CHARACTERS)]

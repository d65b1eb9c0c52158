"""Reading a stream from bytes, payloads or deltas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from askweb.providers.events import Ending, Event, ReasoningDelta, TextDelta
from askweb.providers.reading import StreamReader


@dataclass(frozen=True)
class Read:
    """Everything one response said."""

    events: list[Event]
    ending: Ending

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def reasoning(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, ReasoningDelta))

    @property
    def calls(self) -> list[tuple[str, dict[str, object]]]:
        return [(call.name, call.arguments) for call in self.ending.calls]

    @property
    def fault(self) -> tuple[str, str] | None:
        error = self.ending.error
        return error and (error.code, error.message)


def read_pieces(pieces: Sequence[bytes], *, cut: bool = False, status: int = 200, **options: Any) -> Read:
    options.setdefault("content_type", "text/event-stream")
    reader = StreamReader(status=status, **options)
    events = [event for piece in pieces for event in reader.feed(piece)]
    ending = reader.end(cut=cut)
    return Read(events + ending.events, ending)


def as_stream(payloads: Sequence[object]) -> bytes:
    return b"".join(
        b"data: " + (item.encode() if isinstance(item, str) else orjson.dumps(item)) + b"\n\n"
        for item in payloads
    )


@pytest.fixture
def read() -> Callable[..., Read]:
    """Reads bytes in one piece."""
    return lambda body, **options: read_pieces([body], **options)


@pytest.fixture
def read_apart() -> Callable[..., Read]:
    """Reads bytes in the given pieces."""
    return read_pieces


@pytest.fixture
def read_payloads() -> Callable[..., Read]:
    """Reads events whose data are the given payloads: objects, or text as it is."""
    return lambda *payloads, **options: read_pieces([as_stream(payloads)], **options)


@pytest.fixture
def read_deltas() -> Callable[..., Read]:
    """Reads a chunk for each delta, then a finish reason and `[DONE]`."""

    def reading(*deltas: object, finish: object = "stop", **options: Any) -> Read:
        chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
        return read_pieces([as_stream([*chunks, last, "[DONE]"])], **options)

    return reading

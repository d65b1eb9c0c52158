"""From the bytes of an event stream to its payloads, tolerant of what providers do to the format."""

from __future__ import annotations

from typing import Literal, NamedTuple

import orjson

from askweb.providers.decoding import Decoded, decode

BOM = b"\xef\xbb\xbf"
FIELDS = (b"data", b"event", b"error", b"id", b"retry", b":")
_JOINS_TRIED = 64  # per event: joining and parsing again at every line would be quadratic

FrameKind = Literal["json", "error", "done", "unreadable", "overflow"]


class Frame(NamedTuple):
    """One payload: parsed JSON, an error the stream named as such, `[DONE]`, or what could not be read."""

    kind: FrameKind
    value: object


class Framer:
    """Splits on CRLF, LF and CR only, whatever the chunking; hands out each payload as soon as it is whole.

    It doesn't wait for the blank line after an event, since some providers never send one. A line, or
    the `data` lines of one event, longer than `limit` bytes give an `overflow` frame; feed nothing after it.
    """

    def __init__(self, limit: int) -> None:
        self.replaced = 0
        self._limit = limit
        self._parts: list[bytes] = []  # of the unfinished line
        self._parts_size = 0
        self._after_cr = False
        self._names_error = False  # the event now open is `event: error`
        self._last: object = None  # payload of the event now open
        self._open: list[bytes] = []  # data lines that are not whole JSON yet
        self._open_size = 0
        self._tries = 0

    def feed(self, data: bytes) -> list[Frame]:
        frames: list[Frame] = []
        if not data:
            return frames
        if b"\n" in data or b"\r" in data:
            for line in self._lines(data):
                self._line(line, frames)
        else:
            self._keep(data)
            self._after_cr = False
        if self._parts_size > self._limit:
            frames.append(Frame("overflow", None))
        return frames

    def end(self) -> list[Frame]:
        """The payloads of a last event that lacks its line end or its blank line."""
        frames: list[Frame] = []
        line = b"".join(self._parts)
        self._parts, self._parts_size = [], 0
        if line and not any(field.startswith(line) for field in FIELDS):
            self._line(line, frames)
        if self._open:
            self._settle(frames, cut=True)
        return frames

    def _lines(self, data: bytes) -> list[bytes]:
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
        self._after_cr = data.endswith(b"\r")
        if self._parts:
            data = b"".join((*self._parts, data))
            self._parts, self._parts_size = [], 0
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, tail = data.split(b"\n")
        self._keep(tail)
        return lines

    def _keep(self, tail: bytes) -> None:
        if tail:
            self._parts.append(tail)
            self._parts_size += len(tail)

    def _line(self, line: bytes, frames: list[Frame]) -> None:
        if not line:
            self._close_event(frames)
        elif len(line) > self._limit:
            frames.append(Frame("overflow", None))
        elif line.startswith(b"data:") and not self._open and not self._names_error:
            try:
                self._last = orjson.loads(line[5:])
            except orjson.JSONDecodeError:
                self._data(line[5:], frames)
            else:
                frames.append(Frame("json", self._last))
        else:
            self._field(line, frames)

    def _field(self, line: bytes, frames: list[Frame]) -> None:
        name, _, value = line.partition(b":")
        name = name.removeprefix(BOM).strip().lower()
        if name == b"data":
            self._data(value, frames)
        elif name == b"event":
            self._event(value, frames)
        elif name == b"error":
            self._error(value, frames)
        elif name not in (b"", b"id", b"retry"):
            self._stray(line.removeprefix(BOM), frames)

    def _data(self, value: bytes, frames: list[Frame]) -> None:
        value = value.strip()
        while value.startswith(b"data:"):  # relays that wrap a stream once more
            value = value[5:].strip()
        if len(value) == 6 and value.upper() == b"[DONE]":
            self._settle(frames)
            frames.append(Frame("done", None))
        elif self._open:
            self._go_on(value, frames)
        elif value and not value.startswith(b":"):  # a comment wrapped as data
            self._begin(value, frames)

    def _begin(self, value: bytes, frames: list[Frame]) -> None:
        decoded = decode(value)
        if not decoded.rest:
            self._emit(decoded, frames)
        elif value[:1] in b"{[" or self._names_error:
            self._open, self._open_size, self._tries = [value], len(value), 0
        else:
            frames.append(Frame("unreadable", decoded.rest[:300]))

    def _go_on(self, value: bytes, frames: list[Frame]) -> None:
        alone = decode(value) if value.startswith(b"{") else None
        if alone and not alone.rest and _stands_alone(alone.values):
            # The writer died inside an event, and its relay put an error (or the next chunk) after it.
            self._settle(frames)
            self._emit(alone, frames)
            return
        self._open.append(value)
        self._open_size += len(value) + 1
        if self._open_size > self._limit:
            frames.append(Frame("overflow", None))
        elif value.endswith((b"}", b"]")) and self._tries < _JOINS_TRIED:
            self._tries += 1
            joined = decode(b"\n".join(self._open))
            if not joined.rest:
                self._open = []
                self._emit(joined, frames)

    def _emit(self, decoded: Decoded, frames: list[Frame]) -> None:
        self.replaced += decoded.replaced
        kind: FrameKind = "error" if self._names_error else "json"
        for value in decoded.values:
            self._last = value
            frames.append(Frame(kind, value))

    def _event(self, value: bytes, frames: list[Frame]) -> None:
        self._names_error = value.strip().lower() == b"error"
        if self._names_error and isinstance(self._last, dict) and "choices" not in self._last:
            frames.append(Frame("error", self._last))  # the name came after the data

    def _error(self, value: bytes, frames: list[Frame]) -> None:
        decoded = decode(value)
        self.replaced += decoded.replaced
        told = decoded.values[0] if decoded.values and not decoded.rest else decoded.rest.strip()
        if told:
            frames.append(Frame("error", told))

    def _stray(self, line: bytes, frames: list[Frame]) -> None:
        line = line.strip()
        if self._open or line[:1] in (b"{", b"["):  # JSON without `data:`, or a raw newline inside of it
            self._data(line, frames)
        else:
            frames.append(Frame("unreadable", line[:300].decode("utf-8", "replace")))

    def _close_event(self, frames: list[Frame]) -> None:
        if self._open:
            self._settle(frames)
        elif self._names_error and self._last is None:
            frames.append(Frame("error", None))
        self._names_error, self._last = False, None

    def _settle(self, frames: list[Frame], *, cut: bool = False) -> None:
        decoded = decode(b"\n".join(self._open))
        self._open = []
        if decoded.rest and self._names_error:
            frames.append(Frame("error", decoded.rest))
            self._last = decoded.rest
            return
        self._emit(decoded, frames)
        if decoded.rest and not cut:
            frames.append(Frame("unreadable", decoded.rest[:300]))


def _stands_alone(values: list[object]) -> bool:
    return all(
        isinstance(value, dict) and not value.keys().isdisjoint(("choices", "error")) for value in values
    )

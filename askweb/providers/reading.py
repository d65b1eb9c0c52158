"""Reads a provider's answer to a chat completion request, in any chunking, without any I/O of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from askweb.providers.decoding import decode
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, Event, Finish
from askweb.providers.framing import BOM, FIELDS, Frame, Framer
from askweb.providers.reply import Reply
from askweb.providers.thinking import TagSplitter
from askweb.providers.verdicts import complaint_of
from askweb.providers.wording import Wording, readable

MAX_PAYLOAD = 8 * 1024 * 1024  # bytes in one line, one event or one whole body
MAX_ERROR_BODY = 64 * 1024  # bytes; the rest of an error's body is thrown away

_Shape = Literal["undecided", "lines", "body", "refusal"]
_LINE_TYPES = ("text/event-stream", "application/x-ndjson", "application/jsonl", "")


class StreamReader:
    """Turns the bytes of one response into events, and into exactly one ending.

    Feed what arrives in any chunking, then call `end` once. Nothing raises, whatever the bytes. At most
    `max_payload` bytes are kept; a longer line, event or body is `provider.protocol`.

    `secrets` never appear in an error's message. `think_tags` looks for reasoning in `<think>` tags,
    `think_open` says that the model starts inside them. `now` gives epoch seconds, for `Retry-After` dates.
    """

    def __init__(
        self,
        *,
        status: int,
        content_type: str,
        headers: Mapping[str, str] | None = None,
        secrets: Sequence[str] = (),
        think_tags: bool = True,
        think_open: bool = False,
        max_payload: int = MAX_PAYLOAD,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._status = status
        self._type = content_type.partition(";")[0].strip().lower()
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._now = now
        self._limit = max_payload
        self._wording = Wording(secrets)
        self._framer = Framer(max_payload)
        tags = TagSplitter(opened=think_open) if think_tags or think_open else None
        self._reply = Reply(self._wording, tags, max_payload)
        self._shape: _Shape = "undecided" if status < 300 else "refusal"
        self._body = bytearray()
        self._done = False
        self._unreadable = 0
        self._oddity = ""  # the first unreadable payload
        self.payloads = 0
        """Signs of life so far: payloads, or pieces of a body. Comments and blanks are none."""

    @property
    def done(self) -> bool:
        """True once nothing more will be taken: after `[DONE]` or an error in the stream. Call `end` then."""
        return self._done or self._reply.error is not None

    def feed(self, data: bytes) -> list[Event]:
        """The events that `data` completes, often none. After `done`, bytes are ignored."""
        events: list[Event] = []
        if self._shape == "undecided":
            self._body += data
            data = self._decide()
        if self._shape == "lines":
            if not self.done:
                self._take(self._framer.feed(data), events)
        elif self._shape == "refusal":
            self.payloads += bool(data)
            self._body += data[: MAX_ERROR_BODY - len(self._body)]
        elif self._shape == "body":
            self._collect(data)
        return events

    def end(self, *, cut: bool) -> Ending:
        """How it ended. `cut`: the transport failed after the last byte, rather than ending properly."""
        held: list[Event] = []
        if self._shape == "refusal":
            self._reply.fail(
                self._wording.of_response(self._status, bytes(self._body), self._headers, self._now())
            )
        elif self._shape == "body":
            self._take_body(held, cut=cut)
        elif not self.done:
            self._take(self._framer.end(), held)
        return self._ending(held, cut=cut)

    def _decide(self) -> bytes:
        """Chooses how to read from the first bytes, and returns the bytes to read that way."""
        start = bytes(self._body[:64]).removeprefix(BOM).lstrip()
        if not start or BOM.startswith(start):
            if len(self._body) >= 64:  # nothing but blanks, which some send to keep the connection open
                self._body.clear()
            return b""
        lines = self._type in _LINE_TYPES and not start.startswith(b"<")
        if not lines and any(field.startswith(start) and field != start for field in FIELDS):
            return b""
        self._shape = "lines" if lines or start.startswith(FIELDS) else "body"
        data = bytes(self._body)
        self._body.clear()
        return data

    def _collect(self, data: bytes) -> None:
        if len(self._body) + len(data) > self._limit:
            self._overflow()
        elif not self.done:
            self.payloads += not data.isspace()
            self._body += data

    def _overflow(self) -> None:
        self._reply.fail(self._wording.error("provider.protocol", "The provider sent too much at once."))

    def _take(self, frames: list[Frame], events: list[Event]) -> None:
        self.payloads += len(frames)
        for frame in frames:
            kind, value = frame
            if kind == "json" and value != "[DONE]":
                self._reply.take(value, events)
            else:
                self._take_odd(frame)
            if self._done or self._reply.error is not None:
                return

    def _take_odd(self, frame: Frame) -> None:
        if frame.kind == "error":
            self._reply.fail(self._wording.of_payload(frame.value))
        elif frame.kind == "overflow":
            self._overflow()
        elif frame.kind == "unreadable":
            self._unreadable += 1
            self._oddity = self._oddity or str(frame.value)
        else:
            self._done = True

    def _take_body(self, events: list[Event], *, cut: bool) -> None:
        """A body that is no stream: a whole completion, an error as JSON, or something else altogether."""
        decoded = decode(bytes(self._body).removeprefix(BOM))
        objects = [value for value in decoded.values if isinstance(value, dict | list)]
        if decoded.rest or not objects:
            if not cut:
                self._reply.fail(self._wording.error("provider.protocol", readable(bytes(self._body))))
            return
        for value in objects:
            self._reply.take(value, events)
        if not any(_holds_choices(value) for value in objects):
            message = complaint_of(objects[0]).message or readable(bytes(self._body))
            self._reply.fail(self._wording.error("provider.protocol", message))

    def _ending(self, held: list[Event], *, cut: bool) -> Ending:
        error = self._reply.error or self._reply.failed_finish()
        if error is None:
            flushed: list[Event] = []
            self._reply.flush(flushed)
            finish = self._reply.finish(done=self._done)
            if finish is not None:
                reason, assembled = finish
                return Ending(
                    "finished",
                    [*held, *flushed, Finish(reason)],
                    finish=reason,
                    usage=self._reply.usage,
                    calls=assembled.calls,
                    broken=assembled.broken,
                    replaced=self._framer.replaced,
                    unreadable=self._unreadable,
                )
            error = self._nothing_but_noise(cut=cut)
        return Ending(
            "failed" if error else "interrupted",
            held,
            usage=self._reply.usage,
            error=error,
            replaced=self._framer.replaced,
            unreadable=self._unreadable,
        )

    def _nothing_but_noise(self, *, cut: bool) -> ProviderError | None:
        if cut or not self._unreadable or self._reply.understood:
            return None
        return self._wording.error("provider.protocol", self._oddity)


def _holds_choices(value: object) -> bool:
    if isinstance(value, list):
        return any(_holds_choices(item) for item in value[:9])
    return isinstance(value, dict) and bool(value.get("choices"))

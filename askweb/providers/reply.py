"""What the payloads of one stream say together: the reply so far."""

from __future__ import annotations

from typing import Literal

from askweb.gathered_text import GatheredText
from askweb.providers.calls import Assembled, CallAssembler
from askweb.providers.chunks import (
    content_of,
    delta_of,
    finish_of,
    first_choice,
    plain_text,
    reasoning_of,
    usage_of,
)
from askweb.providers.decoding import PairJoiner
from askweb.providers.errors import ProviderError
from askweb.providers.events import Event, FinishReason, ReasoningDelta, TextDelta, Usage
from askweb.providers.thinking import TagSplitter
from askweb.providers.verdicts import is_error
from askweb.providers.wording import Wording

_REPEATED_WHOLE = 200  # characters; a shorter piece that equals all before it may be meant
_REMEMBERED = 1_000_000  # characters


class Reply:
    """Takes payloads in order and turns them into events; `error` is set once it has failed."""

    def __init__(self, wording: Wording, tags: TagSplitter | None, limit: int) -> None:
        self.error: ProviderError | None = None
        self.usage: Usage | None = None
        self.understood = 0  # payloads that were JSON objects
        self.has_text = False
        self._wording = wording
        self._tags = tags
        self._finish: FinishReason | Literal["error", "timeout"] | None = None
        self._refused = False
        self._calls = CallAssembler(limit)
        self._text, self._text_said = PairJoiner(), _Said()
        self._reasoning, self._reasoning_said = PairJoiner(), _Said()

    def take(self, value: object, out: list[Event]) -> None:
        """Adds a payload's events to `out`. A list is taken as several payloads; other values say nothing."""
        if isinstance(value, dict):
            self._chunk(value, out)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict) and self.error is None:
                    self._chunk(item, out)

    def fail(self, error: ProviderError) -> None:
        self.error = self.error or error

    def flush(self, out: list[Event]) -> None:
        """What was held back, at a proper finish: halves that nothing can complete any more."""
        self._think(self._reasoning.flush(), out)
        self._speak(self._text.flush(), out)
        if self._tags:
            self._add(self._tags.flush(), out)

    def failed_finish(self) -> ProviderError | None:
        """The error that a finish reason alone has told of."""
        if self._finish == "timeout":
            return self._wording.error("provider.timeout", "The provider ran out of time.")
        if self._finish == "error":
            return self._wording.error("provider.unavailable", "The provider broke off its answer.")
        return None

    def finish(self, *, done: bool) -> tuple[FinishReason, Assembled] | None:
        """How the reply finished, with its calls; None when it has not. `done`: `[DONE]` has arrived."""
        assembled = self._calls.assemble(cut_short=self._finish == "length")
        reason = self._finish
        if reason is None and done and (self.has_text or assembled.calls):
            reason = "unknown"
        if reason is None or reason == "error" or reason == "timeout":
            return None
        return self._meant(reason, assembled), assembled

    def _meant(self, reason: FinishReason, assembled: Assembled) -> FinishReason:
        if self._refused and reason in ("stop", "unknown"):
            return "content_filter"
        if assembled.calls and reason in ("stop", "unknown"):
            return "function_calls"
        if reason == "function_calls" and not (assembled.calls or assembled.broken):
            return "stop"
        return reason

    def _chunk(self, payload: dict[str, object], out: list[Event]) -> None:
        self.understood += 1
        text = plain_text(payload)
        if text:
            self._say(text, out)
            return
        choice = first_choice(payload.get("choices"))
        if choice is not None:
            self._choice(choice, out)
        self._count(payload, choice, out)
        odd = choice is None or "error" in payload or payload.get("object") == "error"
        if odd and is_error(payload):
            self.fail(self._wording.of_payload(payload))

    def _choice(self, choice: dict[str, object], out: list[Event]) -> None:
        delta = delta_of(choice)
        if delta:
            content = content_of(delta.get("content"))
            reasoning = reasoning_of(delta) or content.reasoning
            if reasoning and not self._reasoning_said.repeats(reasoning):
                self._think(self._reasoning.feed(reasoning), out)
            if content.text:
                self._say(content.text, out)
            self._refused = self._refused or content.refused
            self._refuse(delta.get("refusal"), out)
            self._call(delta, out)
        self._stop(choice, out)

    def _refuse(self, refusal: object, out: list[Event]) -> None:
        if refusal and isinstance(refusal, str):
            self._refused = True
            self._speak(self._text.feed(refusal), out)

    def _call(self, delta: dict[str, object], out: list[Event]) -> None:
        pieces = delta.get("tool_calls") or delta.get("function_call")
        if not pieces:
            return
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            event = self._calls.add(piece)
            if event:
                out.append(event)
        if self._calls.overflown:
            self.fail(self._wording.error("provider.protocol", "The function calls are too long."))

    def _stop(self, choice: dict[str, object], out: list[Event]) -> None:
        reason = finish_of(choice.get("finish_reason"))
        if reason and (self._finish in (None, "unknown") or reason in ("error", "timeout")):
            self._finish = reason
        if "error" in choice and is_error({"error": choice["error"]}):
            self.fail(self._wording.of_payload({"error": choice["error"]}))

    def _count(self, payload: dict[str, object], choice: dict[str, object] | None, out: list[Event]) -> None:
        usage, before = usage_of(payload, choice), self.usage
        if usage is None:
            return
        if before is not None:
            usage = Usage(
                usage.prompt_tokens or before.prompt_tokens,
                usage.completion_tokens or before.completion_tokens,
            )
        if usage != before and (usage.prompt_tokens or usage.completion_tokens):
            self.usage = usage
            out.append(usage)

    def _say(self, content: str, out: list[Event]) -> None:
        if not self._text_said.repeats(content):
            self._speak(self._text.feed(content), out)

    def _think(self, reasoning: str, out: list[Event]) -> None:
        if reasoning:
            out.append(ReasoningDelta(reasoning))

    def _speak(self, text: str, out: list[Event]) -> None:
        if not text:
            return
        if self._tags is None or self._tags.answering:
            self.has_text = True
            out.append(TextDelta(text))
        else:
            self._add(self._tags.feed(text), out)

    def _add(self, pieces: list[TextDelta | ReasoningDelta], out: list[Event]) -> None:
        self.has_text = self.has_text or any(isinstance(piece, TextDelta) for piece in pieces)
        out.extend(pieces)


class _Said:
    """Everything said in one field, to notice a provider that ends by saying all of it again."""

    def __init__(self) -> None:
        self._size = 0
        self._kept = GatheredText()

    def repeats(self, piece: str) -> bool:
        size = len(piece)
        if size == self._size and size > _REPEATED_WHOLE and self._kept.read() == piece:
            return True
        self._size += size
        if self._size <= _REMEMBERED:
            self._kept.add(piece)
        return False

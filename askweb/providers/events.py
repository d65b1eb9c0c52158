"""What a provider's stream says, in one small set of typed events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from askweb.providers.errors import ProviderError

FinishReason = Literal["stop", "length", "function_calls", "content_filter", "unknown"]
Outcome = Literal["finished", "interrupted", "failed"]


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply's text: never empty, no NUL, no lone surrogates."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model thought before it answered; never part of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class FunctionCallDelta:
    """Progress of one call, for showing only: what may be run is in `Ending.calls`.

    `index` counts the calls of this reply from 0. `id` and `name` come once, when first known.
    `arguments` is the piece as the provider sent it, so it may repeat earlier pieces.
    """

    index: int
    id: str | None
    name: str | None
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens billed so far, as the provider counts them; a later one replaces an earlier one."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The last event of a finished reply."""

    reason: FinishReason


Event: TypeAlias = TextDelta | ReasoningDelta | FunctionCallDelta | Usage | Finish


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call that may be run.

    `id` is unique in its reply (made up where the provider sent none), `raw` is the JSON text of `arguments`,
    `extras` are the provider's unknown fields: store them, send them back only to the same provider.
    """

    id: str
    name: str
    arguments: dict[str, object]
    raw: str
    extras: dict[str, object]
    place: int = field(default=0, compare=False)
    """Among all calls of its reply, broken ones included."""


@dataclass(frozen=True, slots=True)
class BrokenCall:
    """A call the model began that must not be run: cut off, nameless, or its arguments are no JSON object."""

    id: str
    name: str
    raw: str
    place: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended.

    `events` is what was held back until the end, with `Finish` last when finished. `finish` is set only when
    finished, `error` only when failed, `calls` and `broken` only when finished. `replaced` counts
    invalid UTF-8 sequences, `unreadable` the payloads and lines that had to be skipped.
    """

    outcome: Outcome
    events: list[Event] = field(default_factory=list)
    finish: FinishReason | None = None
    usage: Usage | None = None
    calls: tuple[FunctionCall, ...] = ()
    broken: tuple[BrokenCall, ...] = ()
    error: ProviderError | None = None
    replaced: int = 0
    unreadable: int = 0

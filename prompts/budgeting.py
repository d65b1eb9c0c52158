"""How much a model can read at once, and what of a conversation goes into it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from askweb.providers.capabilities import capabilities_of
from askweb.providers.fitting import TOKEN_LIMITS
from askweb.providers.local.exchange import CONTEXT_TOKENS
from askweb.providers.models import Provider
from prompts.calibrating import estimator_of
from prompts.cutting import Cutter
from prompts.estimating import Estimator
from prompts.shapes import Part, SentMessage

UNKNOWN_WINDOW = 32 * 1024
"""Tokens that a model of which nothing is known is taken to read; below that nothing is cut for it."""
ANSWER = 4096
"""Tokens kept free for the answer unless the request says how long it may be; a quarter of a small window."""
MARGIN = 0.97
UNKNOWING = Estimator()
IMAGE = 1000
"""Tokens of an image; providers count from 85 to some 1,500."""
LEAST_SHOWN = 200
"""Tokens below which it is not worth showing what is left of an earlier turn."""


@dataclass(frozen=True)
class Budget:
    """The tokens of a model's window, and those of them that are the answer's; `other` are no text of messages."""

    window: int = UNKNOWN_WINDOW
    answer: int = ANSWER
    other: int = 0
    estimator: Estimator = UNKNOWING

    @property
    def available(self) -> int:
        """For messages."""
        return int((self.window - self.answer) * MARGIN) - self.other

    def with_images(self, count: int) -> "Budget":
        return replace(self, other=self.other + count * IMAGE)


@dataclass(frozen=True)
class History:
    """Earlier turns as far as there is room; `part` tells what is missing, None when nothing is."""

    messages: Sequence[SentMessage]
    part: Part | None = None
    warning: str = ""


def budget_of(provider: Provider, model: str, options: Mapping[str, Any]) -> Budget:
    """The budget of a request; a limit of the answer that it names is kept free, up to half the window."""
    window = window_of(provider, model)
    estimator = estimator_of(provider, model)
    limits = [options[name] for name in TOKEN_LIMITS if isinstance(options.get(name), int)]
    answer = min(max(limits), window // 2) if limits and max(limits) > 0 else min(ANSWER, window // 4)
    functions = options.get("tools")
    described = json.dumps(functions, ensure_ascii=False, default=str) if functions else ""
    return Budget(window, answer, estimator.tokens(described), estimator)


def window_of(provider: Provider, model: str) -> int:
    """The model's context window: as the person set it, else as the provider lists it, else a default."""
    if told := capabilities_of(provider, model).context_window:
        return told
    if provider.is_local:
        return CONTEXT_TOKENS
    listed = (each.get("context_window") for each in provider.known_models if each.get("id") == model)
    known = next((size for size in listed if isinstance(size, int) and size > 0), None)
    return known or UNKNOWN_WINDOW


def fit_history(messages: Sequence[SentMessage], room: int, estimator: Estimator) -> History:
    """Leave out the oldest turns, each with its answer, until the rest fits.

    Of the last one that doesn't fit, the question's longest text is shown as far as there is room.
    """
    turns = _turns(messages)
    kept: list[SentMessage] = []
    left = room
    while turns and (tokens := estimator.of_messages(turns[-1])) <= left:
        kept = turns.pop() + kept
        left -= tokens
    if turns:
        kept = _shown(turns[-1], left, estimator) + kept
    return _told(messages, kept, estimator) if turns else History(messages)


def _turns(messages: Sequence[SentMessage]) -> list[list[SentMessage]]:
    """The messages parted before each of the person's."""
    turns: list[list[SentMessage]] = []
    for message in messages:
        if message["role"] == "user" or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def _shown(turn: list[SentMessage], room: int, estimator: Estimator) -> list[SentMessage]:
    first = turn[0]
    text = first["content"]
    left = room - estimator.of_messages([{**first, "content": ""}, *turn[1:]])
    if not isinstance(text, str) or left < LEAST_SHOWN:
        return []
    cut = first.copy()
    cut["content"] = Cutter(estimator, "head_tail").cut(text, left).text
    return [cut, *turn[1:]]


def _told(before: Sequence[SentMessage], kept: Sequence[SentMessage], estimator: Estimator) -> History:
    size = _characters(kept)
    missing = max(_characters(before) - size, 0)
    count = len(before) - len(kept)
    reason = ngettext(
        "{count} earlier message was left out to make room.",
        "{count} earlier messages were left out to make room.",
        count,
    ).format(count=count)
    if not count:
        reason = _("An earlier message was cut to make room.")
    tokens = estimator.of_messages(kept)
    part = Part(name="history", kept=size, cut=missing, left_out=None if kept else reason, tokens=tokens)
    return History(kept, part, reason)


def _characters(messages: Sequence[SentMessage]) -> int:
    return sum(len(text) for message in messages if isinstance(text := message["content"], str))

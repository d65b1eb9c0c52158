"""One turn of the model: what it says in one call, written into the reply, without the questions in its text."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import cast

from askweb.gathered_text import GatheredText
from askweb.providers.events import Event, ReasoningDelta, TextDelta
from askweb.runs.live import LiveReply
from questions.followup import FollowupReader, Outcome, Shown

ANSWER_LIMIT = 2 * 1024 * 1024
"""Characters of one reply, reasoning included; a longer one is cut there and ends with `finish: length`."""


class Turn:
    """`text` and `reasoning` are what the model said, whole; the reply gets what of it may be seen.

    `apart`: the text begins a paragraph of its own, unless it is the reply's first.
    """

    def __init__(self, reply: LiveReply, *, with_questions: bool, apart: bool) -> None:
        self._reply = reply
        self._reader = FollowupReader() if with_questions else None
        self._text = GatheredText()
        self._reasoning = GatheredText()
        self._preview = ""
        self._gap = "\n\n" if apart and reply.text()[0].strip() else ""

    @property
    def text(self) -> str:
        return self._text.read()

    @property
    def reasoning(self) -> str:
        return self._reasoning.read()

    def add(self, events: Sequence[Event]) -> bool:
        """Add the events' text to the reply, as far as there is room; False when it did not all fit.

        What came together is shown together: the reply shows its first text at once, and the next a tick later.
        """
        fits = True
        for kind, several in groupby(events, type):
            if kind in (TextDelta, ReasoningDelta):
                text = "".join(event.text for event in cast(Iterable[TextDelta | ReasoningDelta], several))
                room = max(0, ANSWER_LIMIT - self._reply.size)
                fits = fits and len(text) <= room
                self._add(kind is ReasoningDelta, text[:room])
        return fits

    def end(self) -> Outcome | None:
        """The model has said its last word: show what was held back, and return the question in its text, if any."""
        if self._reader is None:
            return None
        reader, self._reader = self._reader, None
        outcome = reader.end()
        self._show(outcome.shown)
        return outcome if outcome.raw is not None else None

    def _add(self, is_reasoning: bool, text: str) -> None:
        if is_reasoning:
            self._reasoning.add(text)
            self._reply.add(reasoning=text)
            return
        self._text.add(text)
        self._show(self._reader.feed(text) if self._reader else Shown(text))

    def _show(self, shown: Shown) -> None:
        if shown.text:
            gap, self._gap = self._gap, ""
            self._reply.add(gap + shown.text)
        if shown.question or shown.withdrawn:
            self._preview = "" if shown.withdrawn else self._preview + shown.question
            self._reply.preview_question(self._preview)

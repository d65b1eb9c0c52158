"""Reasoning that comes as tags inside the text."""

from __future__ import annotations

import re

from askweb.providers.events import ReasoningDelta, TextDelta

_OPENERS = ("<think>", "<thinking>")
_CLOSERS = {
    "<think>": re.compile("</think>", re.I | re.A),
    "<thinking>": re.compile("</thinking>", re.I | re.A),
    "": re.compile("</think(?:ing)?>", re.I | re.A),
}
_LONGEST_CLOSER = "</thinking>"

Piece = TextDelta | ReasoningDelta


class TagSplitter:
    """Sends `<think>…</think>` and `<thinking>…</thinking>` to the reasoning, wherever the pieces are split.

    Only before the answer's first word: a later tag is text, since an answer may be about tags. A tag that is
    never closed leaves everything as reasoning. `opened` is for models whose prompt already holds the
    opening tag, so that only the closing one arrives.
    """

    def __init__(self, *, opened: bool = False) -> None:
        self.answering = False
        self._opened = opened
        self._inside = False
        self._closer = _CLOSERS[""]
        self._trim = opened  # blanks at the edges of a block belong to nobody
        self._held = ""

    def feed(self, text: str) -> list[Piece]:
        if self.answering:
            return [TextDelta(text)]
        pieces: list[Piece] = []
        self._held += text
        while self._held and (self._think(pieces) if self._inside else self._look(pieces)):
            pass
        return pieces

    def flush(self) -> list[Piece]:
        """What was held back, at a proper finish: the beginning of a tag was no tag."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [ReasoningDelta(held) if self._inside or self._opened else TextDelta(held)]

    def _look(self, pieces: list[Piece]) -> bool:
        """Looks for an opening tag before the answer; True when there is more to look at."""
        held = self._held.lstrip()
        blank = self._held[: len(self._held) - len(held)]
        if blank and not self._trim:
            pieces.append(TextDelta(blank))
        self._held = held
        start = held[: len("<thinking>")].lower()
        for opener in _OPENERS:
            if start.startswith(opener):
                return self._enter(opener)
        if any(opener.startswith(start) for opener in _OPENERS):
            return False
        return self._enter("") if self._opened else self._answer(pieces)

    def _enter(self, opener: str) -> bool:
        self._held = self._held[len(opener) :]
        self._closer = _CLOSERS["" if self._opened else opener]
        self._inside, self._trim, self._opened = True, True, False
        return True

    def _answer(self, pieces: list[Piece]) -> bool:
        pieces.append(TextDelta(self._held))
        self._held, self.answering = "", True
        return False

    def _think(self, pieces: list[Piece]) -> bool:
        closing = self._closer.search(self._held)
        end = closing.start() if closing else len(self._held) - _half_closer(self._held)
        thought = self._held[:end]
        if self._trim:
            thought = thought.lstrip()
        if thought:
            pieces.append(ReasoningDelta(thought))
            self._trim = False
        self._held = self._held[closing.end() if closing else end :]
        if closing:
            self._inside, self._trim = False, True
        return closing is not None


def _half_closer(text: str) -> int:
    """How many characters at the end of `text` may be the beginning of a closing tag."""
    at = text.rfind("<", max(0, len(text) - len(_LONGEST_CLOSER) + 1))
    if at < 0:
        return 0
    tail = text[at:].lower()
    return len(tail) if _LONGEST_CLOSER.startswith(tail) else 0

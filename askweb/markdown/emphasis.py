"""Emphasis by the delimiter runs of CommonMark, with one departure: CJK text needs no spaces around it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

CJK = re.compile(  # with the quotes, dash and ellipsis that CJK text shares with others
    "[\u2014\u2018-\u201d\u2026\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)
TAGS = {("*", 1): "em", ("*", 2): "strong", ("_", 1): "em", ("_", 2): "strong", ("~", 2): "del"}

Key = tuple[str, bool, int]


@dataclass
class Run:
    """Equal signs in a row: those that close, those that stay as they are, those that open, in this order."""

    sign: str
    length: int
    can_open: bool
    can_close: bool
    left: int = 0
    closes: list[str] = field(default_factory=list)
    opens: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left = self.length

    @property
    def key(self) -> Key:
        return self.sign, self.can_open, self.length % 3


def run_at(text: str, start: int) -> Run:
    """The run of `*`, `_` or `~` that begins at `start`."""
    sign, end = text[start], start
    while end < len(text) and text[end] == sign:
        end += 1
    before, after = text[start - 1 : start], text[end : end + 1]
    opens, closes = _flanks(after, before), _flanks(before, after)
    if sign == "_":
        opens, closes = (
            opens and (not closes or is_punctuation(before)),
            closes and (not opens or is_punctuation(after)),
        )
    if sign == "~" and end - start != 2:
        opens = closes = False
    return Run(sign, end - start, opens, closes)


def pair(runs: list[Run], start: int) -> None:
    """Pair the runs from `start` on and take them off the list. Linear: no run is looked at again in vain."""
    openers: list[Run] = []
    bottoms: dict[Key, int] = {}
    for run in runs[start:]:
        while (found := _opener(openers, run, bottoms.get(run.key, 0))) is not None:
            _join(openers[found], run)
            del openers[found + bool(openers[found].left) :]
            bottoms = {key: min(bottom, len(openers)) for key, bottom in bottoms.items()}
        if run.can_close and run.left:
            bottoms[run.key] = len(openers)
        if run.can_open and run.left:
            openers.append(run)
    del runs[start:]


def _opener(openers: list[Run], closer: Run, bottom: int) -> int | None:
    if not (closer.can_close and closer.left):
        return None
    for position in range(len(openers) - 1, bottom - 1, -1):
        if openers[position].sign == closer.sign and _match(openers[position], closer):
            return position
    return None


def _match(opener: Run, closer: Run) -> bool:
    if closer.sign == "~" or not (opener.can_close or closer.can_open):
        return True
    return (opener.length + closer.length) % 3 != 0 or opener.length % 3 == closer.length % 3 == 0


def _join(opener: Run, closer: Run) -> None:
    used = min(2, opener.left, closer.left)
    tag = TAGS[opener.sign, used]
    opener.opens.append(tag)
    closer.closes.append(tag)
    opener.left -= used
    closer.left -= used


def _flanks(inner: str, outer: str) -> bool:
    """Whether a sign between `outer` and `inner` may belong to the text that `inner` is the edge of."""
    if not inner or inner.isspace():
        return False
    if not is_punctuation(inner) or CJK.match(inner):
        return True
    return not outer or outer.isspace() or is_punctuation(outer) or CJK.match(outer) is not None


@lru_cache(maxsize=4096)
def is_punctuation(sign: str) -> bool:
    return bool(sign) and unicodedata.category(sign)[0] in "PS"

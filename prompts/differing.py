"""What changed between two texts, line by line, for pages that show them side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

AROUND = 3
"""Equal lines that are shown before and after a change."""
MOST_MATCHED = 1000
"""Lines; finding pairs among more takes too long, so they count as replaced."""
MOST_SHOWN = 1000
"""Characters of one piece of a line."""

Kind = Literal["same", "changed", "removed", "added", "skipped"]
Block = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class Line:
    """A line, counted from 1, in three pieces: the middle one is what changed."""

    number: int
    head: str
    changed: str = ""
    tail: str = ""


@dataclass(frozen=True)
class Row:
    """A line of either text, or of both. `skipped`: how many equal lines are left out in its place."""

    kind: Kind
    old: Line | None = None
    new: Line | None = None
    skipped: int = 0


def compare(old: str, new: str) -> list[Row]:
    """Return the changed lines with a few equal ones around them; nothing for equal texts."""
    if old == new:
        return []
    before, after = old.split("\n"), new.split("\n")
    blocks = list(_blocks(before, after))
    rows: list[Row] = []
    for at, block in enumerate(blocks):
        if block[0] == "equal":
            rows += _equal(before, block, is_first=at == 0, is_last=at == len(blocks) - 1)
        else:
            rows += _different(before, after, block)
    return rows


def _blocks(before: Sequence[str], after: Sequence[str]) -> Iterator[Block]:
    """Equal and different stretches in order. Equal ends are taken off first: most prompts share them."""
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    end, other_end = len(before) - tail, len(after) - tail
    if head:
        yield "equal", 0, head, 0, head
    for tag, i, i2, j, j2 in _matched(before[head:end], after[head:other_end]):
        yield tag, i + head, i2 + head, j + head, j2 + head
    if tail:
        yield "equal", end, len(before), other_end, len(after)


def _shared(before: Sequence[str], after: Sequence[str]) -> int:
    pairs = zip(before, after, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(before), len(after)))


def _matched(before: Sequence[str], after: Sequence[str]) -> Sequence[Block]:
    if max(len(before), len(after)) > MOST_MATCHED:
        return [("replace", 0, len(before), 0, len(after))]
    return SequenceMatcher(None, before, after).get_opcodes()


def _equal(before: Sequence[str], block: Block, *, is_first: bool, is_last: bool) -> Iterator[Row]:
    _tag, start, end, other, _other_end = block
    head = 0 if is_first else AROUND
    tail = 0 if is_last else AROUND
    skipped = end - start - head - tail
    for at in range(start, end):
        if skipped <= 1 or at < start + head or at >= end - tail:
            text = _cut(before[at])
            yield Row("same", Line(at + 1, text), Line(other + at - start + 1, text))
        elif at == start + head:
            yield Row("skipped", skipped=skipped)


def _different(before: Sequence[str], after: Sequence[str], block: Block) -> Iterator[Row]:
    _tag, start, end, other, other_end = block
    for at in range(min(MOST_MATCHED, max(end - start, other_end - other))):
        i, j = start + at, other + at
        if i < end and j < other_end:
            yield _changed(i + 1, before[i], j + 1, after[j])
        elif i < end:
            yield Row("removed", old=Line(i + 1, "", _cut(before[i])))
        else:
            yield Row("added", new=Line(j + 1, "", _cut(after[j])))


def _changed(number: int, old: str, other_number: int, new: str) -> Row:
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    return Row("changed", _pieces(number, old, head, tail), _pieces(other_number, new, head, tail))


def _pieces(number: int, text: str, head: int, tail: int) -> Line:
    end = len(text) - tail
    return Line(number, _cut_before(text[:head]), _cut(text[head:end]), _cut(text[end:]))


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _cut_before(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"…{text[-MOST_SHOWN:]}"

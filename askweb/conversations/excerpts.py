"""Where in a text the words of a search are, as pieces of which some are to be marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from askweb.conversations.searching import pieces_of
from askweb.conversations.tokens import UNSPACED, fold, runs_of

BEFORE = 30
LENGTH = 130
WINDOW = 20_000
OVERLAP = 500
LETTER = rf"[^\W_{UNSPACED}]"
BETWEEN = r"[\W_]{0,20}"


@dataclass(frozen=True)
class Piece:
    text: str
    is_found: bool


class _Folded(dict[str, str]):
    """Each character as search compares it, so that places in the folded text lead back to the text."""

    def __missing__(self, char: str) -> str:
        self[char] = fold(char)
        return self[char]


FOLDED = _Folded()


def words_of(typed: str) -> re.Pattern[str] | None:
    """Return what finds the words of a query in a folded text; None where it has no words."""
    words = [_word(piece, is_open=is_open) for piece, is_open in pieces_of(typed)]
    found = sorted(filter(None, words), key=len, reverse=True)
    return re.compile("|".join(found)) if found else None


def mark(text: str, words: re.Pattern[str]) -> list[Piece]:
    """Return all of the text."""
    return list(_marked(text, words))


def excerpt(text: str, words: re.Pattern[str]) -> list[Piece]:
    """Return some `LENGTH` characters around the first place of a word, in one line; empty if there is none."""
    for start in range(0, max(len(text), 1), WINDOW):
        place = next(_places(text[start : start + WINDOW + OVERLAP], words), None)
        if place is not None:
            return mark(_cut(text, start + place[0]), words)
    return []


def _word(piece: str, *, is_open: bool) -> str:
    """A pattern; words begin where one begins, and what is not open ends where one ends."""
    runs = runs_of(piece)
    if not runs:
        return ""
    before = "" if runs[0].is_unspaced else f"(?<!{LETTER})"
    after = "" if runs[-1].is_unspaced or is_open else f"(?!{LETTER})"
    return before + BETWEEN.join(re.escape(run.text) for run in runs) + after


def _places(text: str, words: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    folded = [FOLDED[char] for char in text]
    places = [place for place, char in enumerate(folded) for _each in char]
    for found in words.finditer("".join(folded)):
        yield places[found.start()], places[found.end() - 1] + 1


def _marked(text: str, words: re.Pattern[str]) -> Iterator[Piece]:
    end = 0
    for start, stop in _places(text, words):
        if start > end:
            yield Piece(text[end:start], is_found=False)
        yield Piece(text[start:stop], is_found=True)
        end = stop
    if end < len(text):
        yield Piece(text[end:], is_found=False)


def _cut(text: str, place: int) -> str:
    """From a little before the place, not in the middle of a word if that can be."""
    start = max(place - BEFORE, 0)
    if start and (space := text.find(" ", start, place)) >= 0:
        start = space + 1
    stop = start + LENGTH
    words = " ".join(text[start:stop].split())
    return f"{'…' if start else ''}{words}{'…' if stop < len(text) else ''}"

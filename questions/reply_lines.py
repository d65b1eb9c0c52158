"""The lines of a reply to several questions, and which question each of them answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from questions.reply_values import label_index, number
from questions.shapes import Question
from questions.trimming import WHITE_SPACE, folded, trim

NUMBER_KEY = re.compile(r"(\d{1,100})(?:\.(?!\d)|[:：](?=\s|$)|：(?!\d))(.*)", re.DOTALL)
SPACES = " \t\u3000"
COLON = re.compile("[:：]")
FENCE = re.compile(r"(?:.{0,80}?[:：.])?[ \t]*(`{3,}(?=[^`]*$)|~{3,}).*")
BLANKS = f"[{WHITE_SPACE.replace(chr(10), '')}]*+"
MOST_LINES = 1000
LONGEST_OPENING = 1000
LONGEST_KEY = 1000
"""Characters up to the colon, spaces included."""


@dataclass(frozen=True)
class Line:
    """A line, or a code block with the line that opens it. `question` is an index, None if it answers none."""

    place: int
    text: str
    value: str
    question: int | None
    keyed: bool


def lines_of(questions: Sequence[Question], text: str) -> list[Line]:
    """The reply's lines. Line n without a key answers question n; blank lines hold their place.

    What follows `MOST_LINES` is one more line, which answers none.
    """
    keys = _Keys(questions)
    lines: list[Line] = []
    start = 0
    while start <= len(text) and len(lines) < MOST_LINES:
        end = _end_of_line(text, start)
        lines.append(keys.line(len(lines), text[start:end]))
        start = end + 1
    if start <= len(text):
        rest = text[start:]
        lines.append(Line(len(lines), rest, rest, question=None, keyed=False))
    return lines


def _end_of_line(text: str, start: int) -> int:
    """The lines of a fenced code block stay together, to the end if it isn't closed."""
    end = text.find("\n", start)
    if end < 0:
        return len(text)
    opening = FENCE.fullmatch(text, start, end) if end - start <= LONGEST_OPENING else None
    if opening is None:
        return end
    closing = _closing(opening[1]).search(text, end + 1)
    return closing.end() if closing else len(text)


def _closing(fence: str) -> re.Pattern[str]:
    return re.compile(f"^{BLANKS}{fence[0]}{{{len(fence)},}}+{BLANKS}$", re.MULTILINE)


class _Keys:
    """What may stand before a line's value: `2.`, `2: `, an id or a header with a colon."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = questions
        self._named: dict[str, list[int]] = {}
        for name in ("id", "header"):
            for at, question in enumerate(questions):
                self._named.setdefault(folded(getattr(question, name)), []).append(at)
        self._colons = 1 + max(len(COLON.findall(name)) for name in self._named)

    def line(self, place: int, text: str) -> Line:
        own = place if place < len(self._questions) else None
        if own is not None and label_index(self._questions[own], text) is not None:
            return Line(place, text, text, own, keyed=False)
        found = self._numbered(trim(text)) or self._by_name(text, own)
        if found is None:
            return Line(place, text, text, own, keyed=False)
        return Line(place, text, value=found[1], question=found[0], keyed=True)

    def _numbered(self, text: str) -> tuple[int, str] | None:
        match = NUMBER_KEY.fullmatch(text)
        position = number(match[1]) if match else None
        if match is None or not position or position > len(self._questions):
            return None
        return position - 1, match[2].lstrip(SPACES)

    def _by_name(self, text: str, own: int | None) -> tuple[int, str] | None:
        """The longest name before a colon. Where two questions share it, the one in this place is meant."""
        found = None
        start = len(text) - len(text.lstrip(WHITE_SPACE))
        colons = COLON.finditer(text, start, start + LONGEST_KEY)
        for _, colon in zip(range(self._colons), colons, strict=False):
            name = folded(text[start : colon.start()])
            named = self._named.get(name, []) if number(name) is None else []
            if named:
                found = (own if own in named else named[0]), text[colon.end() :].lstrip(SPACES)
        return found

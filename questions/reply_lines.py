"""The lines of a reply to several questions, and which question each of them answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from questions.reply_values import label_index, number
from questions.shapes import Question
from questions.trimming import folded, trim

NUMBER_KEY = re.compile(r"(\d+)(?:\.(?!\d)|[:：](?=\s|$)|：(?!\d))(.*)", re.DOTALL)
SPACES = " \t\u3000"
COLON = re.compile("[:：]")
FENCE = re.compile(r"(?:.{0,80}?[:：.])?[ \t]*(`{3,}(?=[^`]*$)|~{3,}).*")


@dataclass(frozen=True)
class Line:
    """A line, or a code block with the line that opens it. `question` is an index, None if it answers none."""

    place: int
    text: str
    value: str
    question: int | None
    keyed: bool


def lines_of(questions: Sequence[Question], text: str) -> list[Line]:
    """The reply's lines. Line n without a key answers question n; blank lines hold their place."""
    keys = _Keys(questions)
    return [keys.line(place, text) for place, text in enumerate(_blocks(text))]


def _blocks(text: str) -> Iterator[str]:
    """The lines; those of a fenced code block stay together, to the end if it isn't closed."""
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        block.append(line)
        if fence:
            fence = "" if _closes(fence, line) else fence
        elif opening := FENCE.fullmatch(line):
            fence = opening[1]
        if not fence:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _closes(fence: str, line: str) -> bool:
    bare = trim(line)
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


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
        for _, colon in zip(range(self._colons), COLON.finditer(text), strict=False):
            name = folded(text[: colon.start()])
            named = self._named.get(name, []) if number(name) is None else []
            if named:
                found = (own if own in named else named[0]), text[colon.end() :].lstrip(SPACES)
        return found

"""What a person is told when a template cannot be used."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

SNIPPET_WIDTH = 80
MOST_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: `unit` is the partial's name, "" the template; line and column from 1."""

    unit: str
    offset: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong, or doubtful. `code` is stable; `message` and `hint` are plain English."""

    code: str
    message: str
    line: int
    column: int
    snippet: str
    hint: str
    unit: str = ""


class TemplateError(Exception):
    """A template was refused, or its rendering stopped. Mirrors the first of `errors`, never empty."""

    def __init__(self, errors: Sequence[Fault]) -> None:
        first = errors[0]
        super().__init__(f"{first.message} (line {first.line}, column {first.column})")
        self.errors = tuple(errors)
        self.code = first.code
        self.message = first.message
        self.line = first.line
        self.column = first.column
        self.snippet = first.snippet
        self.hint = first.hint
        self.unit = first.unit


class ProblemError(Exception):
    """A fault on its way to the code that knows its source; never leaves this package."""

    def __init__(self, code: str, message: str, hint: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.offset = offset


class Source:
    """One template text, able to say in which line and column an offset lies."""

    def __init__(self, text: str, unit: str = "") -> None:
        self.text = text
        self.unit = unit
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def place(self, offset: int) -> Place:
        line = bisect_right(self._starts, offset)
        return Place(self.unit, offset, line, offset - self._starts[line - 1] + 1)

    def fault(self, code: str, message: str, offset: int, hint: str = "") -> Fault:
        place = self.place(offset)
        return Fault(code, message, place.line, place.column, self._snippet(place), hint, self.unit)

    def fault_of(self, problem: ProblemError) -> Fault:
        return self.fault(problem.code, problem.message, problem.offset, problem.hint)

    def _snippet(self, place: Place) -> str:
        start = self._starts[place.line - 1]
        start = max(start, place.offset - SNIPPET_WIDTH // 2)
        end = self.text.find("\n", start, start + SNIPPET_WIDTH)
        return self.text[start : end if end >= 0 else start + SNIPPET_WIDTH].rstrip("\r")

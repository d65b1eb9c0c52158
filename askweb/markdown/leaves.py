"""Blocks that hold text. Each says whether it takes the next line; what it refuses belongs to the next block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from askweb.markdown.cells import Alignment, cells_of
from askweb.markdown.lines import (
    CODE_INDENT,
    FenceLine,
    dedent,
    ends_laziness,
    indent_of,
    interrupts,
    is_blank,
    underline_of,
)
from askweb.markdown.links import definition_of
from askweb.markdown.spans import CLOSERS, opened_by


class Block(Protocol):
    @property
    def done(self) -> bool:
        """Whether no further line can belong to it."""

    @property
    def unclosed(self) -> str:
        """The opener of what has not been closed yet and is literal if nothing closes it."""

    @property
    def raw(self) -> list[str]:
        """The lines to read again where `unclosed` turns out to be literal."""

    def takes(self, line: str) -> bool: ...

    def close(self) -> None: ...


@dataclass
class Leaf:
    raw: list[str] = field(default_factory=list)
    done: bool = False

    @property
    def unclosed(self) -> str:
        return ""

    def takes(self, line: str) -> bool:
        return False

    def close(self) -> None:
        return None


@dataclass(kw_only=True)
class Heading(Leaf):
    level: int
    text: str
    done: bool = True


@dataclass
class Rule(Leaf):
    done: bool = True


@dataclass(kw_only=True)
class Fence(Leaf):
    opening: FenceLine

    def takes(self, line: str) -> bool:
        if self.done:
            return False
        self.done = self._is_closed_by(line)
        if not self.done:
            self.raw.append(dedent(line, self.opening.indent, keep_tabs=True))
        return True

    def _is_closed_by(self, line: str) -> bool:
        sign, text = self.opening.sign, line.strip(" \t")
        return text.startswith(sign) and not text.strip(sign[0]) and indent_of(line) < CODE_INDENT


@dataclass
class Indented(Leaf):
    def takes(self, line: str) -> bool:
        if not is_blank(line) and indent_of(line) < CODE_INDENT:
            return False
        self.raw.append(dedent(line, CODE_INDENT, keep_tabs=True))
        return True

    def close(self) -> None:
        while self.raw and is_blank(self.raw[-1]):
            self.raw.pop()


@dataclass(kw_only=True)
class Table(Leaf):
    head: list[str]
    alignments: list[Alignment]
    rows: list[list[str]] = field(default_factory=list)

    def takes(self, line: str) -> bool:
        if is_blank(line) or ends_laziness(line) or ("|" not in line and len(self.head) > 1):
            return False
        self.rows.append(cells_of(line, len(self.head)))
        return True


@dataclass(kw_only=True)
class Paragraph(Leaf):
    """Lines of text; a heading once it is underlined. While a span is open it takes every line.

    `lazy_in`: the depth of the flow whose line it took last, where that lacked the marks of containers between.
    """

    may_open: frozenset[str]
    level: int = 0
    opener: str = ""
    only_definitions: bool = True
    lazy_in: int | None = None

    @property
    def lines(self) -> list[str]:
        return [line.strip(" \t") for line in self.raw]

    @property
    def unclosed(self) -> str:
        return self.opener

    def takes(self, line: str) -> bool:
        if self.opener:
            self.add(line)
            return True
        if is_blank(line) or self._is_underlined_by(line):
            return self.done
        if interrupts(line):
            return False
        self.add(line)
        return True

    def add(self, line: str) -> None:
        self.raw.append(line)
        self.lazy_in = None
        text = line.strip(" \t")
        if self.opener:
            self.opener = "" if CLOSERS[self.opener] in text else self.opener
        else:
            self.opener = opened_by(text, self.may_open)
        self.only_definitions = self.only_definitions and definition_of(text) is not None

    def _is_underlined_by(self, line: str) -> bool:
        self.level = 0 if self.only_definitions else underline_of(line)
        self.done = bool(self.level)
        return self.done

"""What a single line can be: the words in which blocks are told apart. Columns count a tab as four."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askweb.markdown.limits import LABEL

TAB = 4
CODE_INDENT = 4
SIGNS = frozenset("`~#*-_+>0123456789<[")

HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
FENCE = re.compile(r"( {0,3})(?:(`{3,})([^`]*)|(~{3,})(.*))$")
UNDERLINE = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*$")
QUOTE = re.compile(r" {0,3}>")
MARKER = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])(?=[ \t]|$)")
NOTE = re.compile(rf" {{0,3}}\[\^([^\]\s]{{1,{LABEL}}})\]:[ \t]*(.*)$")
DETAILS = re.compile(r" {0,3}<details(?:[ \t]+open(?:=\"\")?)?[ \t]*>(.*)$", re.IGNORECASE)


def is_blank(line: str) -> bool:
    return not line.strip(" \t")


def indent_of(line: str, column: int = 0) -> int:
    """The width of the white space a line begins with, when it begins at `column`."""
    start = column
    for sign in line:
        if sign == " ":
            column += 1
        elif sign == "\t":
            column += TAB - column % TAB
        else:
            break
    return column - start


def dedent(line: str, width: int, column: int = 0, *, keep_tabs: bool = False) -> str:
    """Take up to `width` columns of white space off. Tabs that remain become spaces unless they are code."""
    taken = position = 0
    while taken < width and position < len(line) and line[position] in " \t":
        taken += indent_of(line[position], column + taken)
        position += 1
    rest = " " * (taken - width) + line[position:]
    if keep_tabs or "\t" not in rest[: len(rest) - len(rest.lstrip(" \t"))]:
        return rest
    return " " * (indent_of(line, column) - width) + rest.lstrip(" \t")


@dataclass(frozen=True)
class HeadingLine:
    level: int
    text: str


def heading_of(line: str) -> HeadingLine | None:
    if not (found := HEADING.match(line)):
        return None
    text = (found[2] or "").strip(" \t")
    return HeadingLine(len(found[1]), CLOSING_HASHES.sub("", text).rstrip(" \t"))


@dataclass(frozen=True)
class FenceLine:
    indent: int
    sign: str
    info: str


def fence_of(line: str) -> FenceLine | None:
    if not (found := FENCE.match(line)):
        return None
    return FenceLine(len(found[1]), found[2] or found[4], (found[3] or found[5] or "").strip())


@dataclass(frozen=True)
class Marker:
    """A list item's sign. `kind` is what the items of one list share; content begins at column `offset`."""

    kind: str
    number: int | None
    indent: int
    offset: int
    content: str


def marker_of(line: str) -> Marker | None:
    if not (found := MARKER.match(line)):
        return None
    sign, column, rest = found[2], found.end(), line[found.end() :]
    width = indent_of(rest, column)
    if is_blank(rest) or width > CODE_INDENT:
        width = 1
    number = int(sign[:-1]) if len(sign) > 1 else None
    return Marker(sign[-1], number, len(found[1]), column + width, dedent(rest, width, column))


def underline_of(line: str) -> int:
    """The level of the heading that this line makes of a paragraph, or 0."""
    found = UNDERLINE.match(line)
    return 0 if not found else 1 if found[1] else 2


def begins_with_sign(line: str) -> bool:
    """Whether a line may be more than text, at a glance."""
    return line.lstrip(" \t")[:1] in SIGNS


def interrupts(line: str) -> bool:
    """Whether a line right after a paragraph's text begins a block of its own."""
    if not begins_with_sign(line):
        return False
    if heading_of(line) or fence_of(line) or QUOTE.match(line) or NOTE.match(line) or DETAILS.match(line):
        return True
    return bool(RULE.match(line)) or _list_interrupts(marker_of(line))


def _list_interrupts(marker: Marker | None) -> bool:
    # "The bridge was finished in\n2019. It opened a year later." is not a list
    return marker is not None and marker.number in (None, 1) and not is_blank(marker.content)


def ends_laziness(line: str) -> bool:
    """Whether an unindented line ends a list or quote although that ends in a paragraph."""
    return line.lstrip(" \t").startswith(("$$", "\\[")) or interrupts(line) or marker_of(line) is not None

"""Addresses: which may become links, and how they are written."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from askweb.markdown.limits import DESTINATION, LABEL, PARENTHESES

SAFE = re.compile(r"https?://[^\s/?#]|mailto:[^\s]", re.IGNORECASE)
BARE = re.compile(r"(?:https?://|www\.)[A-Za-z0-9][!#-;=?-Z\[\]^_a-z{}~]*", re.IGNORECASE)
BARE_IN_BRACKETS = re.compile(r"(?:https?://|www\.)[A-Za-z0-9][!#-;=?-Z^_a-z{}~]*", re.IGNORECASE)
DEFINITION = re.compile(
    rf"\[([^\[\]]{{1,{LABEL}}})\]:[ \t]*(<[^<>]*>|[^\s<]\S*)"
    r"""(?:[ \t]+(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|\(((?:\\.|[^()\\])*)\)))?[ \t]*$"""
)
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TITLES = {
    '"': re.compile(r'((?:\\.|[^"\\])*)"', re.DOTALL),
    "'": re.compile(r"((?:\\.|[^'\\])*)'", re.DOTALL),
    "(": re.compile(r"((?:\\.|[^)\\])*)\)", re.DOTALL),
}
"""What follows a title's first sign: by that sign, the title and its end."""


@dataclass(frozen=True)
class Target:
    """Where a link leads, as written. `end` is the position after it in the text it was read from."""

    address: str
    title: str = ""
    end: int = 0


def safe_address(address: str) -> str | None:
    """The address if it may become a link: http, https or mailto, with a host. Relative ones may not."""
    address = CONTROL.sub("", address.strip()).replace(" ", "%20")
    return address if SAFE.match(address) else None


def bare_address(text: str, start: int, *, in_brackets: bool) -> str:
    """The ASCII address that begins at `start`, without the punctuation of the sentence around it."""
    found = (BARE_IN_BRACKETS if in_brackets else BARE).match(text, start)
    return _trimmed(found[0]) if found else ""


def label_of(text: str) -> str:
    """What two spellings of a reference's label have in common."""
    return " ".join(text.casefold().split())


def definition_of(line: str) -> tuple[str, Target] | None:
    """The label and target of `[label]: address "title"`."""
    if not line.startswith("[") or line.startswith("[^") or not (found := DEFINITION.match(line)):
        return None
    address = found[2][1:-1] if found[2].startswith("<") else found[2]
    label = label_of(found[1])
    title = found[3] or found[4] or found[5] or ""
    return (label, Target(plain(address), plain(title))) if label else None


def target_at(text: str, start: int) -> Target | None:
    """The `(address "title")` whose parenthesis is at `start`."""
    position = _after_space(text, start + 1)
    find_end = _angled_end if text.startswith("<", position) else _address_end
    end = find_end(text, position)
    if end is None:
        return None
    address = text[position:end]
    if address.startswith("<"):
        address = address[1:-1]
    title, after = _title_at(text, _after_space(text, end), spaced=text[end : end + 1].isspace())
    after = _after_space(text, after)
    return Target(plain(address), plain(title), after + 1) if text[after : after + 1] == ")" else None


def plain(text: str) -> str:
    """Text with its escapes and entities read."""
    return without_entities(ESCAPED.sub(r"\1", text))


def without_entities(text: str) -> str:
    return ENTITY.sub(lambda found: entity(found[0]), text)


def entity(written: str) -> str:
    return CONTROL.sub("", html.unescape(written))


def _trimmed(address: str) -> str:
    surplus = {end: address.count(end) - address.count(start) for start, end in ("()", "[]")}
    length = len(address)
    while length:
        last = address[length - 1]
        if last in surplus and surplus[last] > 0:
            surplus[last] -= 1
        elif last not in "?!.,:;*_~'":
            break
        length -= 1
    return address[:length]


def _after_space(text: str, position: int) -> int:
    limit = min(len(text), position + DESTINATION)
    while position < limit and text[position] in " \t\n":
        position += 1
    return position


def _angled_end(text: str, start: int) -> int | None:
    end = text.find(">", start, start + DESTINATION)
    return end + 1 if end > 0 and "\n" not in text[start:end] and "<" not in text[start + 1 : end] else None


def _address_end(text: str, start: int) -> int | None:
    depth, position = 0, start
    limit = min(len(text), start + DESTINATION)
    while position < limit and text[position] > " ":
        sign = text[position]
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
        if depth > PARENTHESES:
            return None
        position += 2 if sign == "\\" and text[position + 1 : position + 2] > " " else 1
    return position if depth <= 0 else None


def _title_at(text: str, start: int, *, spaced: bool) -> tuple[str, int]:
    title = TITLES.get(text[start : start + 1])
    found = title.match(text, start + 1, start + DESTINATION) if title and spaced else None
    return (found[1], found.end()) if found else ("", start)

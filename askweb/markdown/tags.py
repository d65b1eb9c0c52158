"""The HTML that is live in running text: harmless tags without attributes, addresses in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askweb.markdown.links import without_entities

LIVE = frozenset(("sub", "sup", "kbd", "mark", "u", "b", "i", "em", "strong", "s", "del", "ins", "small"))

TAG = re.compile(r"<(/?)([A-Za-z]{1,6})[ \t]*>")
BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
CODE = re.compile(r"<code>", re.IGNORECASE)
COMMENT = re.compile(r"<!--")
COMMENT_END = re.compile(r"-->")
CODE_END = re.compile(r"</code>", re.IGNORECASE)
ADDRESS = re.compile(r"<((?:https?://|mailto:)[^\s<>]+)>", re.IGNORECASE)
EMAIL = re.compile(r"<([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)>")


@dataclass(frozen=True)
class Tag:
    name: str
    closes: bool
    end: int


def tag_at(text: str, start: int) -> Tag | None:
    """The live tag that begins at `start`; every other is text."""
    found = TAG.match(text, start)
    if not found or found[2].lower() not in LIVE:
        return None
    return Tag(found[2].lower(), bool(found[1]), found.end())


def address_at(text: str, start: int) -> tuple[str, str, int] | None:
    """Address, text and end of `<https://…>` or `<name@host>`."""
    if found := ADDRESS.match(text, start):
        address = without_entities(found[1])
        return address, address.removeprefix("mailto:"), found.end()
    if found := EMAIL.match(text, start):
        return f"mailto:{found[1]}", found[1], found.end()
    return None

"""Citations: `[n]` in a reply leads to the part of the page that was sent under that number."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from uuid import UUID

from askweb.conversations.models import ContextItem, Message
from askweb.conversations.packing import JSONValue
from askweb.conversations.shapes import Citation

PIECE = re.compile(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>|[^<]+|<""")
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)")
NUMBERS = re.compile(r"\[([1-9]\d{0,5}(?:\s?[,，、]\s?[1-9]\d{0,5})*)\]")
NUMBER = re.compile(r"\d+")
MATH = re.compile(r'class="[^"]*\bmath\b')
VERBATIM = frozenset(("a", "code", "pre"))
EMPTY = frozenset(("br", "hr", "input"))

Parts = Mapping[int, Citation]


def parts_for(conversation_id: UUID, message_id: UUID) -> Parts:
    """The numbered parts that an answer to a message can cite: its own, else the nearest before it."""
    found = ContextItem.objects.filter(message__conversation=conversation_id, kind="pageSearch")
    holders = dict(found.order_by("position").values_list("message", "pk"))
    if not holders:
        return {}
    parents = dict(Message.objects.filter(conversation=conversation_id).values_list("pk", "parent_id"))
    step: UUID | None = message_id
    while step is not None and step not in holders:
        step = parents.get(step)
    return _numbered(ContextItem.objects.get(pk=holders[step]).value()) if step is not None else {}


def cite(html: str, parts: Parts) -> tuple[str, list[Citation]]:
    """Return sanitised HTML with its citations as links, and those citations in the order of their numbers.

    Numbers of no part stay as they are, and so does what stands in code, formulas and links.
    """
    if not parts or "[" not in html:
        return html, []
    cited: set[int] = set()
    linked = "".join(_pieces(html, parts, cited))
    return linked, [parts[number] for number in sorted(cited)]


def _pieces(html: str, parts: Parts, cited: set[int]) -> Iterator[str]:
    closed_by: list[str] = []  # the tags that are open inside of what stays as it is, that one first
    for piece in PIECE.findall(html):
        tag = TAG.match(piece)
        if tag is None:
            yield piece if closed_by else NUMBERS.sub(lambda found: _linked(found, parts, cited), piece)
            continue
        yield piece
        closing, name = tag.groups()
        if closing and closed_by and closed_by[-1] == name:
            closed_by.pop()
        elif not closing and name not in EMPTY and (closed_by or name in VERBATIM or MATH.search(piece)):
            closed_by.append(name)


def _linked(found: re.Match[str], parts: Parts, cited: set[int]) -> str:
    """One number is a link with its brackets; of several each is one."""
    numbers = found[1]
    if numbers.isdecimal():
        return _link(int(numbers), found[0], parts, cited)
    return f"[{NUMBER.sub(lambda each: _link(int(each[0]), each[0], parts, cited), numbers)}]"


def _link(number: int, text: str, parts: Parts, cited: set[int]) -> str:
    part = parts.get(number)
    if part is None:
        return text
    cited.add(number)
    return (
        f'<a class="citation" href="#citation-{number}" data-n="{number}" '
        f'data-xpath="{escape(part["xpath"])}" data-digest="{escape(part["digest"])}">{text}</a>'
    )


def _numbered(value: JSONValue) -> dict[int, Citation]:
    parts = value.get("list") if isinstance(value, dict) else None
    return {
        number: {"n": number, "xpath": _text(part.get("xpath")), "digest": _text(part.get("digest"))}
        for number, part in enumerate(parts if isinstance(parts, list) else [], start=1)
        if isinstance(part, dict)
    }


def _text(value: JSONValue) -> str:
    return value if isinstance(value, str) else ""

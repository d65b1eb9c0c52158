"""Context chips: what a message brought along, in a few words each. See the table in docs/prompts.md."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from askweb.conversations.models import ContextItem
from askweb.conversations.packing import JSONValue

SHOWN = 4000
"""Characters of an item's JSON that a chip opens to; all of it is one link away."""
WORDS = 60

KINDS = {
    "page": _lazy("Page"),
    "quote": _lazy("Quote"),
    "stackoverflow": "Stack Overflow",
    "github": "GitHub",
    "pageSearch": _lazy("Page search"),
    "clipboard": _lazy("Clipboard"),
}

Fields = Mapping[str, JSONValue]


@dataclass(frozen=True)
class Chip:
    """`label` and `detail` may be empty: an item need not hold what its kind usually does."""

    kind: str
    label: str
    detail: str
    json: str
    is_cut: bool


def chip_of(item: ContextItem) -> Chip:
    value = item.value()
    label, detail = _words(item.kind, value if isinstance(value, dict) else {})
    text = raw_json(value)
    kind = str(KINDS.get(item.kind, item.kind))
    return Chip(kind, label, detail, text[:SHOWN], len(text) > SHOWN)


def raw_json(value: JSONValue) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _words(kind: str, fields: Fields) -> tuple[str, str]:
    return WORDING[kind](fields) if kind in WORDING else ("", "")


def _page(fields: Fields) -> tuple[str, str]:
    return _first(fields, "title", "pageTitle"), _host(_first(fields, "url", "pageUrl"))


def _quote(fields: Fields) -> tuple[str, str]:
    if language := _first(fields, "codeLanguage"):
        return language, _("Code")
    if words := _first(fields, "selection", "text"):
        return words, ""
    if link := _first(fields, "linkText", "linkUrl"):
        return link, _host(_first(fields, "linkUrl"))
    return _first(fields, "code", "title", "pageTitle", "name"), ""


def _stackoverflow(fields: Fields) -> tuple[str, str]:
    answers = _length(fields.get("answers"))
    count = ngettext("{count} answer", "{count} answers", answers).format(count=answers)
    return _first(fields, "title"), count


def _github(fields: Fields) -> tuple[str, str]:
    return _first(fields, "repository", "title"), _first(fields, "path")


def _page_search(fields: Fields) -> tuple[str, str]:
    parts = _length(fields.get("list"))
    return ngettext("{count} part of the page", "{count} parts of the page", parts).format(count=parts), ""


def _clipboard(fields: Fields) -> tuple[str, str]:
    return _first(fields, "text"), ""


WORDING: Mapping[str, Callable[[Fields], tuple[str, str]]] = {
    "page": _page,
    "quote": _quote,
    "stackoverflow": _stackoverflow,
    "github": _github,
    "pageSearch": _page_search,
    "clipboard": _clipboard,
}


def _first(fields: Fields, *names: str) -> str:
    """The first of these fields that has words, in one line and cut."""
    for name in names:
        value = fields.get(name)
        words = " ".join(value[: WORDS * 10].split()) if isinstance(value, str) else ""
        if words:
            return words if len(words) <= WORDS else f"{words[:WORDS].rstrip()}…"
    return ""


def _length(value: JSONValue) -> int:
    return len(value) if isinstance(value, list) else 0


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # any text may stand where a URL is expected
        return ""

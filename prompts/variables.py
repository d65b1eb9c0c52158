"""The variables of a template: one documented namespace, made from the raw context of a post."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from askweb.conversations.envelope import Item

PAGE_FIELDS = ("title", "url", "lang", "digest", "quote", "selection", "content")
QUOTE_TEXT = ("selection", "code", "text")

ROOTS_OF_KIND: Mapping[str, frozenset[str]] = {
    "page": frozenset({"page", "pageTitle", "pageUrl", "pageContent"}),
    "quote": frozenset({"quotes"}),
}


@dataclass(frozen=True)
class Asking:
    """What the person asked: their words, the language of the answer by its name, and who and when."""

    text: str
    language: str
    language_chosen: bool
    user_name: str
    interface_language: str
    now: datetime
    answers: Mapping[str, Any] = field(default_factory=dict)


def variables(asking: Asking, items: Iterable[Item]) -> dict[str, Any]:
    """Return the data that a template sees. Every documented name is present; what is unknown is empty."""
    items = list(items)
    page = _page(items)
    data: dict[str, Any] = {item.kind: item.value for item in items}
    data |= {
        "chat": {"input": asking.text, "language": asking.language},
        "settings": {"language_chosen": asking.language_chosen},
        "page": page,
        "quotes": [_quote(item.value) for item in items if item.kind == "quote"],
        "stackoverflow": _newest(items, "stackoverflow"),
        "github": _newest(items, "github"),
        "pageSearch": _page_search(items),
        "clipboard": _newest(items, "clipboard"),
        "browser": {"language": asking.interface_language},
        "user": {"name": asking.user_name},
        "answers": dict(asking.answers),
        "now": asking.now.isoformat(timespec="seconds"),
        "today": asking.now.date().isoformat(),
        "currentDateTime": asking.now.isoformat(timespec="seconds"),
        "USER_LANGUAGE": asking.language,
        "DISPLAY_LANG": asking.language,
        "INPUT": asking.text,
        "input": asking.text,
        "pageTitle": page["title"],
        "pageUrl": page["url"],
        "pageContent": page["content"],
    }
    return data


def is_used(item: Item, paths: Iterable[str], items: Iterable[Item]) -> bool:
    """Whether a template that reads these paths uses the item."""
    roots = {path.split(".", 1)[0] for path in paths}
    if roots & ROOTS_OF_KIND.get(item.kind, frozenset({item.kind})):
        return True
    return "page.selection" in set(paths) and item is _selection_source(list(items))


def uses_input(paths: Iterable[str]) -> bool:
    return bool({"chat", "chat.input", "INPUT", "input"} & set(paths))


def _page(items: list[Item]) -> dict[str, Any]:
    posted = _newest(items, "page")
    page = {name: posted.get(name) or "" for name in PAGE_FIELDS} | {k: v for k, v in posted.items() if v}
    source = _selection_source(items)
    if not page["selection"] and source is not None:
        page["selection"] = _quote(source.value)["text"]
    page |= {"pageTitle": page["title"], "pageUrl": page["url"], "pageContent": page["content"]}
    return page


def _selection_source(items: list[Item]) -> Item | None:
    """The newest quote that holds any text, where the page itself carries no selection."""
    if _newest(items, "page").get("selection"):
        return None
    quotes = (item for item in reversed(items) if item.kind == "quote")
    return next((item for item in quotes if _quote(item.value)["text"]), None)


def _quote(value: Mapping[str, Any]) -> dict[str, Any]:
    text = next((value[name] for name in QUOTE_TEXT if value.get(name)), "")
    return {**value, "text": text}


def _page_search(items: list[Item]) -> dict[str, Any]:
    posted = _newest(items, "pageSearch")
    parts = posted.get("list")
    numbered = (
        [{**part, "index": number} for number, part in enumerate(parts, start=1) if isinstance(part, dict)]
        if isinstance(parts, list)
        else []
    )
    return {**posted, "list": numbered}


def _newest(items: list[Item], kind: str) -> dict[str, Any]:
    return next((item.value for item in reversed(items) if item.kind == kind), {})

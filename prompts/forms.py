"""The default form of each kind of context item: how it stands in a prompt whose template doesn't use it."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from askweb.conversations.envelope import Item
from prompts.fencing import code_fence, fence

Value = Mapping[str, Any]


def default_form(item: Item) -> str:
    """Return the item as text, or an empty text when nothing in it says anything."""
    form = FORMS.get(item.kind)
    return "\n".join(form(item.value)) if form else _fields(item.kind, item.value)


def _page(value: Value) -> Iterator[str]:
    lines = [fence(_text(value[name]), name) for name in PAGE_PARTS if _text(value.get(name))]
    if lines:
        yield fence("\n{}\n".format("\n".join(lines)), "page")


def _quote(value: Value) -> Iterator[str]:
    for name, tag in QUOTE_PARTS:
        if text := _text(value.get(name)):
            yield fence(text, tag)
    if code := _text(value.get("code")):
        yield code_fence(code, _text(value.get("codeLanguage")))
    if link := " ".join(filter(None, (_text(value.get("linkText")), _text(value.get("linkUrl"))))):
        yield fence(link, "link")


def _stackoverflow(value: Value) -> Iterator[str]:
    for name in ("title", "url", "question"):
        if text := _text(value.get(name)):
            yield fence(text, name)
    answers = value.get("answers")
    for answer in answers if isinstance(answers, list) else []:
        if isinstance(answer, Mapping) and (body := _text(answer.get("body"))):
            accepted = ", accepted" if answer.get("accepted") is True else ""
            yield f"Answer, score {_text(answer.get('score')) or 0}{accepted}:"
            yield fence(body, "answer")


def _github(value: Value) -> Iterator[str]:
    for name in ("title", "repository", "path", "url", "readme"):
        if text := _text(value.get(name)):
            yield fence(text, name)
    if code := _text(value.get("code")):
        yield code_fence(code, "")


def _page_search(value: Value) -> Iterator[str]:
    parts = value.get("list")
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        if isinstance(part, Mapping) and (digest := _text(part.get("digest"))):
            yield f"[{number}] {fence(digest, 'part')}"


def _clipboard(value: Value) -> Iterator[str]:
    if text := _text(value.get("text")):
        yield fence(text, "clipboard")


def _fields(kind: str, value: Value) -> str:
    """Any other kind: its fields as an indented list."""
    lines = [line for key, field in value.items() if key != "id" for line in _field(str(key), field, "")]
    return fence("\n".join(lines), "context", f'kind="{_attribute(kind)}"') if lines else ""


def _field(key: str, field: Any, indent: str) -> Iterator[str]:
    if isinstance(field, Mapping) and field:
        yield f"{indent}{key}:"
        for name, inner in field.items():
            yield from _field(str(name), inner, f"{indent}  ")
    elif isinstance(field, list) and field:
        yield f"{indent}{key}:"
        for inner in field:
            yield from _field("-", inner, f"{indent}  ")
    elif text := _text(field):
        yield f"{indent}{key}: {text}" if key != "-" else f"{indent}- {text}"


def _text(value: Any) -> str:
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value).strip("\n")


def _attribute(text: str) -> str:
    return "".join(character if character.isalnum() or character in "-_." else "-" for character in text)


PAGE_PARTS = ("title", "url", "quote", "selection", "digest", "content")
QUOTE_PARTS = (
    ("selection", "selection"),
    ("text", "selection"),
    ("title", "title"),
    ("pageTitle", "title"),
    ("pageUrl", "url"),
    ("pageContent", "content"),
)
FORMS: Mapping[str, Callable[[Value], Iterator[str]]] = {
    "page": _page,
    "quote": _quote,
    "stackoverflow": _stackoverflow,
    "github": _github,
    "pageSearch": _page_search,
    "clipboard": _clipboard,
}

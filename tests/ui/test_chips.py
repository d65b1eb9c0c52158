"""The words of a context chip, for each kind of item. Fields may hold anything."""

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.conversations.chips import SHOWN, chip_of
from askweb.conversations.models import ContextItem, Message

LONG = "word " * 50

WORDS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"id": "page", "title": "Docs", "url": "https://a.org/b"}, "Page", "Docs", "a.org"),
    ({"id": "page", "url": "not a url"}, "Page", "", ""),
    ({"id": "page", "title": 5, "url": ["x"]}, "Page", "", ""),
    ({"id": "page", "url": "http://[broken"}, "Page", "", ""),
    ({"id": "quote", "selection": " a\n  b "}, "Quote", "a b", ""),
    ({"id": "quote", "text": LONG}, "Quote", f"{LONG[:60].rstrip()}…", ""),
    ({"id": "quote", "code": "x = 1", "codeLanguage": "python"}, "Quote", "python", "Code"),
    ({"id": "quote", "linkText": "here", "linkUrl": "https://b.org/"}, "Quote", "here", "b.org"),
    ({"id": "stackoverflow", "title": "How?", "answers": [{}]}, "Stack Overflow", "How?", "1 answer"),
    ({"id": "stackoverflow", "answers": "none"}, "Stack Overflow", "", "0 answers"),
    ({"id": "github", "repository": "a/b", "path": "c.py"}, "GitHub", "a/b", "c.py"),
    ({"id": "pageSearch", "list": [{}, {}]}, "Page search", "2 parts of the page", ""),
    ({"id": "clipboard", "text": "copied"}, "Clipboard", "copied", ""),
    ({"id": "novel", "title": "x"}, "novel", "", ""),
]


@pytest.mark.parametrize(("item", "kind", "label", "detail"), WORDS)
def test_a_chip_says_what_the_item_is(item: dict[str, Any], kind: str, label: str, detail: str) -> None:
    chip = chip_of(ContextItem(kind=item["id"], body=json.dumps(item)))
    assert (chip.kind, chip.label, chip.detail) == (kind, label, detail)


def test_a_chip_opens_to_the_raw_item() -> None:
    item = {"id": "novel", "z": 1, "a": ["中文", None]}
    chip = chip_of(ContextItem(kind="novel", body=json.dumps(item)))
    assert list(json.loads(chip.json).items()) == list(item.items())


@pytest.mark.django_db
@pytest.mark.usefixtures("provider")
def test_a_long_item_is_cut_and_all_of_it_is_one_link_away(browser_of: Client, api: APIClient) -> None:
    content = "<p>" + "x" * SHOWN
    body = {"messages": [{"role": "user", "content": "Hi"}], "context": [{"id": "page", "content": content}]}
    place = f"/conversations/{api.post('/api/conversations/', body).json()['conversation']['id']}/"
    link = f"/messages/{Message.objects.get(role='user').pk}/context/"
    assert link in browser_of.get(place).content.decode()
    assert "&lt;p&gt;" + "x" * SHOWN in browser_of.get(link).content.decode()

"""What `@` offers: the fields that came along last."""

from typing import Any

import pytest

from askweb.accounts.models import User
from askweb.conversations.mentions import LONGEST, mentions_of
from askweb.conversations.models import Conversation

pytestmark = pytest.mark.django_db

PAGE = {"id": "page", "title": "Tides", "url": "https://a.example/tides", "content": "The moon"}


def names(conversation: str) -> list[tuple[str, str, str]]:
    found = mentions_of(Conversation.objects.get(pk=conversation))
    return [(each["kind"], each["name"], each["text"]) for each in found]


def test_fields_are_named_by_their_kind(ask: Any) -> None:
    posted = ask("Why?", context=[PAGE, {"id": "quote", "selection": " pulls the sea ", "title": "Tides"}])
    assert names(posted["conversation"]["id"]) == [
        ("Page", "Title", "Tides"),
        ("Page", "Address", "https://a.example/tides"),
        ("Page", "Content", "The moon"),
        ("Quote", "Selection", "pulls the sea"),
    ]


def test_the_newest_context_counts(ask: Any, answer: Any) -> None:
    posted = ask("Why?", context=[PAGE])
    answer(posted)
    for context in ([{"id": "other", "text": "Later"}], []):
        again = ask("And?", to=posted["conversation"]["id"], context=context)
        answer(again)
    assert names(posted["conversation"]["id"]) == [("other", "Text", "Later")]


def test_long_ones_are_cut_and_what_is_no_text_is_left_out(ask: Any) -> None:
    posted = ask("Why?", context=[{"id": "page", "content": "x" * 9000, "title": ["no"], "url": " "}])
    assert [(name, len(text)) for _kind, name, text in names(posted["conversation"]["id"])] == [
        ("Content", LONGEST)
    ]


def test_without_context_there_is_nothing(person: User) -> None:
    assert mentions_of(Conversation.objects.create(user=person)) == []

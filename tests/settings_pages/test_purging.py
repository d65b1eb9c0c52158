"""What is stored of a host: counted first, then deleted with all that only it uses."""

from http import HTTPStatus
from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.conversations.models import Content, Conversation

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("provider")]

LONG = "https://bank.example/" + "x" * 2000


def ask(api: APIClient, *context: dict[str, Any]) -> str:
    envelope = {"context": context, "messages": [{"role": "user", "content": "What is this?"}]}
    conversation: str = api.post("/api/conversations/", envelope).json()["conversation"]["id"]
    return conversation


def stored(api: APIClient, host: str = "bank.example") -> int:
    count: int = api.get(f"/api/stored/{host}/").json()["conversations"]
    return count


@pytest.mark.parametrize(
    "item",
    [
        {"id": "page", "url": "https://bank.example/account"},
        {"id": "page", "url": "https://my.BANK.example:8443/"},
        {"id": "quote", "title": '"url":"', "pageUrl": "https://bank.example/\"'\\"},
        {"id": "stackoverflow", "url": "https://ok.example", "answers": [{"url": "https://bank.example"}]},
        {"id": "page", "url": LONG},
        {"id": "anything", "list": [{"x": 1}, {"pageUrl": LONG}]},
    ],
)
def test_a_conversation_is_found_by_where_its_context_is_from(api: APIClient, item: dict[str, Any]) -> None:
    ask(api, {"id": "clipboard", "text": "x"}, item)
    assert stored(api) == 1


@pytest.mark.parametrize(
    "item",
    [
        {"id": "page", "url": "https://notbank.example/"},
        {"id": "page", "content": '"url":"https://bank.example/"'},
        {"id": "quote", "linkUrl": "https://bank.example/"},
    ],
)
def test_what_only_mentions_the_host_is_left(api: APIClient, item: dict[str, Any]) -> None:
    ask(api, item)
    assert stored(api) == 0


def test_counting_deletes_nothing(api: APIClient) -> None:
    ask(api, {"id": "page", "url": "https://bank.example"})
    assert stored(api) == stored(api) == Conversation.objects.count() == 1


def test_purging_deletes_the_conversations_and_what_only_they_use(api: APIClient) -> None:
    ask(api, {"id": "page", "url": "https://bank.example", "content": "secret " * 500})
    kept = ask(api, {"id": "page", "url": "https://ok.example"})
    assert api.delete("/api/stored/bank.example/").json() == {"host": "bank.example", "conversations": 1}
    assert [str(id_) for id_ in Conversation.objects.values_list("pk", flat=True)] == [kept]
    assert not [each for each in Content.objects.all() if "secret" in each.text()]


def test_the_host_may_be_written_in_any_way(api: APIClient) -> None:
    ask(api, {"id": "page", "url": "https://xn--r8jz45g.jp/"})
    assert stored(api, "例え.jp") == 1


def test_no_host_is_refused(api: APIClient) -> None:
    assert api.delete("/api/stored/no host/").status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_another_persons_conversations_stay(api: APIClient, other_api: APIClient) -> None:
    ask(api, {"id": "page", "url": "https://bank.example"})
    assert other_api.delete("/api/stored/bank.example/").json()["conversations"] == 0
    assert stored(api) == 1

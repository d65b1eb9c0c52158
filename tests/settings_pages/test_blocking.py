"""Blocked hosts: the server refuses what comes from them, and stores nothing of it."""

from http import HTTPStatus
from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Content, Conversation, Message
from askweb.providers.models import Provider

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("provider")]

CONVERSATIONS = "/api/conversations/"


@pytest.fixture(autouse=True)
def blocked(person: User) -> None:
    person.blocked_hosts = ["bank.example"]
    person.save()


def envelope(*context: dict[str, Any]) -> dict[str, Any]:
    return {"context": context, "messages": [{"role": "user", "content": "What is this?"}]}


FROM_THERE = envelope({"id": "page", "url": "https://my.bank.example/", "content": "x" * 2000})


@pytest.mark.parametrize(
    "item",
    [
        {"id": "page", "url": "https://bank.example/account"},
        {"id": "page", "url": "https://www.bank.example:8443/"},
        {"id": "quote", "pageUrl": "HTTPS://BANK.EXAMPLE"},
        {"id": "stackoverflow", "url": "https://ok.example", "answers": [{"url": "https://bank.example/1"}]},
        {"id": "anything", "of": {"frames": [{"pageUrl": "//bank.example"}]}},
    ],
)
def test_context_from_a_blocked_host_is_refused_by_name(api: APIClient, item: dict[str, Any]) -> None:
    response = api.post(CONVERSATIONS, envelope({"id": "clipboard", "text": "x"}, item))
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert response.json()["error"]["code"] == "host.blocked"
    assert response.json()["host"].endswith("bank.example")
    assert "bank.example" in response.json()["error"]["message"]


def test_nothing_of_what_is_refused_is_stored(api: APIClient) -> None:
    api.post(CONVERSATIONS, FROM_THERE)
    assert not Conversation.objects.exists()
    assert not Content.objects.exists()


@pytest.mark.parametrize(
    "item",
    [
        {"id": "page", "url": "https://notbank.example/"},
        {"id": "page", "url": "https://ok.example/?next=https://bank.example"},
        {"id": "page", "content": "see https://bank.example"},
        {"id": "quote", "pageUrl": "https://ok.example", "linkUrl": "https://bank.example"},
    ],
)
def test_other_hosts_and_mere_links_are_taken(api: APIClient, item: dict[str, Any]) -> None:
    assert api.post(CONVERSATIONS, envelope(item)).status_code == HTTPStatus.CREATED


def test_a_further_message_is_refused_likewise(api: APIClient) -> None:
    asked = api.post(CONVERSATIONS, envelope()).json()
    api.post(f"/api/runs/{asked['run']['id']}/stop/")
    path = f"{CONVERSATIONS}{asked['conversation']['id']}/messages/"
    assert api.post(path, FROM_THERE).json()["error"]["code"] == "host.blocked"
    assert len(api.get(path).json()["results"]) == 2


def asked_there(api: APIClient, person: User) -> dict[str, Any]:
    """What posting led to while the host was not blocked yet. Its answer is stopped."""
    person.blocked_hosts = []
    person.save()
    asked: dict[str, Any] = api.post(CONVERSATIONS, FROM_THERE).json()
    api.post(f"/api/runs/{asked['run']['id']}/stop/")
    api.patch("/api/settings/", {"blocked_hosts": ["bank.example"]})
    return asked


@pytest.mark.parametrize("act", ["messages", "regenerate", "continue"])
def test_what_came_before_its_host_was_blocked_is_sent_no_more(
    api: APIClient, person: User, act: str
) -> None:
    asked = asked_there(api, person)
    place = f"{CONVERSATIONS}{asked['conversation']['id']}" if act == "messages" else _reply(asked)
    response = api.post(f"{place}/{act}/", envelope() if act == "messages" else {})
    assert response.json()["error"]["code"] == "host.blocked"
    assert response.json()["host"] == "my.bank.example"


def test_a_branch_without_it_goes_on(api: APIClient, person: User) -> None:
    asked = asked_there(api, person)
    conversation = asked["conversation"]["id"]
    beside = Message.objects.create(conversation_id=conversation, role="user", content="Beside it")
    further = {**envelope(), "meta": {"parent": str(beside.pk)}}
    response = api.post(f"{CONVERSATIONS}{conversation}/messages/", further)
    assert response.status_code == HTTPStatus.ACCEPTED


def _reply(asked: dict[str, Any]) -> str:
    return f"/api/messages/{asked['reply']['id']}"


def test_the_preview_refuses_what_posting_would(api: APIClient) -> None:
    assert api.post("/api/assemble/", FROM_THERE).json()["error"]["code"] == "host.blocked"


def test_openais_endpoint_refuses_in_its_own_shape(api: APIClient, provider: Provider) -> None:
    asked = {"model": f"{provider.slug}/parrot", **FROM_THERE}
    response = api.post("/v1/chat/completions", asked)
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert response.json()["error"]["code"] == "host.blocked"


def test_an_import_of_a_file_from_there_is_refused(api: APIClient, person: User) -> None:
    person.blocked_hosts = []
    person.save()
    asked = api.post(CONVERSATIONS, FROM_THERE).json()
    file = api.get(f"{CONVERSATIONS}{asked['conversation']['id']}/export.json")
    exported = b"".join(file.streaming_content)  # type: ignore[attr-defined]
    api.patch("/api/settings/", {"blocked_hosts": ["bank.example"]})
    response = api.post(f"{CONVERSATIONS}import/", exported, content_type="application/json")
    assert response.json()["error"]["code"] == "host.blocked"


def test_another_persons_list_blocks_nothing_here(other_api: APIClient, provider: Provider) -> None:
    Provider.objects.update(user=None)
    assert other_api.post(CONVERSATIONS, FROM_THERE).status_code == HTTPStatus.CREATED

"""`POST /api/assemble/`: what posting would send, with nothing stored and no model called."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.providers.models import Provider
from askweb.runs.models import Run
from prompts.models import Assembly, Tool
from tests.conversations.conftest import Answer, Ask

pytestmark = pytest.mark.django_db

PATH = "/api/assemble/"
NOBODYS = "01990000-0000-7000-8000-000000000000"
USER = {"role": "user", "content": "Why?"}
ASSISTANT = {"role": "assistant", "content": "Because."}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
PAGE = {"id": "page", "title": "Tides", "url": "https://example.org", "content": "The moon pulls the sea."}
LONG = {**PAGE, "content": "The moon pulls the sea. " * 20_000}

ENVELOPES: dict[str, dict[str, Any]] = {
    "words": {"messages": [USER]},
    "a page": {"context": [PAGE], "messages": [USER]},
    "a page that is too long": {"context": [LONG], "messages": [USER]},
    "a page and a tool": {"context": [PAGE], "meta": {"tool": "summarise", "language": "ja"}},
    "a history": {"messages": [USER, ASSISTANT, {"role": "user", "content": "And?"}]},
    "a call and its result": {
        "messages": [
            USER,
            {"role": "assistant", "content": "", "tool_calls": [CALL]},
            {"role": "tool", "content": "42", "tool_call_id": "c1"},
        ]
    },
    "a system message": {"context": [PAGE], "messages": [{"role": "system", "content": "Be brief."}, USER]},
    "a finished prompt": {"context": [PAGE], "meta": {"assembled": True}, "messages": [USER]},
}


@pytest.mark.parametrize("envelope", ENVELOPES.values(), ids=ENVELOPES)
class TestAPreview:
    def test_is_what_posting_sends(self, api: APIClient, provider: Provider, envelope: Any) -> None:
        told = api.post(PATH, envelope)
        posted = api.post("/api/conversations/", envelope).json()
        assert (told.status_code, told.json()) == (200, Assembly.objects.get(run=posted["run"]["id"]).shape())

    def test_stores_nothing(self, api: APIClient, provider: Provider, envelope: Any) -> None:
        api.post(PATH, envelope)
        assert not any(model.objects.exists() for model in (Conversation, Message, Run, Assembly))


class TestInAConversation:
    @pytest.mark.parametrize("key", ["parent", "conversation"])
    def test_the_history_goes_with_it(self, api: APIClient, ask: Ask, answer: Answer, key: str) -> None:
        first = ask(context=[PAGE])
        answer(first)
        place = {"parent": first["reply"]["id"], "conversation": first["conversation"]["id"]}[key]
        told = api.post(PATH, {"meta": {key: place}, "messages": [USER]}).json()
        posted = ask("Why?", to=first["conversation"]["id"])
        assert told == Assembly.objects.get(run=posted["run"]["id"]).shape()

    def test_nothing_of_it_changes(self, api: APIClient, ask: Ask, answer: Answer, person: User) -> None:
        person.initial_message = "Be brief."
        person.save()
        first = ask()
        answer(first)
        api.post(PATH, {"context": [PAGE], "meta": {"parent": first["reply"]["id"]}, "messages": [USER]})
        conversation = Conversation.objects.get()
        assert (conversation.system, conversation.messages.count()) == ("Be brief.", 2)

    def test_an_answer_that_is_being_written_is_waited_for(self, api: APIClient, ask: Ask) -> None:
        posted = ask()
        answer = api.post(PATH, {"meta": {"conversation": posted["conversation"]["id"]}, "messages": [USER]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "run.active")

    @pytest.mark.parametrize("key", ["parent", "conversation"])
    def test_of_another_person_is_not_found(
        self, other_api: APIClient, ask: Ask, answer: Answer, key: str
    ) -> None:
        first = ask()
        answer(first)
        place = {"parent": first["reply"]["id"], "conversation": first["conversation"]["id"]}[key]
        answered = other_api.post(PATH, {"meta": {key: place}, "messages": [USER]})
        assert (answered.status_code, answered.json()["error"]["code"]) == (404, "not_found")


class TestRefusals:
    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            ({"meta": {"tool": "no-such"}, "messages": [USER]}, 422, "tool.unknown"),
            ({"meta": {"provider": "no-such"}, "messages": [USER]}, 422, "provider.unknown"),
            ({"messages": []}, 422, "prompt.empty"),
            ({"meta": {"assembled": True}}, 422, "prompt.empty"),
            ({"messages": [{"role": "nobody"}]}, 422, "invalid"),
            ({"meta": {"parent": NOBODYS}, "messages": [USER]}, 404, "not_found"),
            ({"meta": {"parent": "x"}, "messages": [USER]}, 404, "not_found"),
            ({"meta": {"conversation": 7}, "messages": [USER]}, 404, "not_found"),
            ([], 422, "invalid"),
        ],
    )
    def test_are_those_of_posting(
        self, api: APIClient, provider: Provider, body: Any, status: int, code: str
    ) -> None:
        answer = api.post(PATH, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)

    def test_a_template_that_fails_is_told(self, api: APIClient, provider: Provider, person: User) -> None:
        Tool.objects.create(owner=person, slug="bad", name="Bad").publish('{{truncate chat.input "x"}}')
        answer = api.post(PATH, {"meta": {"tool": "bad"}, "messages": [USER]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "tool.template")

    def test_without_any_provider_it_says_so(self, api: APIClient) -> None:
        answer = api.post(PATH, {"messages": [USER]})
        assert answer.json()["error"]["code"] == "provider.none"

    def test_an_import_has_nothing_to_send(self, api: APIClient) -> None:
        answer = api.post(PATH, {"messages": [USER, ASSISTANT]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "assembly.none")

    def test_needs_a_person(self) -> None:
        assert APIClient().post(PATH, {}, format="json").status_code == 401

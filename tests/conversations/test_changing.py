"""Reading, changing and deleting what is one's own."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations import api as conversations_api
from askweb.conversations.envelope import Envelope
from askweb.conversations.models import Content, ContextItem, Conversation, Message
from askweb.conversations.posting import Posted, post_conversation
from askweb.providers.models import Provider
from askweb.runs.models import Run, State
from askweb.runs.settling import settle
from prompts.models import Assembly
from tests.conversations.conftest import Answer, Ask, Published

pytestmark = pytest.mark.django_db

NOBODYS = "01990000-0000-7000-8000-000000000000"

PAGE = {"id": "page", "title": "T", "content": "x" * 5000}


def path_of(posted: Any) -> str:
    return f"/api/conversations/{posted['conversation']['id']}/"


class TestPatch:
    @pytest.mark.parametrize(
        ("change", "title"),
        [
            ({"title": "New"}, "New"),
            ({"title": " New "}, "New"),
            ({"title": "a\x00"}, "a\ufffd"),
            ({"title": "x" * 200}, "x" * 200),
        ],
    )
    def test_names_a_conversation(self, api: APIClient, ask: Ask, change: Any, title: str) -> None:
        answer = api.patch(path_of(ask()), change)
        assert (answer.status_code, answer.json()["title"]) == (200, title)

    @pytest.mark.parametrize("name", ["pinned", "archived"])
    def test_sets_and_takes_back(self, api: APIClient, ask: Ask, name: str) -> None:
        path = path_of(ask())
        assert api.patch(path, {name: True}).json()[name] is True
        assert api.patch(path, {name: False}).json()[name] is False

    def test_switches_the_branch(self, api: APIClient, ask: Ask) -> None:
        posted = ask()
        assert (
            api.patch(path_of(posted), {"head": posted["message"]["id"]}).json()["head"]
            == posted["message"]["id"]
        )

    @pytest.mark.parametrize("head", ["x", 7, [], NOBODYS, "elsewhere"])
    def test_a_head_that_is_not_in_it_is_not_found(self, api: APIClient, ask: Ask, head: Any) -> None:
        posted, other = ask(), ask()
        wanted = other["message"]["id"] if head == "elsewhere" else head
        answer = api.patch(path_of(posted), {"head": wanted, "title": "New"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
        assert api.get(path_of(posted)).json() == posted["conversation"]

    def test_no_head_is_no_branch(self, api: APIClient, ask: Ask) -> None:
        answer = api.patch(path_of(ask()), {"head": None})
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["head"])

    @pytest.mark.parametrize(
        "body",
        [
            {"title": ""},
            {"title": " "},
            {"title": "x" * 201},
            {"title": 1},
            {"pinned": 1},
            {"archived": "no"},
            {"colour": "red"},
            {"revision": 1},
        ],
    )
    def test_a_fault_is_named_and_nothing_changes(self, api: APIClient, ask: Ask, body: Any) -> None:
        posted = ask()
        answer = api.patch(path_of(posted), {"pinned": True, **body})
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, list(body))
        assert api.get(path_of(posted)).json() == posted["conversation"]

    @pytest.mark.parametrize("body", [[], "x", 1, None])
    def test_a_body_that_is_no_object_is_refused(self, api: APIClient, ask: Ask, body: Any) -> None:
        answer = api.generic("PATCH", path_of(ask()), json.dumps(body), "application/json")
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")

    def test_the_feed_is_told(self, api: APIClient, ask: Ask, person: User, published: Published) -> None:
        posted = ask()
        with published.committed():  # type: ignore[attr-defined]
            api.patch(path_of(posted), {"title": "New"})
        assert published.events(person.pk) == ["conversation.updated"]
        assert published.last("conversation.updated")["meta"]["title"] == "New"

    def test_the_revision_rises(self, api: APIClient, ask: Ask) -> None:
        posted = ask()
        before = posted["conversation"]["revision"]
        assert api.patch(path_of(posted), {"pinned": True}).json()["revision"] == before + 1


class TestDelete:
    def test_takes_everything_with_it(self, api: APIClient, ask: Ask, answer: Answer) -> None:
        posted = ask(context=[PAGE], client_id="c1")
        answer(posted)
        assert api.delete(path_of(posted)).status_code == 204
        assert not any(
            model.objects.exists() for model in (Conversation, Message, ContextItem, Content, Run, Assembly)
        )
        assert api.get(path_of(posted)).status_code == 404

    def test_leaves_what_another_conversation_uses(self, api: APIClient, ask: Ask) -> None:
        first, second = ask(context=[PAGE]), ask(context=[PAGE])
        api.delete(path_of(first))
        assert api.get(f"/api/messages/{second['message']['id']}/").json()["context"] == [PAGE]

    @pytest.mark.parametrize("state", ["queued", "streaming", "waiting"])
    def test_does_not_wait_for_a_run(self, api: APIClient, ask: Ask, state: str) -> None:
        posted = ask()
        Run.objects.update(state=state)
        assert api.delete(path_of(posted)).status_code == 204
        assert not Run.objects.exists()

    def test_a_run_that_is_gone_settles_without_a_fault(self, api: APIClient, ask: Ask) -> None:
        posted = ask()
        run = Run.objects.get()
        api.delete(path_of(posted))
        assert settle(run, State.STOPPED) is False

    def test_the_feed_is_told(self, api: APIClient, ask: Ask, person: User, published: Published) -> None:
        posted = ask()
        settle(Run.objects.get(), State.STOPPED)
        with published.committed():  # type: ignore[attr-defined]
            api.delete(path_of(posted))
        assert published.events(person.pk) == ["conversation.deleted"]
        assert published.last("conversation.deleted")["meta"]["conversation"] == posted["conversation"]["id"]

    def test_what_is_deleted_before_the_feed_is_told_is_no_fault(
        self, ask: Ask, person: User, published: Published
    ) -> None:
        with published.committed():  # type: ignore[attr-defined]
            ask()
            Conversation.objects.get().remove()
        assert published.events(person.pk) == []


class TestOneMessage:
    def test_is_what_the_post_answered(self, api: APIClient, ask: Ask) -> None:
        posted = ask(context=[PAGE])
        assert api.get(f"/api/messages/{posted['message']['id']}/").json() == posted["message"]

    def test_has_its_siblings_oldest_first(self, api: APIClient, ask: Ask, answer: Answer) -> None:
        first = ask()
        answer(first)
        both = []
        for text in ("a", "b"):
            both.append(ask(text, to=first["conversation"]["id"], parent=first["reply"]["id"]))
            answer(both[-1])
        for posted in both:
            message = api.get(f"/api/messages/{posted['message']['id']}/").json()
            assert message["siblings"] == [each["message"]["id"] for each in both]


class TestAssembly:
    def test_is_what_was_sent_for_a_message_and_its_reply(self, api: APIClient, ask: Ask) -> None:
        posted = ask("Why?", context=[PAGE])
        one, other = (api.get(f"/api/messages/{posted[key]['id']}/assembly/") for key in ("message", "reply"))
        assert one.json() == other.json() == Assembly.objects.get().shape()
        assert one.json().keys() == {"messages", "tool", "template_version", "parts", "tokens", "warnings"}

    def test_lists_what_was_kept_cut_and_left_out(self, api: APIClient, ask: Ask) -> None:
        posted = ask("Why?", context=[PAGE])
        parts = api.get(f"/api/messages/{posted['message']['id']}/assembly/").json()["parts"]
        assert {frozenset(part) for part in parts} == {
            frozenset({"name", "kept", "cut", "left_out", "tokens"})
        }
        assert [part["name"] for part in parts] == ["page", "template"]

    def test_of_what_was_never_sent_there_is_none(self, api: APIClient) -> None:
        messages = [{"role": "user", "content": "1"}, {"role": "assistant", "content": "2"}]
        posted = api.post("/api/conversations/", {"messages": messages}).json()
        answer = api.get(f"/api/messages/{posted['message']['id']}/assembly/")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "assembly.none")


class TestAnotherPersons:
    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("get", "conversations/{conversation}/"),
            ("patch", "conversations/{conversation}/"),
            ("delete", "conversations/{conversation}/"),
            ("get", "conversations/{conversation}/messages/"),
            ("post", "conversations/{conversation}/messages/"),
            ("get", "messages/{message}/"),
            ("get", "messages/{reply}/assembly/"),
            ("get", "runs/{run}/"),
            ("post", "runs/{run}/stop/"),
        ],
    )
    def test_is_not_found(self, ask: Ask, other_api: APIClient, method: str, path: str) -> None:
        posted = ask()
        address = path.format(**{name: shape["id"] for name, shape in posted.items()})
        answer = getattr(other_api, method)(f"/api/{address}", {})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
        assert Run.objects.get().stop_requested_at is None

    def test_message_is_no_parent(self, ask: Ask, other_api: APIClient, other_person: User) -> None:
        theirs = Conversation.objects.create(user=other_person)
        body = {"meta": {"parent": ask()["message"]["id"]}, "messages": [{"role": "user", "content": "Hi"}]}
        assert other_api.post(f"/api/conversations/{theirs.pk}/messages/", body).status_code == 404


def test_what_is_deleted_before_its_post_is_answered_is_not_found(
    api: APIClient, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def post(person: User, envelope: Envelope) -> Posted:
        posted = post_conversation(person, envelope)
        Conversation.objects.all().delete()
        return posted

    monkeypatch.setattr(conversations_api, "post_conversation", post)
    answer = api.post("/api/conversations/", {"messages": [{"role": "user", "content": "Hi"}]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")

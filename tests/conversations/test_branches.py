"""Branches without scripts: which message is shown, and forms that make another one beside it."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.entries import Entry
from askweb.conversations.models import Conversation, Message
from askweb.runs.models import Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def asked(ask: Any, answer: Any) -> Any:
    """A question that was answered."""
    posted = ask("First words")
    answer(posted, "First answer.")
    return posted


def act(client: Client, name: str, id_: str, **fields: str) -> str:
    response = client.post(reverse(name, args=[id_]), fields)
    assert response.status_code == HTTPStatus.FOUND, response.content.decode()
    return str(response.headers["Location"])


def entries(client: Client, posted: Any) -> list[Entry]:
    page = client.get(reverse("conversation", args=[posted["conversation"]["id"]]))
    return list(page.context["transcript"].entries)


def places(client: Client, posted: Any) -> list[tuple[int, int] | None]:
    found = [entry.branches for entry in entries(client, posted)]
    return [branches and (branches.number, branches.count) for branches in found]


def stop() -> None:
    Run.objects.active().update(state="stopped")
    Message.objects.filter(state="streaming").update(state="stopped")


class TestForms:
    def test_regenerate_answers_beside_the_answer(self, browser: Client, asked: Any) -> None:
        place = act(browser, "message-regenerate", asked["reply"]["id"], nonce="n")
        assert place == f"/conversations/{asked['conversation']['id']}/#newest"
        assert places(browser, asked) == [None, (2, 2)]

    def test_a_double_click_answers_once(self, browser: Client, asked: Any) -> None:
        for _click in range(2):
            act(browser, "message-regenerate", asked["reply"]["id"], nonce="n")
        assert Message.objects.filter(role="assistant").count() == 2

    def test_another_tool_and_another_model_can_be_chosen(
        self, browser: Client, asked: Any, provider: Any
    ) -> None:
        form = browser.get(reverse("message-again", args=[asked["reply"]["id"]]))
        assert f'value="{provider.pk}/parrot"' in form.content.decode()
        fields = {"tool": "explain", "model": f"{provider.pk}/a/b"}
        act(browser, "message-regenerate", asked["reply"]["id"], **fields)
        run = Run.objects.latest("created")
        assert (run.model, run.assembly.shape()["tool"]) == ("a/b", "explain")

    def test_an_edit_asks_in_other_words(self, browser: Client, asked: Any) -> None:
        form = browser.get(reverse("message-edit", args=[asked["message"]["id"]]))
        assert "First words</textarea>" in form.content.decode()
        act(browser, "message-edit", asked["message"]["id"], text="Other\r\nwords")
        assert [entry.text for entry in entries(browser, asked)] == ["Other\nwords", ""]
        assert places(browser, asked) == [(2, 2), None]

    def test_a_refused_edit_keeps_its_words(self, browser: Client, ask: Any) -> None:
        posted = ask("Still being answered")
        response = browser.post(
            reverse("message-edit", args=[posted["message"]["id"]]), {"text": "Other <words>"}
        )
        assert response.status_code == HTTPStatus.CONFLICT
        assert "Other &lt;words&gt;</textarea>" in response.content.decode()

    def test_an_answer_that_broke_off_goes_on(self, browser: Client, ask: Any) -> None:
        posted = ask()
        stop()
        Message.objects.filter(role="assistant").update(content="Half a")
        assert entries(browser, posted)[-1].can_continue
        act(browser, "message-continue", posted["reply"]["id"])
        assert Run.objects.filter(reply=posted["reply"]["id"]).count() == 2

    def test_a_whole_answer_does_not(self, browser: Client, asked: Any) -> None:
        assert not entries(browser, asked)[-1].can_continue
        response = browser.post(reverse("message-continue", args=[asked["reply"]["id"]]))
        assert response.status_code == HTTPStatus.CONFLICT
        assert response.context["problem"].code == "message.complete"

    @pytest.mark.parametrize(("answered", "text"), [(True, "Half"), (False, "")])
    def test_nor_does_one_that_is_empty_or_was_replied_to(
        self, browser: Client, ask: Any, answered: bool, text: str
    ) -> None:
        posted = ask()
        stop()
        Message.objects.filter(role="assistant").update(content=text)
        if answered:
            ask("And then?", to=posted["conversation"]["id"])
        assert not entries(browser, posted)[1].can_continue


class TestShowing:
    def test_the_newest_message_of_the_chosen_branch_is_the_head(
        self, browser: Client, asked: Any, ask: Any, answer: Any
    ) -> None:
        below = ask("Below the first", to=asked["conversation"]["id"])
        answer(below, "Newest of the first.")
        act(browser, "message-edit", asked["message"]["id"], text="Other words")
        stop()
        place = act(browser, "message-show", asked["message"]["id"])
        assert place.endswith(f"#message-{asked['message']['id']}")
        assert str(Conversation.objects.get().head_id) == below["reply"]["id"]

    def test_over_rest_likewise(self, api: APIClient, asked: Any) -> None:
        api.post(f"/api/messages/{asked['message']['id']}/edit/", {"content": "Other words"})
        shown = api.post(f"/api/messages/{asked['message']['id']}/show/")
        assert shown.json()["head"] == asked["reply"]["id"]

    def test_the_feed_tells(self, browser: Client, asked: Any, person: User, published: Any) -> None:
        with published.committed():
            act(browser, "message-show", asked["message"]["id"])
        assert published.events(person.pk) == ["conversation.updated"]


def test_a_title_is_changed_by_a_form(browser: Client, asked: Any) -> None:
    place = act(browser, "conversation-rename", asked["conversation"]["id"], title=" Tides ")
    assert "<title>Tides · AskWeb</title>" in browser.get(place).content.decode()


def test_a_title_that_is_too_long_is_refused(browser: Client, asked: Any) -> None:
    address = reverse("conversation-rename", args=[asked["conversation"]["id"]])
    assert browser.post(address, {"title": "x" * 201}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY


@pytest.mark.parametrize("name", ["show", "edit", "regenerate", "continue"])
def test_another_persons_messages_are_not_there(asked: Any, other_person: User, name: str) -> None:
    stranger = Client()
    stranger.force_login(other_person)
    address = reverse(f"message-{name}", args=[asked["reply"]["id"]])
    assert stranger.post(address).status_code == HTTPStatus.NOT_FOUND

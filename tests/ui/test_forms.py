"""The Control UI without any script: plain forms, redirects, and pages that keep the text."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.providers.models import Provider
from askweb.runs.models import Run

pytestmark = pytest.mark.django_db

HOME = "/"


def ask(client: Client, text: str, path: str = HOME, **more: str) -> str:
    """Where the person is sent after posting the form."""
    response = client.post(path, {"text": text, "tool": "ask", "nonce": "n1", **more})
    assert response.status_code == HTTPStatus.FOUND, response.content.decode()
    return str(response.headers["Location"])


def shown(client: Client, path: str, **query: str) -> str:
    return client.get(path.partition("#")[0], query).content.decode()


def finish(state: str = "completed", reply: str = "complete", **fields: object) -> None:
    Run.objects.update(state=state, **fields)
    Message.objects.filter(role="assistant").update(state=reply)


def test_a_question_starts_a_conversation_and_leads_to_it(browser_of: Client, provider: Provider) -> None:
    place = ask(browser_of, "What is a monad?")
    assert place == f"/conversations/{Conversation.objects.get().pk}/#newest"
    assert "What is a monad?" in shown(browser_of, place)


def test_a_second_question_goes_into_the_same_conversation(browser_of: Client, provider: Provider) -> None:
    place = ask(browser_of, "One")
    finish()
    ask(browser_of, "Two", place.partition("#")[0])
    assert list(Message.objects.filter(role="user").values_list("content", flat=True)) == ["One", "Two"]


def test_line_breaks_arrive_as_they_were_typed(browser_of: Client, provider: Provider) -> None:
    ask(browser_of, "one\r\ntwo")
    assert Message.objects.get(role="user").content == "one\ntwo"


def test_a_double_click_posts_once(browser_of: Client, provider: Provider) -> None:
    assert ask(browser_of, "Hi") == ask(browser_of, "Hi")
    assert Conversation.objects.count() == 1


def test_other_words_in_a_form_gone_back_to_are_another_post(browser_of: Client, provider: Provider) -> None:
    ask(browser_of, "Hi")
    ask(browser_of, "Something else")
    assert Conversation.objects.count() == 2


def test_tool_and_language_are_used(browser_of: Client, provider: Provider) -> None:
    ask(browser_of, "Hi", tool="explain", language="Deutsch")
    assert Message.objects.get(role="user").tool == "explain"
    assert "Deutsch" in Conversation.objects.get().system


@pytest.mark.parametrize(("text", "tool"), [("  \n ", "ask"), ("Keep <me>", "no-such-tool")])
def test_a_refused_form_comes_back_with_its_text(
    browser_of: Client, provider: Provider, text: str, tool: str
) -> None:
    response = browser_of.post(HOME, {"text": text, "tool": tool})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert response.context["draft"].text == text
    assert response.context["problem"].message in response.content.decode()


def test_kept_text_is_escaped(browser_of: Client, provider: Provider) -> None:
    page = browser_of.post(HOME, {"text": "</textarea><script>", "tool": "none"}).content.decode()
    assert "&lt;/textarea&gt;&lt;script&gt;" in page


def test_asking_while_an_answer_is_written_keeps_the_text(browser_of: Client, provider: Provider) -> None:
    place = ask(browser_of, "Hi").partition("#")[0]
    response = browser_of.post(place, {"text": "And then?", "tool": "ask"})
    assert response.status_code == HTTPStatus.CONFLICT
    assert "And then?" in response.content.decode()


def test_without_a_provider_the_page_says_how_to_connect_one(browser_of: Client, person: User) -> None:
    page = shown(browser_of, HOME)
    assert "No model is connected yet." in page
    assert 'href="/settings/providers/"' in page


def test_stop_is_a_form_that_ends_the_run(browser_of: Client, provider: Provider) -> None:
    place = ask(browser_of, "Hi").partition("#")[0]
    browser_of.post(f"{place}stop/")
    assert Run.objects.get().state == "stopped"
    assert "You stopped this answer." in shown(browser_of, place)


def test_delete_is_a_form_that_leads_home(browser_of: Client, provider: Provider) -> None:
    place = ask(browser_of, "Hi").partition("#")[0]
    assert browser_of.post(f"{place}delete/").headers["Location"] == HOME
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    ("states", "run", "told"),
    [
        ((), {"finish": "length"}, "it reached the longest that the model may write.</strong></p>"),
        (
            ("interrupted", "interrupted"),
            {"code": "run.interrupted"},
            "interrupted.</strong> What was written is kept.</p>",
        ),
    ],
)
def test_what_broke_off_is_gone_on_with_by_a_button(
    browser_of: Client, provider: Provider, states: tuple[str, ...], run: dict[str, str], told: str
) -> None:
    place = ask(browser_of, "Hi").partition("#")[0]
    finish(*states, **run)
    Message.objects.filter(role="assistant").update(content="So far")
    page = shown(browser_of, place)
    assert reverse("message-continue", args=[Message.objects.get(role="assistant").pk]) in page
    assert told in page


@pytest.mark.parametrize("path", ["", "stop/", "delete/"])
@pytest.mark.usefixtures("provider")
def test_another_persons_conversation_is_not_there(browser_of: Client, other_person: User, path: str) -> None:
    ask(browser_of, "Mine")
    place = reverse("conversation", args=[Conversation.objects.get().pk])
    stranger = Client()
    stranger.force_login(other_person)
    assert stranger.post(f"{place}{path}", {"text": "x"}).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("path", ["", "sent/", "context/"])
@pytest.mark.usefixtures("provider")
def test_another_persons_message_is_not_there(browser_of: Client, other_person: User, path: str) -> None:
    ask(browser_of, "Mine")
    place = reverse("message", args=[Message.objects.earliest("id").pk])
    stranger = Client()
    stranger.force_login(other_person)
    assert stranger.get(f"{place}{path}").status_code == HTTPStatus.NOT_FOUND


def test_a_stranger_is_asked_to_sign_in(db: None) -> None:
    assert Client().get(HOME).headers["Location"] == "/sign-in/?next=/"

"""Replay: old prompts beside new ones without a model, and a few answers beside new ones."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.conversations.models import Conversation, Message
from askweb.runs.models import Run
from prompts.models import Assembly, Tool

pytestmark = pytest.mark.django_db

REPLAY = "/tools/explain/replay/?owner=shared"


@pytest.fixture
def ask(api: APIClient, staff: Client) -> Any:
    def post(text: str = "Why?", content: str = "", **meta: Any) -> Message:
        page = {"id": "page", "title": "Tea", "url": "https://a.org/tea", "selection": "Tea is old."}
        page |= {"content": content}
        body = {"context": [page], "meta": {"tool": "explain", **meta}}
        answer = api.post("/api/conversations/", {**body, "messages": [{"role": "user", "content": text}]})
        assert answer.status_code == HTTPStatus.CREATED, answer.content
        return Message.objects.get(pk=answer.json()["message"]["id"])

    return post


def draft(text: str) -> None:
    Tool.objects.filter(slug="explain", owner=None).update(draft=text)


def replayed(staff: Client, query: str = "") -> list[Any]:
    return list(staff.get(REPLAY + query).context["replayed"])


def test_the_text_in_use_gives_again_what_was_sent(staff: Client, ask: Any) -> None:
    ask()
    (one,) = replayed(staff)
    assert one.rows == []
    assert one.old == one.new


@pytest.mark.parametrize("meta", [{"language": "Deutsch"}, {"language": "日本語"}])
def test_it_does_so_in_the_language_that_was_asked_for(staff: Client, ask: Any, meta: Any) -> None:
    ask(**meta)
    assert replayed(staff)[0].rows == []


def test_it_does_so_for_an_interface_in_another_language(staff: Client, ask: Any, api: APIClient) -> None:
    api.credentials(**api._credentials, HTTP_ACCEPT_LANGUAGE="zh-hans")
    ask()
    assert replayed(staff)[0].rows == []


def test_a_page_that_was_cut_for_the_model_is_cut_alike(staff: Client, ask: Any) -> None:
    message = ask("Why?", "A paragraph on tea in English.\n\n" * 20_000, tool="page", language="Deutsch")
    (one,) = staff.get("/tools/page/replay/?owner=shared").context["replayed"]
    assert "characters left out" in one.old.text
    assert (one.message, one.rows) == (message, [])


def test_a_draft_shows_changed_lines_sizes_and_estimates(staff: Client, ask: Any) -> None:
    message = ask()
    draft("Explain: {{page.selection}}\n{{input}}")
    (one,) = replayed(staff)
    assert one.message == message
    assert one.new.text == "Explain: Tea is old.\nWhy?"
    assert one.new.size == len(one.new.text)
    assert 0 < one.new.tokens < one.old.tokens
    assert "removed" in {row.kind for row in one.rows} | {
        "removed" for row in one.rows if row.kind == "changed"
    }


def test_a_draft_that_fails_for_one_question_says_so_there(staff: Client, ask: Any) -> None:
    ask()
    draft("{{#each page.title}}{{/each}}{{#if never}}x{{/if}}")
    Message.objects.update(content="")
    (one,) = replayed(staff)
    assert one.problem is not None
    assert one.problem.code == "prompt.empty"


def test_the_newest_come_first_and_no_more_than_asked_for(staff: Client, ask: Any) -> None:
    messages = [ask(f"Question {number}") for number in range(3)]
    assert [one.message for one in replayed(staff, "&most=2")] == [messages[2], messages[1]]


def test_nothing_is_sent_and_nothing_stored(staff: Client, ask: Any) -> None:
    ask()
    draft("{{input}}")
    before = (Run.objects.count(), Assembly.objects.count(), Conversation.objects.count())
    replayed(staff)
    assert (Run.objects.count(), Assembly.objects.count(), Conversation.objects.count()) == before


def test_many_questions_take_no_more_queries(
    staff: Client, ask: Any, django_assert_max_num_queries: Any, django_assert_num_queries: Any
) -> None:
    ask()
    draft("{{input}}")
    with django_assert_max_num_queries(30) as one:
        replayed(staff)
    count = len(one.captured_queries)
    for _number in range(4):
        ask()
    with django_assert_num_queries(count):
        replayed(staff)


class TestAskingAgain:
    def test_the_new_prompt_goes_into_a_temporary_conversation(self, staff: Client, ask: Any) -> None:
        message = ask()
        draft("New: {{page.selection}} {{input}}")
        staff.post(REPLAY, {"message": [str(message.pk)], "nonce": "n"})
        conversation = Conversation.objects.get(temporary=True)
        run = Run.objects.get(conversation=conversation)
        sent = Assembly.objects.get(run=run).shape()["messages"]
        assert sent[-1] == {"role": "user", "content": "New: Tea is old. Why?"}
        assert sent[0]["content"] == message.conversation.system

    def test_a_double_click_asks_once(self, staff: Client, ask: Any) -> None:
        message = ask()
        for _click in range(2):
            staff.post(REPLAY, {"message": [str(message.pk)], "nonce": "n"})
        assert Conversation.objects.filter(temporary=True).count() == 1

    def test_at_most_three_are_asked(self, staff: Client, ask: Any) -> None:
        chosen = [str(ask().pk) for _number in range(4)]
        staff.post(REPLAY, {"message": chosen, "nonce": "n"})
        assert Conversation.objects.filter(temporary=True).count() == 3

    def test_answers_stand_side_by_side(self, staff: Client, ask: Any) -> None:
        message = ask()
        Message.objects.filter(role="assistant").update(html="<p>Old answer</p>", state="complete")
        place = staff.post(REPLAY, {"message": [str(message.pk)], "nonce": "n"}).headers["Location"]
        waiting = staff.get(place).content.decode()
        Message.objects.filter(role="assistant", state="streaming").update(
            html="<p>New</p>", state="complete"
        )
        page = staff.get(place).content.decode()
        assert "Answers are still being written." in waiting
        assert "Answers are still being written." not in page
        assert "<p>Old answer</p>" in page
        assert "<p>New</p>" in page

    def test_choosing_none_says_what_to_do(self, staff: Client, ask: Any) -> None:
        ask()
        answer = staff.post(REPLAY, {"nonce": "n"})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "Choose the questions" in answer.content.decode()

    def test_readers_replay_no_shared_tool(self, reader: Client) -> None:
        assert reader.get(REPLAY).status_code == HTTPStatus.FORBIDDEN


def test_readers_replay_their_own_tool(reader: Client, other_api: APIClient) -> None:
    other_api.post("/api/tools/", {"name": "Mine", "template": "{{input}}"})
    assert reader.get("/tools/mine/replay/").status_code == HTTPStatus.OK

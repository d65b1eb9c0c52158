"""Posting: ids at once, all or nothing, and never twice."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import ContextItem, Conversation, Message
from askweb.providers.models import Provider
from askweb.runs.models import Run, State
from askweb.runs.settling import settle
from prompts.models import Assembly, Tool
from tests.conversations.conftest import Answer, Ask, Published

pytestmark = pytest.mark.django_db

NOBODYS = "01990000-0000-7000-8000-000000000000"

CONVERSATION = {"id", "title", "created", "updated", "pinned", "archived", "head", "page", "active_run"}
MESSAGE = {
    "id", "conversation", "parent", "role", "content", "reasoning", "html", "state", "tool", "context",
    "citations", "siblings", "function_calls", "created", "normalised",
}  # fmt: skip
RUN = {
    "id", "conversation", "message", "reply", "state", "code", "error", "retryable", "finish", "usage",
    "model", "provider", "epoch", "seq", "steps",
}  # fmt: skip
USER = {"role": "user", "content": "Hi"}
ASSISTANT = {"role": "assistant", "content": "Hello."}


def rows() -> dict[str, int]:
    ours = [
        model
        for label in ("conversations", "runs", "prompts")
        for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: model._default_manager.count() for model in ours}


def sent(posted: Any) -> list[Any]:
    return Assembly.objects.get(run=posted["run"]["id"]).shape()["messages"]


class TestTheAnswer:
    def test_a_post_gets_every_id_at_once(self, ask: Ask) -> None:
        posted = ask()
        assert posted.keys() == {"conversation", "message", "run", "reply"}
        assert posted["conversation"].keys() >= CONVERSATION
        assert posted["message"].keys() >= MESSAGE
        assert posted["run"].keys() >= RUN
        assert posted["reply"].keys() >= MESSAGE

    def test_its_parts_name_each_other(self, ask: Ask) -> None:
        posted = ask()
        conversation, message, run, reply = (
            posted[key] for key in ("conversation", "message", "run", "reply")
        )
        assert {message["conversation"], run["conversation"], reply["conversation"]} == {conversation["id"]}
        assert (run["message"], run["reply"]) == (message["id"], reply["id"])
        assert (conversation["head"], conversation["active_run"]) == (reply["id"], run["id"])
        assert (message["parent"], reply["parent"]) == (None, message["id"])

    def test_the_message_is_what_was_asked(self, ask: Ask) -> None:
        message = ask("<b>&", context=[{"id": "x", "n": 1.0}])["message"]
        assert (message["role"], message["content"], message["state"]) == ("user", "<b>&", "complete")
        assert (message["context"], message["tool"]) == ([{"id": "x", "n": 1.0}], "ask")
        assert "&lt;b&gt;&amp;" in message["html"]
        assert message["siblings"] == [message["id"]]
        assert (message["citations"], message["function_calls"], message["normalised"]) == ([], [], False)

    def test_the_reply_is_empty_and_streaming(self, ask: Ask) -> None:
        reply = ask()["reply"]
        assert (reply["role"], reply["state"]) == ("assistant", "streaming")
        assert (reply["content"], reply["reasoning"], reply["html"], reply["tool"]) == ("", "", "", None)

    def test_the_run_waits_its_turn(self, ask: Ask) -> None:
        run = ask()["run"]
        assert (run["state"], run["epoch"], run["seq"], run["steps"]) == ("queued", 0, 0, 0)
        assert (run["provider"], run["model"]) == ("stand-in", "parrot")
        assert {run[key] for key in ("code", "error", "retryable", "finish", "usage")} == {None}

    def test_a_new_conversation_is_created_and_a_further_post_accepted(
        self, api: APIClient, ask: Ask, answer: Answer
    ) -> None:
        first = ask()
        answer(first)
        path = f"/api/conversations/{first['conversation']['id']}/messages/"
        assert api.post(path, {"messages": [USER]}).status_code == 202

    def test_ids_sort_by_time(self, ask: Ask) -> None:
        posted = ask()
        assert (
            posted["conversation"]["id"]
            < posted["message"]["id"]
            < posted["reply"]["id"]
            < posted["run"]["id"]
        )

    def test_what_was_replaced_is_said(self, ask: Ask) -> None:
        message = ask("a\x00b")["message"]
        assert (message["content"], message["normalised"]) == ("a\ufffdb", True)


class TestTheSamePostAgain:
    def test_gives_the_same_ids_and_status_and_starts_nothing(
        self, api: APIClient, provider: Provider
    ) -> None:
        body = {"meta": {"client_id": "c1"}, "messages": [USER]}
        first = api.post("/api/conversations/", body)
        before = rows()
        again = api.post("/api/conversations/", body)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        assert rows() == before

    def test_tells_states_as_they_are_now(self, ask: Ask, answer: Answer) -> None:
        answer(ask(client_id="c1"), "Done.")
        again = ask(client_id="c1")
        assert (again["run"]["state"], again["reply"]["content"]) == ("completed", "Done.")
        assert again["conversation"]["active_run"] is None

    def test_counts_whatever_its_body_and_address_say(self, ask: Ask) -> None:
        first = ask(client_id="c1")
        assert ask("Other words", client_id="c1")["message"]["content"] == "Hi"
        assert ask("More", to=first["conversation"]["id"], client_id="c1")["run"]["id"] == first["run"]["id"]

    def test_is_another_persons_own(self, ask: Ask, other_api: APIClient, provider: Provider) -> None:
        ask(client_id="c1")
        Provider.objects.update(user=None)
        answer = other_api.post("/api/conversations/", {"meta": {"client_id": "c1"}, "messages": [USER]})
        assert answer.status_code == 201
        assert rows()["Posting"] == 2

    def test_may_come_after_a_refusal(self, ask: Ask, api: APIClient) -> None:
        answer = api.post(
            "/api/conversations/", {"meta": {"client_id": "c1", "tool": "no"}, "messages": [USER]}
        )
        assert answer.status_code == 422
        assert ask(client_id="c1")["run"]["state"] == "queued"


def test_the_run_knows_the_language_of_the_interface(api: APIClient, provider: Provider) -> None:
    envelope = {"messages": [{"role": "user", "content": "Hi"}]}
    api.post("/api/conversations/", envelope, HTTP_ACCEPT_LANGUAGE="ja")
    assert Run.objects.get().language == "ja"


class TestRefusals:
    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            ({"meta": {"tool": "no-such"}, "messages": [USER]}, 422, "tool.unknown"),
            ({"meta": {"provider": "no-such"}, "messages": [USER]}, 422, "provider.unknown"),
            ({"meta": {"provider": NOBODYS}, "messages": [USER]}, 422, "provider.unknown"),
            ({"messages": []}, 422, "prompt.empty"),
            ({"messages": [{"role": "user", "content": " \n"}]}, 422, "prompt.empty"),
            ({"meta": {"assembled": True}}, 422, "prompt.empty"),
            ({"messages": [{"role": "nobody"}]}, 422, "invalid"),
            ({"meta": {"parent": NOBODYS}, "messages": [USER]}, 404, "not_found"),
            ({"meta": {"parent": "x"}, "messages": [USER]}, 404, "not_found"),
        ],
    )
    def test_store_nothing(
        self, api: APIClient, provider: Provider, body: Any, status: int, code: str
    ) -> None:
        before = rows()
        answer = api.post("/api/conversations/", {**body, "meta": {"client_id": "c", **body.get("meta", {})}})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert rows() == before

    def test_a_provider_without_a_model_is_told(self, ask: Ask, api: APIClient, provider: Provider) -> None:
        Provider.objects.update(default_model="")
        answer = api.post("/api/conversations/", {"messages": [USER]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "model.required")

    def test_no_provider_at_all_is_told(self, api: APIClient) -> None:
        answer = api.post("/api/conversations/", {"messages": [USER]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "provider.none")

    @pytest.mark.parametrize("state", ["queued", "streaming", "waiting"])
    def test_a_second_post_must_wait_for_the_answer(self, api: APIClient, ask: Ask, state: str) -> None:
        posted = ask()
        Run.objects.update(state=state)
        before = rows()
        path = f"/api/conversations/{posted['conversation']['id']}/messages/"
        for messages in ([USER], [USER, ASSISTANT]):
            answer = api.post(path, {"messages": messages})
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "run.active")
        assert rows() == before

    def test_a_run_that_began_meanwhile_is_seen_by_the_database(
        self, ask: Ask, api: APIClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        posted = ask()
        monkeypatch.setattr("askweb.conversations.posting.held_for_post", lambda conversation: conversation)
        answer = api.post(
            f"/api/conversations/{posted['conversation']['id']}/messages/", {"messages": [USER]}
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "run.active")


class TestTheTree:
    def test_a_post_goes_below_the_head(self, ask: Ask, answer: Answer) -> None:
        first = ask()
        answer(first)
        assert ask(to=first["conversation"]["id"])["message"]["parent"] == first["reply"]["id"]

    def test_a_parent_begins_a_branch(self, ask: Ask, answer: Answer) -> None:
        first = ask()
        answer(first)
        to = first["conversation"]["id"]
        second = ask(to=to)
        answer(second)
        third = ask("Otherwise", to=to, parent=first["reply"]["id"])
        assert third["message"]["siblings"] == [second["message"]["id"], third["message"]["id"]]
        assert third["conversation"]["head"] == third["reply"]["id"]

    @pytest.mark.parametrize("parent", ["x", NOBODYS, "of another conversation"])
    def test_a_broken_parent_is_not_found(
        self, ask: Ask, answer: Answer, api: APIClient, parent: str
    ) -> None:
        here, there = ask(), ask()
        answer(here)
        wanted = there["message"]["id"] if parent.startswith("of") else parent
        path = f"/api/conversations/{here['conversation']['id']}/messages/"
        answered = api.post(path, {"meta": {"parent": wanted}, "messages": [USER]})
        assert (answered.status_code, answered.json()["error"]["code"]) == (404, "not_found")

    def test_what_a_post_found_of_the_conversation_is_not_written_back(
        self, person: User, ask: Ask, answer: Answer
    ) -> None:
        first = ask()
        answer(first)
        Conversation.objects.update(title="Renamed meanwhile", pinned=True)
        posted = ask(to=first["conversation"]["id"])
        assert (posted["conversation"]["title"], posted["conversation"]["pinned"]) == (
            "Renamed meanwhile",
            True,
        )


class TestImports:
    def test_history_that_ends_with_an_answer_starts_no_run(self, api: APIClient) -> None:
        answer = api.post("/api/conversations/", {"messages": [USER, ASSISTANT]})
        posted = answer.json()
        assert (answer.status_code, posted["run"], posted["reply"]) == (201, None, None)
        assert (posted["message"]["content"], posted["conversation"]["active_run"]) == ("Hi", None)
        assert Message.objects.get(pk=posted["conversation"]["head"]).content == "Hello."

    def test_an_import_without_a_question_has_no_message(self, api: APIClient) -> None:
        assert api.post("/api/conversations/", {"messages": [ASSISTANT]}).json()["message"] is None

    def test_an_import_without_a_question_keeps_its_context(self, api: APIClient) -> None:
        api.post("/api/conversations/", {"context": [{"id": "page", "title": "T"}], "messages": [ASSISTANT]})
        assert ContextItem.objects.get().value() == {"id": "page", "title": "T"}

    def test_history_before_the_question_is_sent(self, api: APIClient, provider: Provider) -> None:
        history = [{"role": "user", "content": "1"}, {"role": "assistant", "content": "2"}]
        posted = api.post("/api/conversations/", {"messages": [*history, USER]}).json()
        assert sent(posted)[1:] == [*history, USER]
        assert posted["message"]["content"] == "Hi"

    def test_a_system_message_replaces_ours_and_is_sent_unchanged(
        self, api: APIClient, provider: Provider, cases: Path
    ) -> None:
        text = (cases / "seeds" / "initial-message.txt").read_text(encoding="utf-8")
        posted = api.post(
            "/api/conversations/", {"messages": [{"role": "system", "content": text}, USER]}
        ).json()
        assert sent(posted) == [{"role": "system", "content": text}, USER]

    def test_a_function_call_and_its_result_after_the_question_are_sent(
        self, api: APIClient, provider: Provider
    ) -> None:
        call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        turns = [
            USER,
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "content": "42", "tool_call_id": "c1"},
        ]
        posted = api.post("/api/conversations/", {"messages": turns}).json()
        assert sent(posted)[1:] == turns
        assert posted["run"]["message"] == posted["message"]["id"]

    @pytest.mark.parametrize(
        "arguments", ['{"a": NaN}', '{"a": "\\u0000"}', '{"a": "\\ud800"}', "[" * 9999, '{"a": 1e999}', "{"]
    )
    def test_a_calls_odd_arguments_are_kept_as_text(self, api: APIClient, arguments: str) -> None:
        call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": arguments}}
        assistant = {"role": "assistant", "tool_calls": [call]}
        assert api.post("/api/conversations/", {"messages": [USER, assistant]}).status_code == 201
        assert Message.objects.get(role="assistant").function_calls[0]["raw"] == arguments

    def test_numbers_beyond_64_bits_in_arguments_are_no_fault(self, api: APIClient) -> None:
        call = {"id": "c1", "function": {"name": "f", "arguments": '{"n": 123456789012345678901234567890}'}}
        assert (
            api.post(
                "/api/conversations/", {"messages": [{"role": "assistant", "tool_calls": [call]}]}
            ).status_code
            == 201
        )

    def test_whoever_watches_is_told_of_every_imported_message(
        self, ask: Ask, answer: Answer, api: APIClient, published: Any
    ) -> None:
        first = ask()
        answer(first)
        with published.committed():
            api.post(
                f"/api/conversations/{first['conversation']['id']}/messages/", {"messages": [USER, ASSISTANT]}
            )
        told = published.last("message.created")["messages"]
        assert [message["role"] for message in told] == ["user", "assistant"]

    def test_a_long_history_takes_no_more_queries(
        self, api: APIClient, provider: Provider, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        api.post(
            "/api/conversations/", {"messages": [USER]}
        )  # notes the device's use and the day's first run
        with CaptureQueriesContext(connection) as short:
            api.post("/api/conversations/", {"messages": [USER, ASSISTANT, USER]})
        with django_assert_num_queries(len(short)):
            api.post("/api/conversations/", {"messages": [USER, ASSISTANT] * 20 + [USER]})


class TestWhatIsSent:
    def test_earlier_turns_are_sent_as_they_were_sent(self, ask: Ask, answer: Answer) -> None:
        first = ask("Why?", context=[{"id": "quote", "text": "Q"}])
        answer(first, "Because.")
        second = ask("And?", to=first["conversation"]["id"])
        answer(second, "So.")
        third = ask("Then?", to=first["conversation"]["id"])
        assert sent(second)[:2] == sent(first)
        assert sent(third)[:4] == sent(second)
        assert sent(third)[4:] == [
            {"role": "assistant", "content": "So."},
            {"role": "user", "content": "Then?"},
        ]

    def test_a_reply_that_failed_empty_is_left_out(self, ask: Ask) -> None:
        first = ask()
        settle(Run.objects.get(), State.FAILED, code="provider.auth")
        second = ask("Again", to=first["conversation"]["id"])
        assert [message["role"] for message in sent(second)] == ["system", "user", "user"]

    def test_only_the_branch_is_sent(self, ask: Ask, answer: Answer) -> None:
        first = ask("One")
        answer(first, "1")
        to = first["conversation"]["id"]
        answer(ask("Two", to=to), "2")
        third = ask("Three", to=to, parent=first["reply"]["id"])
        assert [message["content"] for message in sent(third)[1:]] == ["One", "1", "Three"]

    def test_a_finished_prompt_is_sent_as_it_is(self, ask: Ask) -> None:
        posted = ask("  {{chat.input}}\n", context=[{"id": "page", "title": "T"}], assembled=True)
        assert sent(posted)[-1]["content"] == "  {{chat.input}}\n"
        assert (posted["message"]["tool"], posted["message"]["context"]) == (
            None,
            [{"id": "page", "title": "T"}],
        )

    def test_a_temperature_goes_with_the_run(self, ask: Ask) -> None:
        ask(temperature=0.5)
        assert Run.objects.get().options == {"temperature": 0.5}

    def test_the_language_is_the_posts_then_the_tools_then_the_interfaces(self, ask: Ask) -> None:
        tool = Tool.objects.create(slug="say", name="Say", options={"language": "Suomi"})
        tool.publish("{{chat.language}}")
        assert sent(ask("", tool="say", language="中文"))[-1]["content"] == "中文"
        assert sent(ask("", tool="say"))[-1]["content"] == "Suomi"
        Tool.objects.filter(slug="say").update(options={})
        assert sent(ask("", tool="say"))[-1]["content"] == "English"


class TestTheTool:
    @pytest.mark.parametrize(
        ("kinds", "tool"),
        [
            ([], "ask"),
            (["page", "quote"], "ask"),
            (["page", "pageSearch"], "find-on-page"),
            (["stackoverflow"], "stack-overflow"),
            (["github", "quote"], "github"),
            (["stackoverflow", "pageSearch"], "find-on-page"),
            (["no-such-kind"], "ask"),
        ],
    )
    def test_follows_from_the_context(self, ask: Ask, kinds: list[str], tool: str) -> None:
        assert ask(context=[{"id": kind, "title": "T"} for kind in kinds])["message"]["tool"] == tool

    def test_that_is_named_wins(self, ask: Ask) -> None:
        assert ask(context=[{"id": "stackoverflow"}], tool="explain")["message"]["tool"] == "explain"

    def test_of_ones_own_wins_over_the_shared_one(self, ask: Ask, person: User) -> None:
        Tool.objects.create(owner=person, slug="ask", name="Mine").publish("Mine: {{chat.input}}")
        assert sent(ask("x"))[-1]["content"] == "Mine: x"

    def test_of_another_person_is_unknown(
        self, api: APIClient, provider: Provider, other_person: User
    ) -> None:
        Tool.objects.create(owner=other_person, slug="theirs", name="Theirs").publish("x")
        answer = api.post("/api/conversations/", {"meta": {"tool": "theirs"}, "messages": [USER]})
        assert answer.json()["error"]["code"] == "tool.unknown"


class TestTheModel:
    @pytest.fixture
    def other(self, person: User, provider: Provider) -> Provider:
        return Provider.objects.create(
            user=person, slug="other", name="Other", base_url="http://127.0.0.1:9", default_model="o/1"
        )

    @pytest.mark.parametrize(
        ("meta", "chosen"),
        [
            ({}, ("stand-in", "parrot")),
            ({"provider": "other"}, ("other", "o/1")),
            ({"model": "other/x"}, ("other", "x")),
            ({"model": "other/x/y"}, ("other", "x/y")),
            ({"model": "meta/llama"}, ("stand-in", "meta/llama")),
            ({"provider": "other", "model": "stand-in/x"}, ("other", "stand-in/x")),
        ],
    )
    def test_is_what_the_post_names(
        self, ask: Ask, other: Provider, meta: Any, chosen: tuple[str, str]
    ) -> None:
        run = ask(**meta)["run"]
        assert (run["provider"], run["model"]) == chosen

    def test_may_be_named_by_the_providers_id(self, ask: Ask, other: Provider) -> None:
        assert ask(provider=str(other.pk))["run"]["provider"] == "other"


class TestTheTitle:
    @pytest.mark.parametrize(
        ("text", "context", "title"),
        [
            ("Why  is\nthis?", [], "Why is this?"),
            ("x" * 61, [], "x" * 60),
            ("x" * 59 + " yz", [], "x" * 59),
            ("😀" * 61, [], "😀" * 60),
            ("Hi", [{"id": "page", "title": "Page"}], "Hi"),
        ],
    )
    def test_is_the_question_in_60_characters(self, ask: Ask, text: str, context: Any, title: str) -> None:
        assert ask(text, context=context)["conversation"]["title"] == title

    def test_is_the_pages_without_a_question(self, ask: Ask) -> None:
        context = [{"id": "stackoverflow", "title": "HashMap?", "question": "What?"}]
        assert ask("", context=context)["conversation"]["title"] == "HashMap?"

    def test_of_an_import_is_its_first_words(self, api: APIClient) -> None:
        assert (
            api.post("/api/conversations/", {"messages": [USER, ASSISTANT]}).json()["conversation"]["title"]
            == "Hi"
        )


class TestThePage:
    @pytest.mark.parametrize(
        ("context", "page"),
        [
            ([], ("", "", "")),
            (
                [{"id": "page", "title": "T", "url": "https://A.example:8/x"}],
                ("T", "https://A.example:8/x", "a.example"),
            ),
            (
                [{"agentId": "quote", "title": "words", "pageTitle": "T", "pageUrl": "http://b.example"}],
                ("T", "http://b.example", "b.example"),
            ),
            ([{"id": "quote", "title": "words"}, {"id": "page", "title": "T", "url": "u"}], ("T", "u", "")),
            ([{"id": "page", "title": ["x"], "url": {"a": 1}}], ("", "", "")),
            ([{"id": "page", "url": "http://["}], ("", "http://[", "")),
        ],
    )
    def test_is_what_the_context_says(self, ask: Ask, context: Any, page: tuple[str, str, str]) -> None:
        told = ask(context=context)["conversation"]["page"]
        assert (told["title"], told["url"], told["host"]) == page


class TestSeeds:
    @pytest.mark.parametrize(
        ("name", "tool"),
        [("stackoverflow-envelope.json", "stack-overflow"), ("page-search-envelope.json", "find-on-page")],
    )
    def test_an_envelope_is_taken_as_it_is(
        self, api: APIClient, provider: Provider, cases: Path, name: str, tool: str
    ) -> None:
        body = (cases / "seeds" / name).read_bytes()
        answer = api.generic("POST", "/api/conversations/", body, "application/json")
        message = answer.json()["message"]
        assert (answer.status_code, message["tool"]) == (201, tool)
        assert json.dumps(message["context"]) == json.dumps(json.loads(body)["context"])

    def test_what_is_to_be_found_stands_in_the_prompt_once(
        self, api: APIClient, provider: Provider, cases: Path
    ) -> None:
        body = (cases / "seeds" / "page-search-envelope.json").read_bytes()
        posted = api.generic("POST", "/api/conversations/", body, "application/json").json()
        assert json.dumps(sent(posted)).count("find anything about sql") == 1

    def test_a_trailing_comma_is_refused_with_its_place(self, api: APIClient, cases: Path) -> None:
        body = (cases / "seeds" / "page-search-envelope-as-written.json.txt").read_bytes()
        answer = api.generic("POST", "/api/conversations/", body, "application/json")
        assert (answer.status_code, answer.json()["line"], answer.json()["column"]) == (400, 10, 5)
        assert not Conversation.objects.exists()

    def test_a_quote_is_kept_and_all_its_code_is_sent(self, ask: Ask, cases: Path) -> None:
        quote = json.loads((cases / "seeds" / "quote.json").read_text())
        posted = ask("What is this?", context=[quote])
        assert posted["message"]["context"] == [quote]
        assert ContextItem.objects.get().kind == "quote"
        assert quote["pageUrl"] in sent(posted)[-1]["content"]


def test_the_feed_and_the_conversation_are_told(ask: Ask, person: User, published: Published) -> None:
    with published.committed():  # type: ignore[attr-defined]
        posted = ask()
    assert published.events(person.pk) == ["conversation.created"]
    assert published.events(posted["conversation"]["id"]) == ["message.created", "run.queued"]


def test_a_temporary_conversation_is_not_told_on_the_feed(
    ask: Ask, person: User, published: Published
) -> None:
    with published.committed():  # type: ignore[attr-defined]
        posted = ask(store=False)
    assert published.events(person.pk) == []
    assert posted["conversation"]["temporary"] is True

"""The system message: the tool's, the person's, or ours; rendered once, kept, and with the rules that hold."""

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Conversation
from askweb.providers.models import Provider
from prompts.models import Assembly, Snippet, Tool
from prompts.system import DATA_RULE, OUTPUT_RULE, default_source
from tests.conversations.conftest import Answer, Ask

pytestmark = pytest.mark.django_db

PAGE = {"id": "page", "title": "Tides", "content": "The moon pulls the sea."}


def system(posted: Any) -> str:
    """The system message that was sent; empty when there was none."""
    first = Assembly.objects.get(run=posted["run"]["id"]).shape()["messages"][0]
    return str(first["content"]) if first["role"] == "system" else ""


@pytest.fixture
def initially(person: User) -> Any:
    def initially(template: str | None) -> None:
        person.initial_message = template
        person.save()

    return initially


def tool(**options: Any) -> str:
    Tool.objects.create(slug="own", name="Own", options=options).publish("{{chat.input}}")
    return "own"


class TestOurs:
    def test_says_the_language_and_the_rule(self, ask: Ask) -> None:
        text = system(ask(language="zh-CN"))
        assert "Answer in 简体中文" in text
        assert text.count(DATA_RULE) == 1

    def test_is_the_same_with_context(self, ask: Ask) -> None:
        assert system(ask(context=[PAGE])) == system(ask())


class TestThePersons:
    def test_is_sent_unchanged_indentation_included(self, ask: Ask, initially: Any, cases: Path) -> None:
        text = (cases / "seeds" / "initial-message.txt").read_text(encoding="utf-8")
        initially(text)
        assert system(ask()) == text

    def test_has_variables_conditions_and_loops(self, ask: Ask, initially: Any) -> None:
        initially(
            "{{chat.language}}{{#if page.title}} on {{page.title}}{{/if}}{{#each quotes}} {{text}}{{/each}}"
        )
        text = system(ask(context=[PAGE, {"id": "quote", "text": "Q"}]))
        assert text.startswith("English on Tides Q")

    def test_takes_in_snippets(self, ask: Ask, initially: Any, person: User) -> None:
        Snippet.objects.create(owner=person, name="style", source="Be brief.")
        initially("{{> style}}")
        assert system(ask()) == "Be brief."

    def test_is_followed_by_the_rule_where_there_is_context(self, ask: Ask, initially: Any) -> None:
        initially("Be brief.")
        assert system(ask(context=[PAGE])) == f"Be brief.\n\n{DATA_RULE}"

    def test_keeps_the_rule_from_the_first_context_on(self, ask: Ask, answer: Answer, initially: Any) -> None:
        initially("Be brief.")
        first = ask()
        answer(first)
        to = first["conversation"]["id"]
        second = ask("And here?", to=to, context=[PAGE])
        answer(second)
        assert [DATA_RULE in system(each) for each in (first, second, ask("So?", to=to))] == [
            False,
            True,
            True,
        ]

    def test_may_be_none_at_all(self, ask: Ask, initially: Any) -> None:
        initially(" \n")
        assert system(ask()) == ""

    def test_does_not_take_in_a_whole_page(self, ask: Ask, initially: Any) -> None:
        initially("{{page.content}}")
        assert len(system(ask(context=[{**PAGE, "content": "word " * 100_000}]))) < 5000

    def test_that_fails_is_told_and_nothing_is_stored(
        self, api: APIClient, provider: Provider, initially: Any
    ) -> None:
        initially("{{> gone}}")
        answer = api.post("/api/conversations/", {"messages": [{"role": "user", "content": "Hi"}]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "system.template")
        assert not Conversation.objects.exists()

    def test_is_kept_with_the_conversation(self, ask: Ask, answer: Answer, initially: Any) -> None:
        initially("At {{now}}")
        first = ask()
        answer(first)
        initially("Changed")
        assert system(ask(to=first["conversation"]["id"])) == system(first)


class TestTheTools:
    def test_comes_before_the_persons(self, ask: Ask, initially: Any) -> None:
        initially("The person's")
        assert system(ask(tool=tool(system="The tool's, in {{chat.language}}"))) == "The tool's, in English"

    def test_is_that_of_the_tool_that_began(self, ask: Ask, answer: Answer) -> None:
        first = ask()
        answer(first)
        assert system(ask(to=first["conversation"]["id"], tool=tool(system="Late"))) == system(first)


class TestOutputOnly:
    def test_asks_for_the_result_alone(self, ask: Ask) -> None:
        posted = ask("Bonjour", tool=tool(output_only=True))
        assert system(posted).endswith(OUTPUT_RULE)

    def test_leaves_the_turn_as_it_renders(self, ask: Ask) -> None:
        posted = ask("Bonjour", tool=tool(output_only=True))
        assert Assembly.objects.get(run=posted["run"]["id"]).shape()["messages"][-1]["content"] == "Bonjour"

    def test_holds_for_that_turn_alone(self, ask: Ask, answer: Answer) -> None:
        first = ask("Bonjour", tool=tool(output_only=True))
        answer(first)
        assert OUTPUT_RULE not in system(ask("Why?", to=first["conversation"]["id"]))


class TestEditing:
    path = "/api/initial-message/"

    def test_begins_with_ours(self, api: APIClient) -> None:
        told = api.get(self.path).json()
        assert (told["template"], told["is_default"]) == (default_source(), True)
        assert "Answer in English" in told["preview"]

    def test_is_kept_as_it_is(self, api: APIClient) -> None:
        told = api.put(self.path, {"template": "  {{user.name}}\n"}).json()
        assert (told["template"], told["is_default"], told["preview"]) == (
            "  {{user.name}}\n",
            False,
            "  owner\n",
        )
        assert api.get(self.path).json() == told

    def test_goes_back_to_ours(self, api: APIClient) -> None:
        api.put(self.path, {"template": "x"})
        assert api.put(self.path, {"template": None}).json()["is_default"] is True

    def test_refuses_a_template_with_errors(self, api: APIClient, person: User) -> None:
        answer = api.put(self.path, {"template": "{{#if x}}"})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["fields"]["template"][0]["line"]) == (
            422,
            "template.invalid",
            1,
        )
        person.refresh_from_db()
        assert person.initial_message is None

    @pytest.mark.parametrize("body", [{}, {"template": 7}, {"template": "x" * 70_000}, {"other": "x"}, []])
    def test_refuses_what_is_no_template(self, api: APIClient, body: Any) -> None:
        assert api.put(self.path, body).status_code == 422

    def test_is_previewed_without_being_kept(self, api: APIClient) -> None:
        told = api.post(f"{self.path}preview/", {"template": "{{chat.language}} {{pge.title}}"}).json()
        assert (told["preview"], told["variables"]) == ("English ", ["chat.language", "pge.title"])
        assert "pge" in told["warnings"][0]["message"]
        assert api.get(self.path).json()["is_default"] is True

    def test_of_errors_shows_them_without_a_preview(self, api: APIClient) -> None:
        told = api.post(f"{self.path}preview/", {"template": "a\n{{#if x}}"}).json()
        assert (told["preview"], told["errors"][0]["line"]) == (None, 2)

    def test_is_each_persons_own(self, api: APIClient, other_api: APIClient) -> None:
        api.put(self.path, {"template": "Mine"})
        assert other_api.get(self.path).json()["is_default"] is True

    def test_needs_a_person(self) -> None:
        assert APIClient().get(self.path).status_code == 401

"""The page of the initial message without any script: a plain form that keeps, refuses, previews and restores."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from askweb.accounts.models import User
from prompts.models import Assembly, Snippet
from prompts.system import default_source
from tests.conversations.conftest import Answer, Ask, answer, ask

__all__ = ["answer", "ask"]

pytestmark = pytest.mark.django_db

PAGE = "/settings/initial-message/"
BROKEN = "Be brief.\n  {{#if user.name}}{{user.name}}"


def sent(client: Client, act: str, template: str = "") -> Any:
    return client.post(PAGE, {"act": act, "template": template}, follow=True)


def stored(person: User) -> str | None:
    person.refresh_from_db()
    return person.initial_message


def began_with(posted: Any) -> Any:
    return Assembly.objects.get(run=posted["run"]["id"]).shape()["messages"][0]["content"]


class TestOpening:
    def test_it_begins_with_the_shipped_one_and_its_preview(self, staff: Client) -> None:
        answer = staff.get(PAGE)
        assert answer.context["source"] == default_source()
        assert "Answer in English, unless" in answer.content.decode()

    def test_it_offers_to_restore_only_where_that_changes_something(self, staff: Client) -> None:
        assert 'value="restore"' not in staff.get(PAGE).content.decode()
        assert 'value="restore"' in sent(staff, "save", "Mine").content.decode()

    def test_the_page_of_tools_leads_to_it(self, staff: Client) -> None:
        assert f'href="{PAGE}"' in staff.get("/tools/").content.decode()

    @pytest.mark.parametrize("path", [PAGE, f"{PAGE}preview/"])
    def test_it_needs_a_person(self, path: str) -> None:
        answer = Client().post(path, {"act": "save", "template": "x"})
        assert (answer.status_code, answer.headers["Location"].startswith("/sign-in/")) == (302, True)


class TestSaving:
    def test_it_is_kept_and_told(self, staff: Client, person: User) -> None:
        assert "It is saved." in sent(staff, "save", "  Hi {{user.name}}\n").content.decode()
        assert stored(person) == "  Hi {{user.name}}\n"

    def test_line_breaks_of_forms_become_those_of_templates(self, staff: Client, person: User) -> None:
        sent(staff, "save", "a\r\nb")
        assert stored(person) == "a\nb"

    def test_the_shipped_one_unchanged_is_still_followed(self, staff: Client, person: User) -> None:
        sent(staff, "save", default_source().replace("\n", "\r\n"))
        assert stored(person) is None

    def test_an_empty_one_is_kept_and_said_to_be_none(self, staff: Client, person: User) -> None:
        assert "without a system message" in sent(staff, "save", "").content.decode()
        assert stored(person) == ""

    def test_another_person_keeps_theirs(self, staff: Client, reader: Client, other_person: User) -> None:
        sent(reader, "save", "Theirs")
        sent(staff, "save", "Mine")
        assert stored(other_person) == "Theirs"
        assert "Mine" not in reader.get(PAGE).content.decode()


class TestRefusing:
    def test_errors_are_told_with_line_and_hint(self, staff: Client) -> None:
        answer = sent(staff, "save", BROKEN)
        page = answer.content.decode()
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert 'data-line="2" data-column="3"' in page
        assert "opened in line 2 is never closed" in page

    @pytest.mark.parametrize("wrong", [BROKEN, "x" * 70_000, "\n</textarea>{{#if"])
    def test_what_was_typed_stays_and_what_was_stored_too(
        self, staff: Client, person: User, wrong: str
    ) -> None:
        sent(staff, "save", "Before")
        answer = sent(staff, "save", wrong)
        assert (answer.status_code, answer.context["source"]) == (HTTPStatus.UNPROCESSABLE_ENTITY, wrong)
        assert stored(person) == "Before"

    def test_one_that_is_too_long_says_how_long_it_may_be(self, staff: Client) -> None:
        assert "at most 65536 characters" in sent(staff, "save", "x" * 70_000).content.decode()


class TestRestoring:
    def test_the_shipped_one_comes_back(self, staff: Client, person: User) -> None:
        sent(staff, "save", "Mine")
        answer = sent(staff, "restore", "Mine, half changed")
        assert "The shipped one is in use again." in answer.content.decode()
        assert (stored(person), answer.context["source"]) == (None, default_source())

    def test_a_text_with_errors_is_no_hindrance(self, staff: Client, person: User) -> None:
        sent(staff, "save", "Mine")
        assert sent(staff, "restore", BROKEN).status_code == HTTPStatus.OK
        assert stored(person) is None


class TestPreview:
    def test_it_shows_the_text_rendered_and_keeps_nothing(self, staff: Client, person: User) -> None:
        page = sent(staff, "preview", "<{{user.name}}> in {{chat.language}}").content.decode()
        assert "&lt;owner&gt; in English</pre>" in page
        assert stored(person) is None

    def test_it_takes_in_snippets_of_the_person(self, staff: Client, person: User) -> None:
        Snippet.objects.create(owner=person, name="style", source="Be brief.")
        assert "Be brief.</pre>" in sent(staff, "preview", "{{> style}}").content.decode()

    def test_it_lists_the_variables_that_are_used_first(self, staff: Client) -> None:
        first = sent(staff, "preview", "{{user.name}}").context["values"][0]
        assert (first.path, first.text, first.is_used) == ("user.name", "owner", True)

    def test_scripts_get_it_alone(self, staff: Client) -> None:
        page = staff.post(f"{PAGE}preview/", {"template": "Only this"}).content.decode()
        assert "Only this</pre>" in page
        assert "<html" not in page

    def test_of_errors_there_is_none(self, staff: Client) -> None:
        assert sent(staff, "preview", BROKEN).context["preview"] is None


class TestUsing:
    def test_the_next_new_conversation_begins_with_it(self, staff: Client, ask: Ask) -> None:
        sent(staff, "save", "For {{user.name}}.")
        assert began_with(ask()) == "For owner."

    def test_old_conversations_keep_theirs(self, staff: Client, ask: Ask, answer: Answer) -> None:
        first = ask()
        answer(first)
        sent(staff, "save", "Mine")
        assert began_with(ask(to=first["conversation"]["id"])) == began_with(first)

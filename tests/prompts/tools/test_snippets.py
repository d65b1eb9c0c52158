"""Snippets: who sees them, what takes them in, and what must not break."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from prompts.models import Snippet, Tool
from prompts.rendering import published_template, system_template

pytestmark = pytest.mark.django_db


def add(api: APIClient, name: str, source: str, expect: int = 201, query: str = "") -> Any:
    answer = api.post(f"/api/snippets/{query}", {"name": name, "source": source})
    assert answer.status_code == expect, answer.content
    return answer.json()


def tool_with(template: str, owner: User | None, **fields: Any) -> Tool:
    tool = Tool.objects.create(owner=owner, slug="user", name="User", **fields)
    tool.publish(template)
    return tool


def rendered(tool: Tool) -> str:
    assert tool.published is not None
    return published_template(tool.published.pk, tool.published.source).render({})


class TestUse:
    def test_a_template_takes_it_in(self, other_api: APIClient, other_person: User) -> None:
        add(other_api, "style", "Be brief.")
        assert rendered(tool_with("{{> style}} Go.", other_person)) == "Be brief. Go."

    def test_a_change_is_seen_at_once(self, other_api: APIClient, other_person: User) -> None:
        snippet = add(other_api, "style", "old")
        tool = tool_with("{{> style}}", other_person)
        before = rendered(tool)
        other_api.patch(f"/api/snippets/{snippet['id']}/", {"source": "new"})
        assert (before, rendered(tool)) == ("old", "new")

    def test_ones_own_wins_over_the_shared_one(
        self, api: APIClient, other_api: APIClient, other_person: User
    ) -> None:
        add(api, "style", "shared", query="?owner=shared")
        add(other_api, "style", "own")
        assert rendered(tool_with("{{> style}}", other_person)) == "own"

    def test_a_shared_tool_sees_what_is_shared_alone(self, api: APIClient, other_api: APIClient) -> None:
        add(api, "style", "shared", query="?owner=shared")
        add(api, "style", "own")
        assert rendered(tool_with("{{> style}}", None)) == "shared"

    def test_a_system_message_takes_it_in(self, other_api: APIClient, other_person: User) -> None:
        add(other_api, "style", "Be brief.")
        template = system_template(tool_with("x", other_person, options={"system": "{{> style}}"}))
        assert template is not None
        assert template.render({}) == "Be brief."

    @pytest.mark.parametrize("call", ["{{> s}}", "{{~> s}}", "{{#> s}}{{/s}}", "{{#>s}}{{/s}}"])
    def test_every_way_to_call_it_is_seen(self, other_api: APIClient, other_person: User, call: str) -> None:
        add(other_api, "s", "text")
        assert rendered(tool_with(call, other_person)) == "text"


class TestRefusals:
    def test_an_error_is_told_with_its_place(self, other_api: APIClient) -> None:
        error = add(other_api, "style", "a\n{{#if x}}", 422)["error"]
        (fault,) = error["fields"]["source"]
        assert (error["code"], fault["line"], fault["unit"]) == ("template.invalid", 2, "style")

    def test_a_snippet_that_takes_itself_in_is_refused(self, other_api: APIClient) -> None:
        first = add(other_api, "one", "x")
        add(other_api, "two", "{{> one}}")
        answer = other_api.patch(f"/api/snippets/{first['id']}/", {"source": "{{> two}}"})
        assert answer.json()["error"]["fields"]["source"][0]["code"] == "recursive-partial"

    @pytest.mark.parametrize("name", ["", "a b", "1", "a/b", "@x", "a.b", "x" * 101, 3])
    def test_a_name_is_one_word(self, other_api: APIClient, name: Any) -> None:
        assert list(add(other_api, name, "x", 422)["error"]["fields"]) == ["name"]

    @pytest.mark.parametrize("name", ["style", "风格", "a-b_1"])
    def test_a_word_may_be_of_any_script(self, other_api: APIClient, name: str) -> None:
        assert add(other_api, name, "x")["name"] == name

    def test_a_name_is_ones_own_only_once(self, other_api: APIClient) -> None:
        add(other_api, "style", "x")
        assert add(other_api, "style", "y", 422)["error"]["fields"]["name"][0]["code"] == "taken"

    def test_both_fields_are_needed(self, other_api: APIClient) -> None:
        assert set(other_api.post("/api/snippets/", {}).json()["error"]["fields"]) == {"name", "source"}


class TestWhatTakesItIn:
    @pytest.fixture
    def snippet(self, other_api: APIClient, other_person: User) -> str:
        path = f"/api/snippets/{add(other_api, 'style', 'x')['id']}/"
        tool_with("{{> style}}", other_person)
        return path

    def test_keeps_it_from_being_deleted(self, other_api: APIClient, snippet: str) -> None:
        answer = other_api.delete(snippet)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "snippet.used")
        assert "user" in answer.json()["error"]["message"]
        assert Snippet.objects.exists()

    def test_keeps_it_from_being_renamed(self, other_api: APIClient, snippet: str) -> None:
        assert other_api.patch(snippet, {"name": "other"}).status_code == 409
        assert Snippet.objects.get().name == "style"

    def test_may_take_the_shared_one_instead(
        self, api: APIClient, other_api: APIClient, snippet: str
    ) -> None:
        add(api, "style", "shared", query="?owner=shared")
        assert other_api.delete(snippet).status_code == 204

    def test_is_no_reason_when_it_was_broken_before(
        self, other_api: APIClient, other_person: User, snippet: str
    ) -> None:
        Tool.objects.get(slug="user").publish("{{> style}}{{> gone}}")
        assert other_api.delete(snippet).status_code == 204


class TestWhoMay:
    def test_ones_own_and_the_shared_are_listed(self, api: APIClient, other_api: APIClient) -> None:
        add(api, "theirs", "x")
        add(api, "shared", "x", query="?owner=shared")
        add(other_api, "own", "x")
        rows = other_api.get("/api/snippets/").json()["results"]
        assert [(row["name"], row["owner"]) for row in rows] == [("own", "mine"), ("shared", "shared")]

    def test_only_staff_change_a_shared_one(self, api: APIClient, other_api: APIClient) -> None:
        add(other_api, "no", "x", 403, "?owner=shared")
        path = f"/api/snippets/{add(api, 'shared', 'x', query='?owner=shared')['id']}/"
        assert other_api.patch(path, {"source": "y"}).status_code == 403
        assert other_api.delete(path).status_code == 403

    def test_anothers_is_not_there(self, api: APIClient, other_api: APIClient) -> None:
        path = f"/api/snippets/{add(other_api, 'own', 'x')['id']}/"
        assert api.get(path).status_code == 404

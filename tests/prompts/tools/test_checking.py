"""The check that an editor asks for as one types."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from prompts.models import Snippet

pytestmark = pytest.mark.django_db


def check(api: APIClient, template: str, **more: str) -> Any:
    answer = api.post("/api/tools/check/", {"template": template, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_good_template_has_its_variables(other_api: APIClient) -> None:
    told = check(other_api, "{{page.title}} ${chat.input}")
    assert told == {"errors": [], "warnings": [], "variables": ["page.title", "chat.input"]}


def test_an_error_has_all_that_an_editor_shows(other_api: APIClient) -> None:
    (error,) = check(other_api, "Hello\n  {{#if page.title}}")["errors"]
    assert (error["code"], error["line"], error["column"]) == ("unclosed-block", 2, 3)
    assert (error["snippet"], error["unit"]) == ("  {{#if page.title}}", "")
    assert "{{/if}}" in error["hint"]


def test_an_unknown_variable_is_a_warning(other_api: APIClient) -> None:
    told = check(other_api, "{{pge.title}}")
    assert (told["errors"], told["warnings"][0]["hint"]) == ([], "did you mean `page`?")


@pytest.mark.parametrize("name", ["INPUT", "DISPLAY_LANG", "pageTitle", "currentDateTime", "settings.x"])
def test_documented_names_are_known(other_api: APIClient, name: str) -> None:
    assert check(other_api, "{{" + name + "}}")["warnings"] == []


def test_ones_own_snippets_are_known(other_api: APIClient, other_person: User) -> None:
    Snippet.objects.create(owner=other_person, name="style", source="{{page.lang}}")
    assert check(other_api, "{{> style}}")["variables"] == ["page.lang"]
    assert check(other_api, "{{> style}}", owner="shared")["errors"][0]["code"] == "unknown-partial"


def test_a_snippet_is_checked_as_one(other_api: APIClient) -> None:
    (error,) = check(other_api, "x\n{{> style}}", snippet="style")["errors"]
    assert (error["code"], error["unit"], error["line"]) == ("recursive-partial", "style", 2)


@pytest.mark.parametrize("body", [{}, {"template": 3}, {"template": "x", "snippet": "a b"}, {"x": 1}])
def test_anything_else_is_refused(other_api: APIClient, body: dict[str, Any]) -> None:
    assert other_api.post("/api/tools/check/", body).status_code == 422


def test_nothing_is_stored(other_api: APIClient) -> None:
    check(other_api, "x", snippet="style")
    assert not Snippet.objects.exists()

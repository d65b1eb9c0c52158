"""Drafts become versions; versions never change, and any can be in use again."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.providers.models import Provider
from prompts.models import TemplateVersion, Tool

pytestmark = pytest.mark.django_db


@pytest.fixture
def tool(other_person: User) -> Tool:
    tool = Tool.objects.create(owner=other_person, slug="mine", name="Mine")
    tool.publish("one")
    tool.publish("two")
    return tool


def post(api: APIClient, path: str, expect: int = 200) -> Any:
    answer = api.post(f"/api/tools/mine/{path}")
    assert answer.status_code == expect, answer.content
    return answer.json()


def keep_draft(tool: Tool, draft: str) -> None:
    tool.draft = draft
    tool.save()


def rows(api: APIClient) -> list[Any]:
    answer: list[Any] = api.get("/api/tools/mine/versions/").json()["results"]
    return answer


class TestPublishing:
    def test_makes_the_draft_the_next_version(self, other_api: APIClient, tool: Tool) -> None:
        keep_draft(tool, "three")
        told = post(other_api, "publish/")
        assert (told["version"], told["template"], told["draft"]) == (3, "three", None)

    def test_of_the_text_in_use_makes_no_version(self, other_api: APIClient, tool: Tool) -> None:
        keep_draft(tool, "two")
        told = post(other_api, "publish/")
        assert (told["version"], told["draft"]) == (2, None)

    def test_needs_a_draft(self, other_api: APIClient, tool: Tool) -> None:
        assert post(other_api, "publish/", 422)["error"]["code"] == "draft.missing"

    def test_of_a_faulty_draft_is_refused_with_every_error(self, other_api: APIClient, tool: Tool) -> None:
        keep_draft(tool, "{{nohelper x}}\n{{#if y}}")
        error = post(other_api, "publish/", 422)["error"]
        places = [(fault["line"], fault["column"]) for fault in error["fields"]["draft"]]
        assert (error["code"], places) == ("template.invalid", [(1, 3), (2, 1)])
        assert "never closed" in error["fields"]["draft"][1]["hint"]

    def test_that_is_refused_leaves_all_as_it_was(self, other_api: APIClient, tool: Tool) -> None:
        keep_draft(tool, "{{#if")
        post(other_api, "publish/", 422)
        told = other_api.get("/api/tools/mine/").json()
        assert (told["version"], told["draft"]) == (2, "{{#if")


class TestRestoring:
    def test_makes_a_new_version_that_tells_which_it_is(self, other_api: APIClient, tool: Tool) -> None:
        assert post(other_api, "versions/1/restore/")["version"] == 3
        newest = rows(other_api)[0]
        assert (newest["template"], newest["restored_from"], newest["published"]) == ("one", 1, True)

    def test_leaves_the_draft(self, other_api: APIClient, tool: Tool) -> None:
        keep_draft(tool, "mine")
        assert post(other_api, "versions/1/restore/")["draft"] == "mine"

    def test_of_the_version_in_use_makes_none(self, other_api: APIClient, tool: Tool) -> None:
        assert post(other_api, "versions/2/restore/")["version"] == 2

    def test_of_a_version_that_is_not_there_is_not_found(self, other_api: APIClient, tool: Tool) -> None:
        post(other_api, "versions/9/restore/", 404)

    def test_of_a_text_that_would_fail_now_is_refused(self, other_api: APIClient, tool: Tool) -> None:
        tool.publish("{{> gone}}")
        tool.publish("fine")
        assert post(other_api, "versions/3/restore/", 422)["error"]["code"] == "template.invalid"

    def test_keeps_what_was_said_of_earlier_messages(
        self, api: APIClient, person: User, provider: Provider
    ) -> None:
        tool = Tool.objects.create(owner=person, slug="mine", name="Mine")
        for source in ("one {{input}}", "two {{input}}"):
            tool.publish(source)
        body = {"meta": {"tool": "mine"}, "messages": [{"role": "user", "content": "Hi"}]}
        message = api.post("/api/conversations/", body).json()["message"]["id"]
        post(api, "versions/1/restore/")
        assert api.get(f"/api/messages/{message}/assembly/").json()["template_version"] == 2


class TestVersions:
    def test_are_listed_newest_first(self, other_api: APIClient, tool: Tool) -> None:
        told = [(row["number"], row["template"], row["published"]) for row in rows(other_api)]
        assert told == [(2, "two", True), (1, "one", False)]

    def test_come_50_a_page(self, other_api: APIClient, tool: Tool) -> None:
        for number in range(3, 53):
            tool.publish(str(number))
        first = other_api.get("/api/tools/mine/versions/").json()
        second = other_api.get(first["next"]).json()
        assert (len(first["results"]), [row["number"] for row in second["results"]]) == (50, [2, 1])
        assert second["next"] is None

    def test_are_never_saved_again(self, tool: Tool) -> None:
        version = tool.versions.get(number=1)
        version.source = "other"
        with pytest.raises(TypeError):
            version.save()

    def test_are_never_updated(self, tool: Tool) -> None:
        with pytest.raises(TypeError):
            TemplateVersion.objects.filter(tool=tool).update(source="other")
        with pytest.raises(TypeError):
            TemplateVersion.objects.bulk_update(tool.versions.all(), ["source"])

    @pytest.mark.parametrize("wrong", [{"number": 0}, {"number": 3, "restored_from": 3}, {"number": 2}])
    def test_have_numbers_that_make_sense(self, tool: Tool, wrong: dict[str, int]) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            tool.versions.create(source="x", **wrong)

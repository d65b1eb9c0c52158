"""Making, changing and deleting tools through the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from prompts.models import Tool

pytestmark = pytest.mark.django_db


def make(api: APIClient, expect: int = 201, **fields: Any) -> Any:
    answer = api.post("/api/tools/", {"name": "Mine", **fields})
    assert answer.status_code == expect, answer.content
    return answer.json()


def change(api: APIClient, slug: str, expect: int = 200, **fields: Any) -> Any:
    answer = api.patch(f"/api/tools/{slug}/", fields)
    assert answer.status_code == expect, answer.content
    return answer.json()


class TestMaking:
    def test_a_template_is_published_at_once(self, other_api: APIClient) -> None:
        tool = make(other_api, template="Hi {{input}}")
        assert (tool["owner"], tool["version"], tool["template"]) == ("mine", 1, "Hi {{input}}")

    def test_a_draft_is_not(self, other_api: APIClient) -> None:
        tool = make(other_api, draft="{{#if")
        assert (tool["version"], tool["draft"]) == (None, "{{#if")

    def test_a_copy_has_all_but_the_slug(self, other_api: APIClient) -> None:
        original = other_api.get("/api/tools/translate/").json()
        copy = other_api.post("/api/tools/", {"copy_of": "translate"}).json()
        same = ("name", "template", "kinds", "options", "questions")
        assert {name: copy[name] for name in same} == {name: original[name] for name in same}
        assert (copy["slug"], copy["owner"]) == ("translate-2", "mine")

    def test_a_copy_is_named_as_it_was_seen(self, other_api: APIClient) -> None:
        copy = other_api.post("/api/tools/", {"copy_of": "ask"}, headers={"Accept-Language": "ja"}).json()
        assert (copy["name"], copy["names"]) == ("質問", {})

    def test_a_copy_of_nothing_is_refused(self, other_api: APIClient) -> None:
        assert "copy_of" in make(other_api, 422, copy_of="nothing")["error"]["fields"]

    def test_the_slug_comes_from_the_name(self, other_api: APIClient) -> None:
        assert [make(other_api, name="翻译 二")["slug"] for _ in range(2)] == ["翻译-二", "翻译-二-2"]

    def test_a_new_one_stands_last(self, other_api: APIClient) -> None:
        make(other_api, template="x")
        assert other_api.get("/api/tools/").json()["results"][-1]["slug"] == "mine"

    @pytest.mark.parametrize("slug", ["", "a/b", "check", "import", "..", " a", "a?b", "x" * 101, 3])
    def test_a_slug_that_is_no_address_is_refused(self, other_api: APIClient, slug: Any) -> None:
        assert list(make(other_api, 422, slug=slug)["error"]["fields"]) == ["slug"]

    def test_a_slug_is_ones_own_only_once(self, other_api: APIClient) -> None:
        make(other_api, slug="x")
        assert make(other_api, 422, slug="x")["error"]["fields"]["slug"][0]["code"] == "taken"

    def test_a_template_with_errors_makes_nothing(self, other_api: APIClient) -> None:
        assert make(other_api, 422, template="{{#if x}}")["error"]["code"] == "template.invalid"
        assert not Tool.objects.filter(slug="mine").exists()

    def test_every_fault_is_told_at_once(self, other_api: APIClient) -> None:
        options = {"temperature": 3, "budget": "tail", "colour": "red", "output_only": 1}
        faults = make(other_api, 422, kinds="page", order=-1, options=options)["error"]["fields"]
        assert set(faults) == {"kinds", "order", *(f"options.{name}" for name in options)}

    @pytest.mark.parametrize("body", ["[]", '"x"', "{}", '{"name": " "}', '{"name": null}'])
    def test_without_a_name_it_is_refused(self, other_api: APIClient, body: str) -> None:
        assert other_api.post("/api/tools/", body, content_type="application/json").status_code == 422


class TestChanging:
    def test_a_draft_leaves_what_is_published(self, other_api: APIClient) -> None:
        make(other_api, template="old")
        tool = change(other_api, "mine", draft="new")
        assert (tool["template"], tool["draft"]) == ("old", "new")

    def test_a_draft_may_have_errors_and_be_empty(self, other_api: APIClient) -> None:
        make(other_api)
        assert [change(other_api, "mine", draft=text)["draft"] for text in ("{{#if", "")] == ["{{#if", ""]

    def test_null_throws_the_draft_away(self, other_api: APIClient) -> None:
        make(other_api, draft="x")
        assert change(other_api, "mine", draft=None)["draft"] is None

    def test_a_drafts_text_is_kept_to_the_letter(self, other_api: APIClient) -> None:
        make(other_api)
        assert change(other_api, "mine", draft=" a\r\n\n ")["draft"] == " a\r\n\n "

    def test_options_change_one_by_one(self, other_api: APIClient) -> None:
        make(other_api, options={"temperature": 0.5, "leftovers": "omit"})
        options = change(other_api, "mine", options={"temperature": None, "budget": "relevant"})["options"]
        assert (options["temperature"], options["leftovers"], options["budget"]) == (None, "omit", "relevant")

    def test_a_system_message_with_errors_is_refused(self, other_api: APIClient) -> None:
        make(other_api)
        error = change(other_api, "mine", 422, options={"system": "a\n {{#if x}}"})["error"]
        (fault,) = error["fields"]["options.system"]
        assert (error["code"], fault["line"], fault["column"]) == ("template.invalid", 2, 2)

    def test_order_decides_the_place(self, other_api: APIClient) -> None:
        make(other_api, template="x")
        change(other_api, "mine", order=0)
        assert other_api.get("/api/tools/").json()["results"][0]["slug"] == "mine"

    def test_a_name_changes_in_the_language_it_is_seen_in(self, api: APIClient) -> None:
        api.patch("/api/tools/ask/", {"name": "聞く"}, headers={"Accept-Language": "ja"})
        assert (Tool.objects.get(slug="ask").name, Tool.objects.get(slug="ask").names["ja"]) == (
            "Ask",
            "聞く",
        )

    def test_its_own_shape_can_be_sent_back(self, other_api: APIClient) -> None:
        make(other_api, draft="d", options={"model": "m"})
        shape = other_api.get("/api/tools/mine/").json()
        known = {name: shape[name] for name in shape.keys() - {"slug", "template"}}
        assert change(other_api, "mine", **known) == shape


class TestQuestions:
    GOOD = {
        "id": "target", "header": "Target", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}]
    }  # fmt: skip

    def test_are_kept_as_they_are(self, other_api: APIClient) -> None:
        question = {**self.GOOD, "when": "(not settings.language_chosen)", "multiSelect": True}
        assert make(other_api, questions=[question])["questions"] == [question]

    @pytest.mark.parametrize(
        ("wrong", "path"),
        [
            ({"id": "Big"}, "questions[0].id"),
            ({"options": []}, "questions[0].options"),
            ({"when": "(not"}, "questions[0].when"),
            ({"when": "x}}{{y"}, "questions[0].when"),
            ({"translations": {"xx": {}}}, "questions[0].translations"),
            ({"colour": "red"}, "questions[0].colour"),
        ],
    )
    def test_are_refused_with_the_place(self, other_api: APIClient, wrong: Any, path: str) -> None:
        assert path in make(other_api, 422, questions=[{**self.GOOD, **wrong}])["error"]["fields"]


class TestWhoMay:
    def test_only_staff_change_a_shared_tool(self, api: APIClient, other_api: APIClient) -> None:
        change(other_api, "ask", 403, draft="x")
        change(api, "ask", draft="x")

    @pytest.mark.parametrize("path", ["publish/", "versions/1/restore/"])
    def test_only_staff_publish_one(self, other_api: APIClient, path: str) -> None:
        assert other_api.post(f"/api/tools/ask/{path}").status_code == 403

    def test_only_staff_add_one(self, api: APIClient, other_api: APIClient) -> None:
        body = {"name": "Ours", "template": "x"}
        assert other_api.post("/api/tools/?owner=shared", body).status_code == 403
        assert api.post("/api/tools/?owner=shared", body).json()["owner"] == "shared"

    def test_a_shared_draft_is_for_staff(self, api: APIClient, other_api: APIClient) -> None:
        change(api, "ask", draft="secret")
        assert other_api.get("/api/tools/ask/").json()["draft"] is None

    @pytest.mark.parametrize("path", ["", "versions/"])
    def test_anothers_is_not_there(self, api: APIClient, other_api: APIClient, path: str) -> None:
        make(other_api, template="x")
        assert api.get(f"/api/tools/mine/{path}").status_code == 404

    def test_a_device_needs_the_scope_for_settings(self, person: User) -> None:
        client = APIClient()
        _device, token = person.new_device("reader", ("read", "ask"))
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        assert client.post("/api/tools/", {"name": "x"}, format="json").status_code == 403


class TestOnesOwnOfASharedName:
    def test_stands_in_its_place(self, other_api: APIClient) -> None:
        make(other_api, slug="ask", template="mine")
        rows = [tool for tool in other_api.get("/api/tools/").json()["results"] if tool["slug"] == "ask"]
        assert [row["template"] for row in rows] == ["mine"]

    def test_leaves_the_shared_one_to_be_asked_for(self, other_api: APIClient) -> None:
        make(other_api, slug="ask", template="mine")
        assert other_api.get("/api/tools/ask/?owner=shared").json()["owner"] == "shared"
        assert other_api.get("/api/tools/ask/").json()["owner"] == "mine"

    def test_hides_nothing_while_it_is_a_draft(self, other_api: APIClient) -> None:
        make(other_api, slug="ask", draft="mine")
        assert other_api.get("/api/tools/").json()["results"][0]["owner"] == "shared"


class TestTheList:
    def test_holds_drafts_when_asked(self, other_api: APIClient) -> None:
        make(other_api, draft="x")
        assert "mine" not in [tool["slug"] for tool in other_api.get("/api/tools/").json()["results"]]
        drafts = other_api.get("/api/tools/?drafts=true").json()["results"]
        assert "mine" in [tool["slug"] for tool in drafts]


class TestDeleting:
    def test_takes_the_versions_along(self, other_api: APIClient) -> None:
        make(other_api, template="x")
        assert other_api.delete("/api/tools/mine/").status_code == 204
        assert not Tool.objects.filter(slug="mine").exists()

    def test_of_a_shared_tool_is_for_staff(self, other_api: APIClient) -> None:
        assert other_api.delete("/api/tools/ask/").status_code == 403

    def test_of_a_shipped_tool_is_refused_because_it_would_come_back(self, api: APIClient) -> None:
        answer = api.delete("/api/tools/ask/")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "tool.shipped")

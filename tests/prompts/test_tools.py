"""Tools: what ships with a release, what staff publish, what a person sees."""

from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.providers.models import Provider
from prompts import shipped
from prompts.models import TemplateVersion, Tool
from prompts.shipped import load_shipped_tools

pytestmark = pytest.mark.django_db

SHIPPED = [
    "ask", "explain", "explain-code", "summarise", "translate", "rewrite", "page", "find-on-page", "stack-overflow", "github",
]  # fmt: skip


class TestShippedTools:
    def test_are_these_in_this_order(self, api: APIClient) -> None:
        assert [tool["slug"] for tool in api.get("/api/tools/").json()["results"]] == SHIPPED

    def test_are_loaded_again_without_a_change(self) -> None:
        before = sorted(TemplateVersion.objects.values_list("pk", "source"))
        load_shipped_tools()
        assert sorted(TemplateVersion.objects.values_list("pk", "source")) == before

    def test_do_not_replace_what_staff_published(self) -> None:
        tool = Tool.objects.get(slug="ask", owner=None)
        tool.publish("Staff: {{chat.input}}")
        load_shipped_tools()
        assert (
            Tool.objects.select_related("published").get(pk=tool.pk).published.source
            == "Staff: {{chat.input}}"
        )  # type: ignore[union-attr]

    def test_bring_a_changed_text_as_the_next_version(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        changed = tmp_path / "tools.toml"
        text = shipped.DEFAULT_TOOLS.read_text(encoding="utf-8")
        changed.write_text(text.replace("{{chat.input}}", "New: {{chat.input}}", 1), encoding="utf-8")
        monkeypatch.setattr(shipped, "DEFAULT_TOOLS", changed)
        load_shipped_tools()
        published = Tool.objects.select_related("published").get(slug="ask").published
        assert published is not None
        assert (published.number, published.shipped, published.source) == (2, True, "New: {{chat.input}}\n")

    @pytest.mark.parametrize("language", ["en", "zh-hans", "ja", "vi"])
    def test_have_a_name_in_each_language(self, language: str) -> None:
        names = [tool.name_in(language) for tool in Tool.objects.all()]
        assert len(set(names)) == len(SHIPPED)

    @pytest.mark.parametrize("slug", SHIPPED)
    def test_work_with_every_kind_of_context(self, api: APIClient, provider: Provider, slug: str) -> None:
        kinds = ["page", "quote", "stackoverflow", "github", "pageSearch", "clipboard", "weather"]
        context = [{"id": kind, "title": "T", "text": "needle", "list": [{"digest": "d"}]} for kind in kinds]
        body = {"context": context, "meta": {"tool": slug}, "messages": [{"role": "user", "content": "Why?"}]}
        answer = api.post("/api/conversations/", body)
        assert answer.status_code == 201, answer.content
        prompt = api.get(f"/api/messages/{answer.json()['message']['id']}/assembly/").json()["messages"][-1][
            "content"
        ]
        assert (prompt.count("Why?"), "needle" in prompt) == (1, True)


class TestPublishing:
    def test_numbers_versions_from_1_and_keeps_the_old(self) -> None:
        tool = Tool.objects.create(slug="mine", name="Mine")
        for source in ("a", "b"):
            tool.publish(source)
        assert list(tool.versions.order_by("number").values_list("number", "source")) == [(1, "a"), (2, "b")]
        assert tool.published is not None
        assert tool.published.source == "b"

    def test_numbers_are_unique(self) -> None:
        tool = Tool.objects.get(slug="ask")
        with pytest.raises(IntegrityError), transaction.atomic():
            tool.versions.create(number=1, source="x")

    @pytest.mark.parametrize("mine", [False, True])
    def test_slugs_are_unique_for_their_owner(self, person: User, mine: bool) -> None:
        owner = person if mine else None
        Tool.objects.create(owner=owner, slug="x", name="X")
        with pytest.raises(IntegrityError), transaction.atomic():
            Tool.objects.create(owner=owner, slug="x", name="X")


class TestTheList:
    def test_shows_ones_own_beside_the_shared(self, api: APIClient, person: User, other_person: User) -> None:
        Tool.objects.create(owner=person, slug="mine", name="Mine").publish("x")
        Tool.objects.create(owner=other_person, slug="theirs", name="Theirs").publish("x")
        rows = {tool["slug"]: tool["owner"] for tool in api.get("/api/tools/").json()["results"]}
        assert (rows["mine"], rows["ask"], "theirs" in rows) == ("mine", "shared", False)

    def test_leaves_out_what_was_never_published(self, api: APIClient, person: User) -> None:
        Tool.objects.create(owner=person, slug="draft", name="Draft")
        assert "draft" not in [tool["slug"] for tool in api.get("/api/tools/").json()["results"]]

    def test_has_every_key(self, api: APIClient) -> None:
        (tool, *_) = api.get("/api/tools/").json()["results"]
        assert tool.keys() >= {
            "slug",
            "name",
            "owner",
            "version",
            "template",
            "draft",
            "kinds",
            "options",
            "questions",
        }
        assert (tool["version"], tool["draft"], tool["questions"]) == (1, None, [])

    def test_names_tools_in_the_persons_language(self, api: APIClient) -> None:
        assert (
            api.get("/api/tools/", headers={"Accept-Language": "ja"}).json()["results"][0]["name"] == "質問"
        )

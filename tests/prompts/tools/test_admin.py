"""The admin refuses what the API refuses."""

from typing import Any

import pytest
from django.test import Client

from askweb.accounts.models import User
from prompts.models import Snippet, Tool

pytestmark = pytest.mark.django_db

FORM = {
    "slug": "ours", "name": "Ours", "names": "{}", "order": "1", "kinds": "[]", "options": "{}", "questions": "[]",
    "draft": "", "owner": "", "versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0",
}  # fmt: skip


@pytest.fixture
def staff(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


def add(staff: Client, **fields: Any) -> dict[str, Any]:
    """The faults by field; none when it was added."""
    answer = staff.post("/admin/prompts/tool/add/", {**FORM, **fields})
    return {} if answer.status_code == 302 else dict(answer.context["adminform"].form.errors)


def test_a_good_tool_is_added(staff: Client) -> None:
    assert add(staff, options='{"temperature": 1, "budget": "head"}') == {}
    assert Tool.objects.get(slug="ours").options == {"temperature": 1.0}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "a/b"),
        ("names", '{"xx": "X"}'),
        ("kinds", '{"a": 1}'),
        ("options", '{"temperature": 9}'),
        ("options", '{"system": "{{#if x}}"}'),
        ("options", "[1]"),
        ("questions", '[{"id": "x"}]'),
    ],
)
def test_a_faulty_one_is_not(staff: Client, field: str, value: str) -> None:
    assert list(add(staff, **{field: value})) == [field]


def test_drafts_are_published_from_the_list(staff: Client) -> None:
    good = Tool.objects.create(slug="good", name="Good", draft="x")
    bad = Tool.objects.create(slug="bad", name="Bad", draft="{{#if")
    body = {"action": "publish_drafts", "_selected_action": [str(good.pk), str(bad.pk)]}
    answer = staff.post("/admin/prompts/tool/", body, follow=True)
    told = [str(message) for message in answer.context["messages"]]
    assert "Good v1 is published." in told
    assert any(message.startswith("Bad: The template has an error in line 1") for message in told)


def test_versions_are_shown_and_not_changed(staff: Client) -> None:
    tool = Tool.objects.get(slug="ask")
    page = staff.get(f"/admin/prompts/tool/{tool.pk}/change/").content.decode()
    assert "{{chat.input}}" in page
    assert 'name="versions-0-source"' not in page


@pytest.mark.parametrize(
    ("name", "source", "faulty"),
    [("style", "fine", []), ("a b", "x", ["name"]), ("style", "{{#if", ["source"])],
)
def test_snippets_are_checked(staff: Client, name: str, source: str, faulty: list[str]) -> None:
    answer = staff.post("/admin/prompts/snippet/add/", {"name": name, "source": source, "owner": ""})
    errors = [] if answer.status_code == 302 else list(answer.context["adminform"].form.errors)
    assert (errors, Snippet.objects.count()) == (faulty, int(not faulty))

"""Contexts of other people: seen only with the permission, and every look is written down."""

from http import HTTPStatus

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Message
from askweb.providers.models import Provider
from prompts.models import ContextLook, Tool
from tests.prompts.editor.conftest import browser

pytestmark = pytest.mark.django_db

EXPLAIN = "/tools/explain/?owner=shared"


@pytest.fixture
def asked(api: APIClient, provider: Provider) -> Message:
    """What the owner asked, on a page, with the tool."""
    page = {"id": "page", "title": "Private page", "url": "https://bank.example/a", "selection": "the secret"}
    body = {"meta": {"tool": "explain"}, "messages": [{"role": "user", "content": "Private words"}]}
    api.post("/api/conversations/", {**body, "context": [page]})
    return Message.objects.get(role="user")


def preview_of(client: Client, message: Message) -> str:
    answer = client.post(EXPLAIN, {"template": "[{{page.selection}}]", "context": f"message:{message.pk}"})
    return answer.content.decode()


def looks() -> list[tuple[str, str]]:
    return list(ContextLook.objects.values_list("who__username", "whose__username"))


def test_ones_own_question_is_offered_and_no_look(staff: Client, asked: Message) -> None:
    assert "Private words" in staff.get(EXPLAIN).content.decode()
    assert "[the secret]" in preview_of(staff, asked)
    assert looks() == []


def test_staff_without_the_permission_see_nothing_of_it(editor: Client, asked: Message) -> None:
    page = preview_of(editor, asked)
    assert "the secret" not in page
    assert "There is nothing here, or it is not yours." in page
    assert "bank.example" not in page


def test_a_reader_with_the_permission_alone_sees_nothing(
    editor: Client, editor_person: User, may_look: None, asked: Message
) -> None:
    User.objects.filter(pk=editor_person.pk).update(is_staff=False)
    assert "the secret" not in preview_of(editor, asked)


def test_owners_too_need_the_permission_by_name(editor_person: User, asked: Message) -> None:
    User.objects.filter(pk=editor_person.pk).update(is_superuser=True)
    page = preview_of(browser(editor_person), asked)
    assert "the secret" not in page
    assert looks() == []


@pytest.mark.usefixtures("may_look")
def test_with_the_permission_the_look_is_logged(editor: Client, asked: Message) -> None:
    assert "[the secret]" in preview_of(editor, asked)
    assert looks() == [("editor", "owner")]


@pytest.mark.usefixtures("may_look")
def test_typing_on_is_the_same_look(editor: Client, asked: Message) -> None:
    preview_of(editor, asked)
    preview_of(editor, asked)
    assert len(looks()) == 1


@pytest.mark.usefixtures("may_look")
def test_the_list_tells_whose_and_where_but_no_words(editor: Client, asked: Message) -> None:
    page = editor.get(EXPLAIN).content.decode()
    assert "owner · explain · bank.example" in page
    assert "Private words" not in page
    assert looks() == []


@pytest.mark.usefixtures("may_look")
@pytest.mark.parametrize(("search", "found"), [("bank", True), ("owner", True), ("Private", False)])
def test_a_search_does_not_reach_other_peoples_words(
    editor: Client, asked: Message, search: str, found: bool
) -> None:
    page = editor.get(f"/tools/explain/contexts/?owner=shared&search={search}").content.decode()
    assert (str(asked.pk) in page) is found


@pytest.mark.parametrize(("search", "found"), [("private W", True), ("bank.ex", True), ("other", False)])
def test_ones_own_are_found_by_words_title_and_address(
    staff: Client, asked: Message, search: str, found: bool
) -> None:
    page = staff.get("/tools/explain/contexts/", {"search": search}).content.decode()
    assert (str(asked.pk) in page) is found


@pytest.mark.usefixtures("may_look")
def test_a_replay_of_everybodys_is_logged(editor: Client, asked: Message) -> None:
    page = editor.get("/tools/explain/replay/?owner=shared&whose=everyone").content.decode()
    assert "Private words" in page
    assert looks() == [("editor", "owner")]


def test_a_replay_of_everybodys_needs_the_permission(editor: Client, asked: Message) -> None:
    page = editor.get("/tools/explain/replay/?owner=shared&whose=everyone").content.decode()
    assert "Private words" not in page
    assert looks() == []


def test_the_log_outlives_the_message_and_the_looker(asked: Message, editor_person: User) -> None:
    ContextLook.objects.note(editor_person, [asked])
    asked.conversation.remove()
    editor_person.delete()
    assert looks() == [(None, "owner")]


def test_the_log_is_read_in_the_admin_and_not_changed(
    staff: Client, asked: Message, editor_person: User
) -> None:
    ContextLook.objects.note(editor_person, [asked])
    look = ContextLook.objects.get()
    assert "editor" in staff.get("/admin/prompts/contextlook/").content.decode()
    assert staff.get("/admin/prompts/contextlook/add/").status_code == HTTPStatus.FORBIDDEN
    path = f"/admin/prompts/contextlook/{look.pk}/delete/"
    assert staff.post(path, {"post": "yes"}).status_code == HTTPStatus.FORBIDDEN


def test_a_person_with_a_tool_of_the_same_name_is_not_replayed(
    staff: Client, asked: Message, person: User
) -> None:
    Tool.objects.create(owner=person, slug="explain", name="Mine").publish("mine")
    assert staff.get("/tools/explain/replay/?owner=shared").context["replayed"] == []

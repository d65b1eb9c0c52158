"""The admin of conversations, messages and runs: what there is, never what it says."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Conversation, Message
from askweb.conversations.packing import TAKE_OUT, store_packed
from askweb.providers.models import Provider
from askweb.runs.models import Run

pytestmark = pytest.mark.django_db

PAGES = ["conversations/conversation", "conversations/message", "runs/run"]


@pytest.fixture
def staff(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


@pytest.fixture
def conversation(other_person: User, provider: Provider) -> Conversation:
    made = Conversation.objects.create(user=other_person, title="A secret", page_title="A secret page")
    message = Message.objects.create(conversation=made, role="user", content="A secret question")
    reply = Message.objects.create(
        conversation=made, role="assistant", content="A secret answer", parent=message
    )
    Run.objects.create(
        conversation=made, message=message, reply=reply, provider=provider, provider_slug="p", model="m"
    )
    store_packed([(ContextItem(message=message, position=0, kind="page"), "x" * TAKE_OUT)])
    return made


@pytest.mark.parametrize("page", PAGES)
def test_a_list_and_a_row_tell_no_content(staff: Client, conversation: Conversation, page: str) -> None:
    rows = staff.get(f"/admin/{page}/").content.decode()
    row = conversation.pk if page == PAGES[0] else conversation.messages.first()
    row = conversation.runs.get().pk if page == PAGES[2] else getattr(row, "pk", row)
    assert str(row) in rows
    assert "secret" not in rows + staff.get(f"/admin/{page}/{row}/change/").content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_a_list_takes_as_many_queries_with_many_rows(
    staff: Client,
    conversation: Conversation,
    django_assert_max_num_queries: DjangoAssertNumQueries,
    page: str,
) -> None:
    for _row in range(30):
        Message.objects.create(conversation=conversation, role="user")
        Conversation.objects.create(user=conversation.user)
    with django_assert_max_num_queries(6):
        staff.get(f"/admin/{page}/")


@pytest.mark.parametrize("page", PAGES)
def test_rows_are_found_by_their_person(staff: Client, conversation: Conversation, page: str) -> None:
    name = conversation.user.get_username()
    assert "1 result" in staff.get(f"/admin/{page}/?q={name}").content.decode() or page == PAGES[1]
    assert "0 results" in staff.get(f"/admin/{page}/?q=nobody").content.decode()


def test_messages_are_found_by_their_tool(staff: Client, conversation: Conversation) -> None:
    Message.objects.create(conversation=conversation, role="user", tool="explain")
    assert "1 result" in staff.get("/admin/conversations/message/?q=explain").content.decode()


@pytest.mark.parametrize("page", [*PAGES, "questions/questionset", "images/image"])
def test_a_page_of_a_list_is_read_in_its_order(staff: Client, page: str) -> None:
    """All rows would be read to sort them, or to see how far back they go."""
    with CaptureQueriesContext(connection) as queries:
        staff.get(f"/admin/{page}/")
    plans = [_plan(each["sql"]) for each in queries if "ORDER BY" in each["sql"]]
    assert plans
    assert "TEMP B-TREE" not in "".join(plans)
    assert not [each["sql"] for each in queries if "MAX(" in each["sql"]]


@pytest.mark.parametrize("how", ["alone", "selected"])
def test_a_conversation_is_deleted_with_its_texts(
    staff: Client, conversation: Conversation, how: str
) -> None:
    if how == "alone":
        staff.post(f"/admin/{PAGES[0]}/{conversation.pk}/delete/", {"post": "yes"})
    else:
        chosen = {"action": "delete_selected", "_selected_action": str(conversation.pk), "post": "yes"}
        staff.post(f"/admin/{PAGES[0]}/", chosen)
    assert not Conversation.objects.filter(pk=conversation.pk).exists()
    assert not Content.objects.exists()


@pytest.mark.parametrize("page", PAGES[1:])
def test_messages_and_runs_are_not_deleted_alone(
    staff: Client, conversation: Conversation, page: str
) -> None:
    row = conversation.runs.get().pk if page == PAGES[2] else conversation.messages.all()[0].pk
    assert staff.post(f"/admin/{page}/{row}/delete/", {"post": "yes"}).status_code == 403


def _plan(sql: str) -> str:
    """How SQLite would answer; PostgreSQL's plans depend on how much there is."""
    if connection.vendor != "sqlite":
        return ""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return str(cursor.fetchall())

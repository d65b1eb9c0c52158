"""No page and no call takes more queries for more rows: each is asked for a little, and then for a lot."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from askweb.accounts.models import User
from askweb.conversations.models import ContextItem, Conversation, Message
from askweb.conversations.packing import store_packed
from askweb.providers.models import Provider
from askweb.runs.models import Run
from tests.answered import answered

pytestmark = pytest.mark.django_db

FEW, MANY = 2, 20


@pytest.fixture
def signed_in(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


@pytest.fixture
def conversation(person: User) -> Conversation:
    return Conversation.objects.create(user=person, title="Tides", page_host="example.org")


Fill = Callable[[int], None]


@pytest.fixture
def fill(person: User, provider: Provider, conversation: Conversation) -> Fill:
    """Adds so many turns, each with context, an answered question and its run; and so many conversations."""

    def add(count: int) -> None:
        for _turn in range(count):
            Conversation.objects.create(user=person, title="Another", page_host="example.org")
            parent = Conversation.objects.get(pk=conversation.pk).head
            message = Message.objects.create(
                conversation=conversation, role="user", content="Why?", parent=parent
            )
            store_packed(
                [(ContextItem(message=message, position=0, kind="page"), {"id": "page", "title": "T"})]
            )
            reply = Message.objects.create(
                conversation=conversation, role="assistant", content="So.", parent=message
            )
            run = Run.objects.create(
                conversation=conversation, message=message, reply=reply, state="completed", provider=provider,
                provider_slug=provider.slug, model="parrot",
            )  # fmt: skip
            answered(run)
            Conversation.objects.filter(pk=conversation.pk).update(head=reply)

    return add


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/conversations/{id}/",
        "/questions/",
        "/tools/",
        "/settings/",
        "/settings/providers/",
        "/settings/privacy/",
        "/settings/account/",
        "/settings/people/",
        "/api/conversations/",
        "/api/conversations/{id}/",
        "/api/conversations/{id}/messages/",
        "/api/questions/",
        "/api/tools/",
        "/api/providers/",
        "/api/usage/",
        "/api/people/",
        "/api/invitations/",
    ],
)
def test_more_rows_take_no_more_queries(
    signed_in: Client, conversation: Conversation, fill: Fill, path: str
) -> None:
    path = path.format(id=conversation.pk)
    fill(FEW)
    few = queries(signed_in, path)
    fill(MANY)
    assert queries(signed_in, path) <= few


def queries(client: Client, path: str) -> int:
    """How many queries a second look takes; the first one warms what is kept."""
    for _look in range(2):
        with CaptureQueriesContext(connection) as captured:
            response = client.get(path)
            if response.streaming:
                b"".join(response)
        assert response.status_code == 200
    return len(captured)

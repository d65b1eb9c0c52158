"""A person who is deleted in the admin takes all of theirs along."""

import pytest
from django.test import Client

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Conversation, Message
from askweb.conversations.packing import TAKE_OUT, store_packed

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(other_person: User) -> Content:
    """A page's text that only a conversation of the other person's uses."""
    conversation = Conversation.objects.create(user=other_person)
    message = Message.objects.create(conversation=conversation, role="user", content="Hi")
    store_packed([(ContextItem(message=message, position=0, kind="page"), "x" * TAKE_OUT)])
    return Content.objects.get()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/admin/accounts/user/{id}/delete/", {}),
        ("/admin/accounts/user/", {"action": "delete_selected", "_selected_action": "{id}"}),
    ],
    ids=["alone", "selected"],
)
def test_the_texts_of_their_pages_are_gone(
    client: Client, person: User, other_person: User, page: Content, path: str, fields: dict[str, str]
) -> None:
    client.force_login(person)
    data = {"post": "yes", **{name: text.format(id=other_person.pk) for name, text in fields.items()}}
    assert client.post(path.format(id=other_person.pk), data).status_code == 302
    assert not User.objects.filter(pk=other_person.pk).exists()
    assert not Content.objects.exists()


def test_nobody_sets_anothers_password(client: Client, person: User, other_person: User) -> None:
    client.force_login(person)
    page = client.get(f"/admin/accounts/user/{other_person.pk}/change/")
    assert (page.status_code, "password" in page.content.decode().partition("<form")[2]) == (200, False)
    new = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}
    assert client.post(f"/admin/accounts/user/{other_person.pk}/password/", new).status_code == 403
    other_person.refresh_from_db()
    assert not other_person.check_password("correct horse")

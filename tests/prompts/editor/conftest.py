import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from askweb.accounts.models import User
from askweb.providers.models import Provider


@pytest.fixture
def staff(person: User, provider: Provider) -> Client:
    """A browser of the owner, who is staff with every permission."""
    return browser(person)


@pytest.fixture
def reader(other_person: User) -> Client:
    return browser(other_person)


@pytest.fixture
def editor_person(db: None) -> User:
    """Staff without the permission to look at other people's contexts."""
    return User.objects.create_user("editor", is_staff=True)


@pytest.fixture
def editor(editor_person: User) -> Client:
    return browser(editor_person)


@pytest.fixture
def may_look(editor_person: User) -> None:
    permission = Permission.objects.get(codename="view_others_context", content_type__app_label="prompts")
    editor_person.user_permissions.add(permission)


def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client

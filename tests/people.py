"""Rows that tests in the database start from. No engine runs there, so runs stay queued."""

import pytest
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.providers.models import Provider
from prompts.models import Tool
from prompts.shipped import load_shipped_tools

DATABASE = frozenset(("db", "transactional_db", "django_db_reset_sequences", "live_server"))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Load the tools once; most tests leave them as they are."""
    with django_db_blocker.unblock():
        load_shipped_tools()


@pytest.fixture(autouse=True)
def tools(request: pytest.FixtureRequest) -> None:
    """The tools that ship with a release are there wherever the database is."""
    if request.node.get_closest_marker("django_db") or DATABASE & set(request.fixturenames):
        request.getfixturevalue("db")
        if not Tool.objects.exists():
            load_shipped_tools()


@pytest.fixture
def person(db: None) -> User:
    return User.objects.owner()


@pytest.fixture
def other_person(person: User) -> User:
    return User.objects.create_user("somebody", "somebody@example.org")


@pytest.fixture
def api(person: User) -> APIClient:
    """Speaks for a device of the person's."""
    return client_of(person)


@pytest.fixture
def other_api(other_person: User) -> APIClient:
    return client_of(other_person)


@pytest.fixture
def provider(person: User) -> Provider:
    """The person's only provider; nothing listens at its address."""
    return Provider.objects.create(
        user=person,
        slug="stand-in",
        name="Stand-in",
        base_url="http://127.0.0.1:9/v1",
        default_model="parrot",
        is_default=True,
    )


def client_of(person: User) -> APIClient:
    client = APIClient()
    client.default_format = "json"
    _device, token = person.new_device("tests")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client

import pytest
from django.test import Client
from pytest_django import Settings

from askweb.accounts.models import User

PASSWORD = "tides turn at noon"


@pytest.fixture(autouse=True)
def quick_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def with_password(other_person: User) -> User:
    other_person.set_password(PASSWORD)
    other_person.save()
    return other_person


def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def is_signed_in(client: Client) -> bool:
    """Whether a page that needs it is shown: a session whose person may not be here is none."""
    return client.get("/settings/").status_code == 200

import pytest
from django.test import Client

from askweb.accounts.models import User


@pytest.fixture
def browser_of(person: User) -> Client:
    """A browser without scripts, in which the person is signed in."""
    client = Client()
    client.force_login(person)
    return client

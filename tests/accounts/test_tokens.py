"""Tokens are found by their hash, so neither the database nor the time it takes tells how much of one was right."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from askweb.accounts.models import Device, SignInLink, SocketTicket, User
from askweb.accounts.tokens import hash_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def tokens(person: User) -> dict[str, str]:
    return {
        "device": person.new_device("tests")[1],
        "link": person.new_sign_in_link(),
        "ticket": SocketTicket.objects.issue(person, None)[0],
    }


def test_no_token_is_stored(tokens: dict[str, str]) -> None:
    rows = [*Device.objects.values(), *SignInLink.objects.values(), *SocketTicket.objects.values()]
    assert not [row for row in rows for token in tokens.values() if token in str(row)]


@pytest.mark.parametrize("last", ["right", "wrong"])
def test_a_token_is_compared_by_the_database_by_its_hash(tokens: dict[str, str], last: str) -> None:
    token = tokens["device"] if last == "right" else f"{tokens['device'][:-1]}~"
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found = Device.objects.for_token(token)
    assert (found is not None) == (last == "right")
    [query] = asked.captured_queries
    assert hash_token(token) in query["sql"]
    assert token not in query["sql"]


def test_tokens_can_not_be_guessed(person: User) -> None:
    tokens = {person.new_device("tests")[1] for _each in range(20)}
    assert len(tokens) == 20
    assert min(len(token.removeprefix("askweb_")) for token in tokens) >= 43  # 256 bits in Base64

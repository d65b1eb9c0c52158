"""Which answers are compressed, and which never are."""

import gzip
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(person: User) -> Client:
    client = Client(headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    client.force_login(person)
    return client


def is_zipped(answer: Any) -> bool:
    return answer.headers.get("Content-Encoding") == "gzip"


def test_pages_are_compressed(browser: Client) -> None:
    page = browser.get("/")
    assert is_zipped(page)
    assert "Accept-Encoding" in page.headers["Vary"]
    assert gzip.decompress(page.content).rstrip().endswith(b"</html>")


def test_pages_that_show_what_their_address_asks_for_are_not(browser: Client) -> None:
    assert not is_zipped(browser.get("/?q=moon"))


def test_who_cannot_read_it_gets_it_plain(browser: Client) -> None:
    assert not is_zipped(browser.get("/", headers={"Accept-Encoding": "identity"}))


def test_what_is_no_page_is_not(browser: Client, api: APIClient) -> None:
    assert not is_zipped(browser.get("/api/conversations/"))
    assert not is_zipped(api.get("/api/schema/", headers={"Accept-Encoding": "gzip"}))

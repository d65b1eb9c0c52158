"""The sign-in page says how to get in, and what to do when a link no longer works."""

from http import HTTPStatus

import pytest
from django.test import Client

from askweb.accounts.models import User

pytestmark = pytest.mark.django_db


def test_the_page_says_how_to_make_a_link() -> None:
    assert "manage.py sign_in_link" in Client().get("/sign-in/").content.decode()


def test_a_link_leads_to_the_composer(person: User) -> None:
    response = Client().get(f"/sign-in/{person.new_sign_in_link()}/", follow=True)
    assert response.redirect_chain == [("/", HTTPStatus.FOUND)]
    assert b'name="text"' in response.content


def test_a_used_link_says_so_and_what_to_do(person: User) -> None:
    path = f"/sign-in/{person.new_sign_in_link()}/"
    Client().get(path)
    response = Client().get(path)
    assert response.status_code == HTTPStatus.GONE
    assert "has been used already" in response.content.decode()
    assert "manage.py sign_in_link" in response.content.decode()


def test_signing_out_leads_to_the_sign_in_page(browser_of: Client) -> None:
    assert browser_of.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert browser_of.get("/").status_code == HTTPStatus.FOUND


def test_a_page_that_is_not_there_says_where_to_go(browser_of: Client) -> None:
    response = browser_of.get("/nowhere/")
    assert response.status_code == HTTPStatus.NOT_FOUND
    assert "There is nothing here" in response.content.decode()

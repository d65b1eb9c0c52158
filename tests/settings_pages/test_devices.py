"""The page of devices as plain forms: what acts for the person, tokens made by hand, and revoking."""

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import Device, User

pytestmark = pytest.mark.django_db

DEVICES = "/settings/devices/"
TOKEN = re.compile(r'value="(askweb_[\w-]{40,})"')


def shown(client: Client) -> str:
    response = client.get(DEVICES)
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def make(client: Client, **fields: Any) -> Any:
    return client.post(DEVICES, {"act": "make", "name": "Script", "scopes": ["ask"], **fields})


def test_a_device_is_shown_with_what_it_may_do(browser_of: Client, person: User) -> None:
    person.new_device("Phone <b>", ("read",))
    page = shown(browser_of)
    assert "Phone &lt;b&gt;" in page
    assert "<li>Read your conversations, tools and settings</li>" in page
    assert "never used" in page


def test_its_last_use_is_shown(browser_of: Client, person: User) -> None:
    person.new_device("Phone")[0].note_use()
    assert "last used" in shown(browser_of)


def test_another_persons_is_not_shown(browser_of: Client, other_person: User) -> None:
    other_person.new_device("Theirs")
    assert "Theirs" not in shown(browser_of)


def test_a_token_made_by_hand_may_do_what_was_chosen(browser_of: Client) -> None:
    token = TOKEN.search(make(browser_of, scopes=["read"]).content.decode())
    assert token
    script = APIClient(headers={"Authorization": f"Bearer {token[1]}"})
    assert script.get("/api/devices/").json()["results"][0]["scopes"] == ["read"]
    assert script.post("/api/conversations/", {}, format="json").status_code == 403


def test_a_token_is_shown_once_and_kept_by_no_cache(browser_of: Client) -> None:
    assert "no-store" in make(browser_of).headers["Cache-Control"]
    assert not TOKEN.search(shown(browser_of))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": " "}, "Name: Give it a name of at most 100 characters."),
        ({"name": "x" * 101}, "Name: Give it a name"),
        ({"name": "a\nb"}, "Name: Give it a name"),
        ({"scopes": []}, "Scopes: Choose at least one of ask, read, questions, settings."),
        ({"scopes": ["read", "everything"]}, "Scopes: Choose at least one"),
    ],
)
def test_a_refused_form_says_why_and_makes_nothing(
    browser_of: Client, fields: dict[str, Any], told: str
) -> None:
    response = make(browser_of, **fields)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert told in response.content.decode()
    assert not Device.objects.exists()


def test_a_refused_form_keeps_what_was_chosen(browser_of: Client) -> None:
    page = make(browser_of, name="", scopes=["settings"]).content.decode()
    assert re.findall(r'value="(\w+)" checked', page) == ["settings"]


def test_a_device_is_revoked(browser_of: Client, person: User) -> None:
    device, _token = person.new_device("Phone")
    response = browser_of.post(DEVICES, {"act": "revoke", "id": str(device.pk)}, follow=True)
    assert "Phone is revoked" in response.content.decode()
    assert not Device.objects.exists()


@pytest.mark.parametrize("id_", ["", "x", "{id}"])
def test_what_is_not_there_or_anothers_is_not_found(browser_of: Client, other_person: User, id_: str) -> None:
    theirs, _token = other_person.new_device("Theirs")
    response = browser_of.post(DEVICES, {"act": "revoke", "id": id_.format(id=theirs.pk)})
    assert response.status_code == HTTPStatus.NOT_FOUND
    assert Device.objects.exists()


def test_this_browser_is_signed_out_from_here(browser_of: Client) -> None:
    assert "You are signed in here until" in shown(browser_of)

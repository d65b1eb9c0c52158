"""/api/settings/: a person's own settings, checked field by field."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User

pytestmark = pytest.mark.django_db

PATH = "/api/settings/"
NEW = {
    "answer_language": "",
    "interface_language": "",
    "theme": "system",
    "model_titles": False,
    "blocked_hosts": [],
}


def test_a_new_person_has_set_nothing(api: APIClient) -> None:
    assert NEW.items() <= api.get(PATH).json().items()


@pytest.mark.parametrize(
    "change",
    [
        {"answer_language": "Tiếng Việt"},
        {"answer_language": "zh-CN"},
        {"answer_language": "page"},
        {"answer_language": "question"},
        {"interface_language": "zh-hans"},
        {"theme": "dark"},
        {"blocked_hosts": ["example.org"]},
        {},
    ],
)
def test_a_change_leaves_all_else(api: APIClient, change: dict[str, Any]) -> None:
    before = api.get(PATH).json()
    assert api.patch(PATH, change).json() == before | change
    assert api.get(PATH).json() == before | change


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        ({"theme": "pink"}, "theme", "invalid"),
        ({"theme": ["dark"]}, "theme", "invalid"),
        ({"interface_language": "de"}, "interface_language", "invalid"),
        ({"answer_language": "x" * 101}, "answer_language", "invalid"),
        ({"answer_language": "a\nb"}, "answer_language", "invalid"),
        ({"answer_language": None}, "answer_language", "invalid"),
        ({"colour": "red"}, "colour", "unknown"),
        ({"blocked_hosts": "example.org"}, "blocked_hosts", "invalid"),
        ({"blocked_hosts": ["example.org", "no host"]}, "blocked_hosts[1]", "host.invalid"),
        ({"blocked_hosts": [1.5]}, "blocked_hosts[0]", "host.invalid"),
        ({"blocked_hosts": ["a.org"] * 501}, "blocked_hosts", "invalid"),
    ],
)
def test_a_fault_is_told_by_its_path(api: APIClient, change: dict[str, Any], path: str, code: str) -> None:
    before = api.get(PATH).json()
    response = api.patch(PATH, {"theme": "dark", **change})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert response.json()["error"]["fields"][path][0]["code"] == code
    assert api.get(PATH).json() == before


def test_hosts_are_kept_as_browsers_write_them_and_once(api: APIClient) -> None:
    written = ["https://Example.org:80/x", "*.example.org", "例え.jp"]
    assert api.patch(PATH, {"blocked_hosts": written}).json()["blocked_hosts"] == [
        "example.org",
        "xn--r8jz45g.jp",
    ]


def test_settings_are_each_persons_own(api: APIClient, other_api: APIClient) -> None:
    other_api.patch(PATH, {"theme": "dark"})
    assert api.get(PATH).json()["theme"] == "system"


def test_a_device_without_the_scope_may_read_but_not_change(person: User) -> None:
    _device, token = person.new_device("reader", ("read",))
    reader = APIClient()
    reader.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    assert reader.get(PATH).status_code == HTTPStatus.OK
    assert reader.patch(PATH, {}, format="json").json()["error"]["code"] == "auth.scope"


def test_pages_are_in_the_language_that_was_chosen(browser_of: Client, api: APIClient) -> None:
    api.patch(PATH, {"interface_language": "ja"})
    page = browser_of.get("/", headers={"Accept-Language": "vi"})
    assert '<html lang="ja"' in page.content.decode()
    assert page.headers["Content-Language"] == "ja"


def test_without_a_choice_pages_follow_the_browser(browser_of: Client) -> None:
    assert '<html lang="vi"' in browser_of.get("/", headers={"Accept-Language": "vi"}).content.decode()


def test_the_api_follows_accept_language_whatever_was_chosen(api: APIClient) -> None:
    api.patch(PATH, {"interface_language": "ja"})
    assert api.get(PATH, headers={"Accept-Language": "vi"}).headers["Content-Language"] == "vi"


def test_a_stranger_sees_the_browsers_language_after_signing_out(browser_of: Client, api: APIClient) -> None:
    api.patch(PATH, {"interface_language": "ja"})
    browser_of.post("/sign-out/")
    assert '<html lang="en"' in browser_of.get("/sign-in/").content.decode()

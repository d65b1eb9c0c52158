"""Programs in browsers on other origins: only configured ones, only to the APIs, and never with the person's cookie."""

from collections.abc import Mapping

import pytest
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.openai.headers import OPENAI_HEADERS

pytestmark = pytest.mark.django_db

OURS = "https://notes.example"
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
ALLOWED = "Access-Control-Allow-Origin"
APIS = ("/api/conversations/", "/v1/chat/completions")


@pytest.fixture(autouse=True)
def configured(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [OURS, EXTENSION]


def preflight(path: str, origin: str, wanted: str = "authorization, content-type") -> Mapping[str, str]:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": wanted,
    }
    return Client().options(path, headers=headers).headers


@pytest.mark.parametrize("path", APIS)
@pytest.mark.parametrize("origin", [OURS, EXTENSION])
def test_a_configured_one_may_post_with_a_token(path: str, origin: str) -> None:
    told = preflight(path, origin)
    assert told[ALLOWED] == origin
    assert {"authorization", "content-type"} <= set(told["Access-Control-Allow-Headers"].split(", "))
    assert "POST" in told["Access-Control-Allow-Methods"]


@pytest.mark.parametrize("path", APIS)
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://notes.example",
        "https://notes.example:8443",
        "null",
        f"{OURS}.evil.example",
    ],
)
def test_any_other_may_not(path: str, origin: str) -> None:
    assert ALLOWED not in preflight(path, origin)


@pytest.mark.parametrize(
    "path", ["/", "/sign-in/", "/settings/devices/", "/pair/", "/admin/", "/apis/", "/static/x.js"]
)
def test_nobody_else_reads_pages(path: str) -> None:
    assert ALLOWED not in preflight(path, OURS)
    assert ALLOWED not in Client().get(path, headers={"Origin": OURS}).headers


@pytest.mark.parametrize("path", APIS)
def test_the_persons_cookie_never_goes_along(path: str) -> None:
    assert "Access-Control-Allow-Credentials" not in preflight(path, OURS)


def test_answers_and_refusals_can_be_read(api: APIClient) -> None:
    for client, status in ((api, 200), (Client(), 401)):
        response = client.get("/api/conversations/", headers={"Origin": OURS})
        assert (response.status_code, response.headers[ALLOWED]) == (status, OURS)
        assert "origin" in response.headers["Vary"].lower()


def test_how_long_to_wait_can_be_read(api: APIClient) -> None:
    response = api.get("/api/conversations/", headers={"Origin": OURS})
    assert "Retry-After" in response.headers["Access-Control-Expose-Headers"]


def test_openais_own_client_may_send_what_it_sends() -> None:
    told = preflight("/v1/chat/completions", OURS, ", ".join(OPENAI_HEADERS))
    assert set(OPENAI_HEADERS) <= set(told["Access-Control-Allow-Headers"].split(", "))


def test_without_any_nobody_may(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = []
    assert ALLOWED not in preflight(APIS[0], OURS)

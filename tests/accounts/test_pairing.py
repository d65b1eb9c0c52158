"""Pairing: an extension that this server knows asks, the person approves, and a code brings the token, once."""

from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.accounts.models import Device, PairingCode, User

pytestmark = pytest.mark.django_db

KNOWN, UNKNOWN = "abcdefghijklmnopabcdefghijklmnop", "p" * 32
BACK = f"https://{KNOWN}.chromiumapp.org/paired"
VERIFIER = "v" * 43
# As RFC 7636, appendix B, has them.
RFC_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
RFC_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@pytest.fixture(autouse=True)
def known_extension(settings: Settings) -> None:
    settings.ASKWEB_EXTENSION_IDS = (KNOWN,)


@pytest.fixture
def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def challenge_of(verifier: str) -> str:
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


def asking(**changes: str | None) -> str:
    """The address that the extension opens."""
    query = {
        "redirect_uri": BACK,
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
        "state": "s/ä &",
        "name": "Laptop <b>",
        "scopes": "ask read",
        **changes,
    }
    return "/pair/?" + urlencode({name: value for name, value in query.items() if value is not None})


def press(browser: Client, button: str, **changes: str | None) -> str:
    """Where the button leads."""
    response = browser.post(asking(**changes), {"act": button})
    assert response.status_code == HTTPStatus.FOUND
    return response.headers["Location"]


def code_of(browser: Client, **changes: str | None) -> str:
    return parse_qs(urlsplit(press(browser, "approve", **changes)).query)["code"][0]


def redeem(code: object, verifier: object = VERIFIER, **more: object) -> Any:
    body = {"code": code, "code_verifier": verifier, **more}
    return APIClient().post("/api/pairing/", body, format="json")


def error_of(response: Any) -> str:
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    code: str = response.json()["error"]["code"]
    return code


class TestThePage:
    def test_says_who_wants_what(self, browser_of: Client) -> None:
        page = browser_of.get(asking()).content.decode()
        assert "Pair Laptop &lt;b&gt; with AskWeb?" in page
        assert KNOWN in page
        assert "<li>Ask in your name, change and delete conversations</li>" in page
        assert "Change your settings" not in page

    def test_is_kept_by_no_cache_and_framed_by_nobody(self, browser_of: Client) -> None:
        headers = browser_of.get(asking()).headers
        assert "no-store" in headers["Cache-Control"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]

    def test_lets_its_form_lead_to_the_extension_alone(self, browser_of: Client) -> None:
        policy = browser_of.get(asking()).headers["Content-Security-Policy"].split("; ")
        assert f"form-action 'self' https://{KNOWN}.chromiumapp.org" in policy

    def test_asks_a_stranger_to_sign_in_and_comes_back_to_exactly_this_address(self, person: User) -> None:
        stranger = Client()
        sign_in = stranger.get(asking()).headers["Location"]
        assert sign_in.startswith("/sign-in/?next=/pair/")
        stranger.get(sign_in)
        assert stranger.get(f"/sign-in/{person.new_sign_in_link()}/").headers["Location"] == asking()

    def test_goes_on_where_another_window_has_signed_in(self, browser_of: Client) -> None:
        sign_in = Client().get(asking()).headers["Location"]
        assert browser_of.get(sign_in).headers["Location"] == asking()

    @pytest.mark.parametrize("method", ["get", "head"])
    def test_approves_nothing_by_being_looked_at(self, browser_of: Client, method: str) -> None:
        getattr(browser_of, method)(asking())
        assert not PairingCode.objects.exists()

    def test_approves_nothing_for_another_site(self, person: User) -> None:
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(person)
        assert browser.post(asking(), {"act": "approve"}).status_code == HTTPStatus.FORBIDDEN
        assert not PairingCode.objects.exists()

    def test_approving_leads_back_with_a_code_and_the_state(self, browser_of: Client) -> None:
        address = urlsplit(press(browser_of, "approve"))
        assert f"{address.scheme}://{address.netloc}{address.path}" == BACK
        answer = parse_qs(address.query)
        assert answer.keys() == {"code", "state"}
        assert answer["state"] == ["s/ä &"]

    def test_cancelling_leads_back_without_a_code(self, browser_of: Client) -> None:
        answer = parse_qs(urlsplit(press(browser_of, "cancel")).query)
        assert answer == {"error": ["access_denied"], "state": ["s/ä &"]}
        assert not PairingCode.objects.exists()


@pytest.mark.parametrize(
    "redirect_uri",
    [
        None,
        "",
        f"https://{UNKNOWN}.chromiumapp.org/",
        f"https://{KNOWN}.chromiumapp.org",
        f"http://{KNOWN}.chromiumapp.org/",
        f"https://{KNOWN}.chromiumapp.org:8443/",
        f"https://{KNOWN}.chromiumapp.org@evil.example/",
        f"https://me@{KNOWN}.chromiumapp.org/",
        f"https://{KNOWN}.chromiumapp.org.evil.example/",
        f"https://evil.example/{KNOWN}.chromiumapp.org/",
        f"https://{KNOWN}.chromiumapp.org/\n",
        f"https://{KNOWN}.chromiumapp.org/\r\nSet-Cookie: a=b",
        f"https://{KNOWN}.chromiumapp.org/?code=mine",
        f"https://{KNOWN}.chromiumapp.org/#",
        f"https://{KNOWN}.chromiumapp.org\\@evil.example/",
        f"HTTPS://{KNOWN.upper()}.chromiumapp.org/",
        "//evil.example/",
        "javascript:alert(1)",
    ],
)
@pytest.mark.parametrize("act", ["", "approve", "cancel"])
def test_any_other_address_is_an_error_and_never_a_redirect(
    browser_of: Client, redirect_uri: str | None, act: str
) -> None:
    address = asking(redirect_uri=redirect_uri)
    response = browser_of.post(address, {"act": act}) if act else browser_of.get(address)
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "Only extensions that this server knows" in response.content.decode()
    assert not PairingCode.objects.exists()


@pytest.mark.parametrize("path", ["", "paired", "a/b-c_d.e~f", "%C3%A4"])
def test_any_path_of_a_known_extension_is_taken(browser_of: Client, path: str) -> None:
    there = f"https://{KNOWN}.chromiumapp.org/{path}"
    assert press(browser_of, "approve", redirect_uri=there).startswith(f"{there}?code=")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"code_challenge_method": "plain"}, "not safe"),
        ({"code_challenge_method": None}, "not safe"),
        ({"code_challenge": "short"}, "not safe"),
        ({"code_challenge": "x" * 44}, "not safe"),
        ({"code_challenge": "ä" * 43}, "not safe"),
        ({"name": None}, "Give it a name"),
        ({"scopes": None}, "Choose at least one of"),
        ({"scopes": "ask everything"}, "Choose at least one of"),
        ({"state": "x" * 1001}, "at most 1000 characters"),
    ],
)
def test_anything_else_that_is_wrong_is_told_and_leads_nowhere(
    browser_of: Client, changes: dict[str, str | None], told: str
) -> None:
    response = browser_of.post(asking(**changes), {"act": "approve"})
    assert response.status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)
    assert told in response.content.decode()
    assert not PairingCode.objects.exists()


class TestACode:
    def test_brings_a_token_that_may_do_what_was_approved(self, browser_of: Client) -> None:
        response = redeem(code_of(browser_of))
        assert (response.status_code, response.json().keys()) == (201, {"token", "device", "person"})
        extension = APIClient(headers={"Authorization": f"Bearer {response.json()['token']}"})
        device = extension.get("/api/devices/").json()["results"][0]
        assert (device["name"], device["scopes"]) == ("Laptop <b>", ["ask", "read"])
        assert device["id"] == response.json()["device"]["id"]

    def test_answer_is_kept_by_no_cache(self, browser_of: Client) -> None:
        assert redeem(code_of(browser_of)).headers["Cache-Control"] == "no-store"

    def test_belongs_to_the_person_who_approved(self, other_person: User) -> None:
        browser = Client()
        browser.force_login(other_person)
        redeem(code_of(browser))
        assert Device.objects.get().user == other_person

    def test_agrees_with_the_example_of_the_standard(self, browser_of: Client) -> None:
        code = code_of(browser_of, code_challenge=RFC_CHALLENGE)
        assert redeem(code, RFC_VERIFIER).status_code == HTTPStatus.CREATED

    def test_works_once(self, browser_of: Client) -> None:
        code = code_of(browser_of)
        redeem(code)
        assert error_of(redeem(code)) == "pairing.unknown"
        assert Device.objects.count() == 1

    def test_works_for_60_seconds(self, browser_of: Client) -> None:
        code = code_of(browser_of)
        life = PairingCode.objects.get().expires_at - timezone.now()
        assert timedelta(seconds=55) < life <= timedelta(seconds=60)
        PairingCode.objects.update(expires_at=timezone.now())
        assert error_of(redeem(code)) == "pairing.unknown"

    def test_with_another_verifier_is_refused_and_gone(self, browser_of: Client) -> None:
        code = code_of(browser_of)
        assert error_of(redeem(code, "x" * 43)) == "pairing.verifier"
        assert error_of(redeem(code)) == "pairing.unknown"
        assert not Device.objects.exists()

    @pytest.mark.parametrize(("address", "status"), [(BACK, 201), (f"{BACK}/", 422), (None, 422)])
    def test_goes_with_its_address_where_that_is_named(
        self, browser_of: Client, address: str | None, status: int
    ) -> None:
        assert redeem(code_of(browser_of), redirect_uri=address).status_code == status

    def test_of_someone_who_was_deactivated_is_refused(self, browser_of: Client, person: User) -> None:
        code = code_of(browser_of)
        User.objects.update(is_active=False)
        assert error_of(redeem(code)) == "pairing.unknown"

    def test_is_not_stored_in_clear(self, browser_of: Client) -> None:
        code = code_of(browser_of)
        assert code not in str(PairingCode.objects.values().get())

    def test_takes_those_that_are_too_old_away(self, browser_of: Client) -> None:
        code_of(browser_of)
        PairingCode.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        code_of(browser_of)
        assert PairingCode.objects.count() == 1

    @pytest.mark.parametrize(
        ("code", "verifier", "faults"),
        [
            (None, VERIFIER, {"code"}),
            ("x", 5, {"code_verifier"}),
            ("", "", {"code", "code_verifier"}),
            ([], {}, {"code", "code_verifier"}),
        ],
    )
    def test_that_is_none_is_told_by_field(self, code: object, verifier: object, faults: set[str]) -> None:
        response = redeem(code, verifier)
        assert error_of(response) == "invalid"
        assert response.json()["error"]["fields"].keys() == faults

    @pytest.mark.parametrize("code", ["guessed", "é", "x" * 5000, "\x00"])
    def test_that_is_unknown_is_refused(self, code: str) -> None:
        assert error_of(redeem(code)) == "pairing.unknown"

    @pytest.mark.parametrize(
        "body", [r'{"code": "\ud800", "code_verifier": "x"}', r'{"code": "x", "code_verifier": "\ud800"}']
    )
    def test_that_no_database_takes_is_refused(self, body: str) -> None:
        assert (
            error_of(APIClient().post("/api/pairing/", body, content_type="application/json"))
            == "pairing.unknown"
        )

    def test_wants_an_object(self) -> None:
        assert error_of(APIClient().post("/api/pairing/", [1], format="json")) == "invalid"


def test_devices_themselves_can_not_approve(api: APIClient) -> None:
    assert api.post(asking(), {"act": "approve"}).headers["Location"].startswith("/sign-in/")

"""Rates: who goes on too fast is told for how long to wait, and nobody else notices."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.images.models import Image
from askweb.providers.models import Provider
from askweb.rates import Rate
from tests.images.pictures import drawn, written

pytestmark = pytest.mark.django_db

ASKED = {"messages": [{"role": "user", "content": "Hi"}]}
MANY = "3/minute"


class Clock:
    """Says the same time until it is put on."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Three of each a minute."""
    settings.ASKWEB_RATES = dict.fromkeys(("sign_in", "pairing", "posting"), MANY)
    clock = Clock()
    monkeypatch.setattr(Rate, "timer", staticmethod(clock))
    cache.clear()
    yield clock
    cache.clear()


@pytest.fixture
def company(other_person: User) -> User:
    """Somebody else who uses the server, without whom nobody is held up."""
    return other_person


def picture() -> SimpleUploadedFile:
    return SimpleUploadedFile("a.png", written(drawn(), "PNG"))


def is_held(response: Any) -> bool:
    if response.status_code != 429:
        return False
    error = response.json()["error"]
    assert error["code"] in ("rate.limited", "rate_limit_exceeded")
    return int(response["Retry-After"]) > 0


def statuses(answers: list[Any]) -> list[bool]:
    return [is_held(each) for each in answers]


class TestPosting:
    def test_too_often_is_refused_with_how_long_to_wait(
        self, api: APIClient, provider: Provider, company: User
    ) -> None:
        posts = [api.post("/api/conversations/", ASKED) for _ in range(4)]
        assert [each.status_code for each in posts] == [201, 201, 201, 429]
        assert posts[3]["Retry-After"] == "60"
        assert posts[3].json()["error"] == {
            "code": "rate.limited",
            "message": "This came too often. Try again in 60 seconds.",
            "fields": {},
        }

    def test_may_go_on_after_that(
        self, api: APIClient, provider: Provider, company: User, clock: Clock
    ) -> None:
        for _ in range(4):
            api.post("/api/conversations/", ASKED)
        clock.now += 60
        assert api.post("/api/conversations/", ASKED).status_code == 201

    def test_is_counted_for_each_person(
        self, api: APIClient, other_api: APIClient, provider: Provider
    ) -> None:
        answers = [api.post("/api/conversations/", ASKED) for _ in range(4)]
        assert statuses(answers) == [False] * 3 + [True]
        assert not is_held(other_api.post("/api/conversations/", ASKED))

    def test_is_counted_for_all_their_devices_and_windows(
        self, api: APIClient, person: User, provider: Provider, company: User
    ) -> None:
        window = Client()
        window.force_login(person)
        for each in (api, APIClient(headers={"Authorization": f"Bearer {person.new_device('b')[1]}"})):
            each.post("/api/conversations/", ASKED, format="json")
        window.post("/", {"text": "Hi", "tool": "ask", "nonce": "n"})
        assert is_held(api.post("/api/conversations/", ASKED))

    def test_who_is_alone_is_never_held_up(self, api: APIClient, provider: Provider) -> None:
        answers = [api.post("/api/conversations/", ASKED) for _ in range(8)]
        assert {each.status_code for each in answers} == {201}

    def test_reading_is_never_held_up(self, api: APIClient, company: User) -> None:
        assert {api.get("/api/conversations/").status_code for _ in range(8)} == {200}

    def test_without_a_limit_nobody_is_held_up(
        self, api: APIClient, provider: Provider, company: User, settings: Settings
    ) -> None:
        settings.ASKWEB_RATES = dict.fromkeys(settings.ASKWEB_RATES)
        assert {api.post("/api/conversations/", ASKED).status_code for _ in range(8)} == {201}

    @pytest.mark.parametrize(
        "path",
        [
            "/api/conversations/{conversation}/messages/",
            "/api/messages/{reply}/regenerate/",
            "/api/messages/{message}/edit/",
            "/api/messages/{reply}/continue/",
            "/api/images/",
            "/api/providers/{provider}/test/",
            "/v1/chat/completions",
        ],
    )
    def test_is_whatever_asks_or_costs_as_much(
        self, api: APIClient, provider: Provider, company: User, path: str
    ) -> None:
        posts = [api.post("/api/conversations/", ASKED).json() for _ in range(3)]
        ids = {kind: posts[0][kind]["id"] for kind in ("conversation", "message", "reply")}
        ids["provider"] = str(provider.pk)
        assert is_held(api.post(path.format(**ids), {}, format="json"))

    @pytest.mark.parametrize("act", ["test", "models"])
    def test_of_a_provider_in_a_window_counts(
        self, client: Client, person: User, provider: Provider, company: User, act: str
    ) -> None:
        client.force_login(person)
        pages = [client.post(f"/settings/providers/{provider.pk}/", {"act": act}) for _ in range(4)]
        assert ["too often" in page.content.decode() for page in pages] == [False, False, False, True]

    def test_of_an_image_counts(self, api: APIClient, company: User) -> None:
        answers = [api.post("/api/images/", {"image": picture()}, format="multipart") for _ in range(4)]
        assert statuses(answers) == [False] * 3 + [True]
        assert Image.objects.count() == 1

    def test_in_a_window_keeps_what_was_typed(
        self, api: APIClient, person: User, provider: Provider, company: User
    ) -> None:
        posts = [api.post("/api/conversations/", ASKED).json() for _ in range(3)]
        window = Client()
        window.force_login(person)
        for path in ("/", f"/conversations/{posts[0]['conversation']['id']}/"):
            page = window.post(path, {"text": "My long question", "tool": "ask", "nonce": "n"})
            assert (page.status_code, page["Retry-After"]) == (429, "60")
            assert "This came too often." in page.content.decode()
            assert "My long question" in page.content.decode()

    @pytest.mark.parametrize("act", ["edit", "regenerate", "continue"])
    def test_of_branches_in_a_window_counts(
        self, api: APIClient, person: User, provider: Provider, company: User, act: str
    ) -> None:
        posts = [api.post("/api/conversations/", ASKED).json() for _ in range(3)]
        window = Client()
        window.force_login(person)
        id_ = posts[0]["message" if act == "edit" else "reply"]["id"]
        page = window.post(f"/messages/{id_}/{act}/", {"text": "Other words", "nonce": "n"})
        assert page.status_code == 429
        assert "This came too often." in page.content.decode()


class TestSigningIn:
    def test_by_links_too_often_is_refused_and_neither_uses_them_up_nor_logs_them(
        self, client: Client, person: User, caplog: pytest.LogCaptureFixture
    ) -> None:
        for _ in range(3):
            client.get("/sign-in/guessed/")
        path = f"/sign-in/{person.new_sign_in_link()}/"
        page = client.get(path)
        assert (page.status_code, page["Retry-After"]) == (429, "60")
        assert "Try again in 60 seconds." in page.content.decode()
        assert path not in caplog.text
        cache.clear()
        assert client.get(path).status_code == 302

    @pytest.mark.parametrize("path", ["/sign-in/", "/admin/login/"])
    def test_by_passwords_too_often_is_refused(self, client: Client, person: User, path: str) -> None:
        person.set_password("right")
        person.save()
        fields = {"username": person.username, "password": "guessed"}
        for _ in range(3):
            assert client.post(path, fields).status_code != 429
        assert client.post(path, {**fields, "password": "right"}).status_code == 429
        assert "_auth_user_id" not in client.session

    def test_looking_at_the_page_is_never_held_up(self, client: Client, db: None) -> None:
        paths = ("/sign-in/", "/admin/login/")
        assert {client.get(path).status_code for path in paths for _ in range(5)} == {200}

    def test_is_counted_for_each_address(self, client: Client, db: None) -> None:
        answers = [client.get("/sign-in/x/", REMOTE_ADDR="192.0.2.1").status_code for _ in range(4)]
        assert answers == [410, 410, 410, 429]
        assert client.get("/sign-in/x/", REMOTE_ADDR="192.0.2.2").status_code == 410

    def test_is_counted_for_all_addresses_that_one_subscriber_has(self, client: Client, db: None) -> None:
        answers = [client.get("/sign-in/x/", REMOTE_ADDR=f"2001:db8::{n}").status_code for n in range(4)]
        assert answers == [410, 410, 410, 429]
        assert client.get("/sign-in/x/", REMOTE_ADDR="2001:db8:0:1::1").status_code == 410

    @pytest.mark.parametrize(("proxies", "last"), [(0, 429), (1, 410)])
    def test_believes_only_the_proxies_that_there_are(
        self, client: Client, db: None, settings: Settings, proxies: int, last: int
    ) -> None:
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
        came = [
            client.get("/sign-in/x/", headers={"X-Forwarded-For": f"1.1.1.1, 192.0.2.{n}"}) for n in range(4)
        ]
        assert came[3].status_code == last

    def test_what_a_client_claims_before_the_proxy_says_counts_for_nothing(
        self, client: Client, db: None, settings: Settings
    ) -> None:
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
        came = [
            client.get("/sign-in/x/", headers={"X-Forwarded-For": f"192.0.2.{n}, 1.1.1.1"}) for n in range(4)
        ]
        assert came[3].status_code == 429


def test_pairing_too_often_is_refused(db: None) -> None:
    body = {"code": "guessed", "code_verifier": "x"}
    answers = [APIClient().post("/api/pairing/", body, format="json") for _ in range(4)]
    assert statuses(answers) == [False] * 3 + [True]


def test_while_redis_is_away_nobody_is_held_up(company: User, provider: Provider, api: APIClient) -> None:
    away = RedisCache("redis://127.0.0.1:9/0", {})
    with patch.object(Rate, "cache", away):
        answers = [api.post("/api/conversations/", ASKED).status_code for _each in range(5)]
    assert answers == [201] * 5

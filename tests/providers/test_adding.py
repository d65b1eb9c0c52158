"""What a provider may be given: refused where it is typed, not when it is called."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.providers.models import Provider

pytestmark = pytest.mark.django_db

HERE = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_url", "ftp://example.org"),
        ("base_url", "example.org/v1"),
        ("base_url", "http://name:password@example.org/v1"),
        ("base_url", "http://a..b/v1"),
        ("base_url", "http://example.org/v1#there"),
        ("headers", {"Content-Length": "5"}),
        ("headers", {"host": "example.org"}),
        ("headers", {"X-Line": "a\r\nb"}),
        ("headers", {"X-Name: a": "b"}),
        ("headers", {"Host ": "example.org"}),
        ("models", [{"id": ""}]),
    ],
)
def test_what_could_never_work_is_refused(api: APIClient, field: str, value: object) -> None:
    answer = api.post("/api/providers/", {"base_url": HERE} | {field: value})
    assert answer.status_code == 422
    assert list(answer.json()["error"]["fields"]) == [field]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_url", f"https://example.org/{'x' * 2_000}"),
        ("api_key", "x" * 10_001),
        ("headers", {"X-Long": "x" * 20_000}),
        ("models", [{"id": "m", "more": "x" * 1_000_000}]),
        ("capabilities", {"x" * 1_000_000: {}}),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "long",
)
def test_what_is_too_long_to_be_one_is_refused(api: APIClient, field: str, value: object) -> None:
    """It counts as nobody's storage."""
    answer = api.post("/api/providers/", {"base_url": HERE} | {field: value})
    assert answer.status_code == 422
    assert "characters" in answer.json()["error"]["fields"][field][0]["message"]
    assert len(answer.content) < 1_000


def test_a_password_in_an_address_is_not_shown(api: APIClient) -> None:
    answer = api.post("/api/providers/", {"base_url": "http://name:hunter2@example.org/v1"})
    assert "hunter2" not in answer.content.decode()


class TestAKey:
    """It goes to the server that it was given for: whoever can change the address must not read it there."""

    HOME = "https://api.example.org/v1"

    @pytest.fixture
    def stored(self, api: APIClient) -> Provider:
        added = api.post(
            "/api/providers/", {"base_url": self.HOME, "api_key": "sk-home", "default_model": "m"}
        )
        return Provider.objects.get(pk=added.json()["id"])

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "https://evil.example/v1",
            "http://api.example.org/v1",
            "https://api.example.org:8443/v1",
            "https://api.example.org.evil.example/v1",
        ],
    )
    @pytest.mark.parametrize("more", [{}, {"preset": "openai"}, {"shared": True}])
    def test_does_not_go_elsewhere(
        self, api: APIClient, stored: Provider, elsewhere: str, more: dict[str, Any]
    ) -> None:
        answer = api.patch(f"/api/providers/{stored.pk}/", {"base_url": elsewhere, **more})
        assert answer.status_code == 422
        assert list(answer.json()["error"]["fields"]) == ["api_key"]
        after = Provider.objects.get()
        assert (after.base_url, after.api_key, after.shared) == (self.HOME, "sk-home", False)

    @pytest.mark.parametrize("there", ["https://api.example.org/v2", "https://API.example.org/v1/"])
    def test_stays_with_another_path(self, api: APIClient, stored: Provider, there: str) -> None:
        assert api.patch(f"/api/providers/{stored.pk}/", {"base_url": there}).status_code == 200
        assert Provider.objects.get().api_key == "sk-home"

    @pytest.mark.parametrize(("key", "kept"), [("sk-new", "sk-new"), (None, "")])
    def test_is_given_anew_or_removed_with_a_new_address(
        self, api: APIClient, stored: Provider, key: str | None, kept: str
    ) -> None:
        body = {"base_url": "https://other.example/v1", "api_key": key}
        assert api.patch(f"/api/providers/{stored.pk}/", body).status_code == 200
        assert Provider.objects.get().api_key == kept

    @pytest.mark.parametrize("act", ["save", "test", "models"])
    def test_does_not_go_elsewhere_from_the_page_either(
        self, client: Client, person: User, stored: Provider, act: str
    ) -> None:
        client.force_login(person)
        posted = {"act": act, "name": "Paid", "base_url": "https://evil.example/v1"}
        page = client.post(f"/settings/providers/{stored.pk}/", posted)
        assert "was given for https://api.example.org." in page.content.decode()
        assert Provider.objects.get().base_url == self.HOME

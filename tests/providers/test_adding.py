"""What a provider may be given: refused where it is typed, not when it is called."""

import pytest
from rest_framework.test import APIClient

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
        ("models", [{"id": ""}]),
    ],
)
def test_what_could_never_work_is_refused(api: APIClient, field: str, value: object) -> None:
    answer = api.post("/api/providers/", {"base_url": HERE} | {field: value})
    assert answer.status_code == 422
    assert list(answer.json()["error"]["fields"]) == [field]


def test_a_password_in_an_address_is_not_shown(api: APIClient) -> None:
    answer = api.post("/api/providers/", {"base_url": "http://name:hunter2@example.org/v1"})
    assert "hunter2" not in answer.content.decode()

"""Whatever goes wrong below /api/, the answer has one shape and tells nothing of the inside."""

import re
from io import StringIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import OperationalError
from django.urls import URLPattern, get_resolver
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.errors import Problem, invalid
from askweb.ids import new_id

pytestmark = pytest.mark.django_db

PARAMETER = re.compile(r"<(\w+):\w+>")


def error_of(answer: Any) -> Any:
    body = answer.json()
    assert set(body["error"]) == {"code", "message", "fields"}
    return body["error"]


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing/", "/api/conversations", "/api/runs/7/", "/api/a/b/c"]
)
def test_an_unknown_address_gives_the_one_shape(api: APIClient, method: str, path: str) -> None:
    answer = getattr(api, method)(path)
    assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")


def _addresses() -> list[str]:
    api = next(each for each in get_resolver().url_patterns if str(each.pattern) == "api/")
    rows = [each for each in api.url_patterns if isinstance(each, URLPattern)]
    return ["/api/" + PARAMETER.sub(_example, str(row.pattern)) for row in rows if str(row.pattern)]


def _example(parameter: re.Match[str]) -> str:
    return {"uuid": "{id}", "int": "1"}.get(parameter[1], "x")


NEED_NOBODY = ("/api/schema/", "/api/schema/browse/", "/api/pairing/")


@pytest.mark.parametrize("path", [each for each in _addresses() if each not in NEED_NOBODY])
def test_nobody_gets_in_without_a_sign(path: str) -> None:
    answer = APIClient().get(path.format(id=new_id()))
    assert (answer.status_code, error_of(answer)["code"]) == (401, "auth.required")
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("path", [each for each in _addresses() if "{id}" in each])
@pytest.mark.parametrize("method", ["get", "post", "patch", "delete"])
def test_an_id_that_is_nobodys_is_not_found(api: APIClient, method: str, path: str) -> None:
    answer = getattr(api, method)(path.format(id=new_id()), {}, format="json")
    assert (answer.status_code, error_of(answer)["code"]) in {(404, "not_found"), (405, "method_not_allowed")}


def test_a_method_that_an_address_lacks_is_told(api: APIClient) -> None:
    answer = api.put("/api/conversations/", {})
    assert (answer.status_code, error_of(answer)["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize("method", ["options", "post", "put", "patch", "delete"])
def test_the_browsable_schema_can_only_be_read(api: APIClient, method: str) -> None:
    answer = getattr(api, method)("/api/schema/browse/")
    assert (answer.status_code, error_of(answer)["code"]) == (405, "method_not_allowed")


def test_a_body_that_is_no_json_is_told_with_its_place(api: APIClient) -> None:
    answer = api.generic("POST", "/api/conversations/", b'{"a":\n,}', "application/json")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "json.broken")
    assert (answer.json()["line"], answer.json()["column"]) == (2, 1)


@pytest.mark.parametrize(("path", "content_type"), [("/api/runs/", "application/json"), ("/", "text/html")])
def test_another_hosts_name_is_refused_in_the_shape_of_its_address(path: str, content_type: str) -> None:
    answer = APIClient().get(path, headers={"host": "evil.example"})
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (400, content_type)


def test_a_form_is_not_a_body(api: APIClient) -> None:
    answer = api.generic("POST", "/api/conversations/", b"a=b", "application/x-www-form-urlencoded")
    assert (answer.status_code, error_of(answer)["code"]) == (415, "unsupported_media_type")


def test_a_body_over_the_limit_is_told(api: APIClient, settings: Settings) -> None:
    settings.ASKWEB_BODY_LIMIT = 1024
    answer = api.generic("POST", "/api/conversations/", b" " * 1025, "application/json")
    assert (answer.status_code, error_of(answer)["code"]) == (413, "body.too_large")


def test_a_cookie_needs_its_csrf_token(person: Any) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(person)
    answer = client.post("/api/conversations/", {}, format="json")
    assert (answer.status_code, error_of(answer)["code"]) == (403, "forbidden")


def test_a_fault_of_ours_is_told_in_the_one_shape_too(
    api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("SELECT secret FROM /etc/passwd")

    monkeypatch.setattr("askweb.runs.api._run", crash)
    api.raise_request_exception = False
    answer = api.get(f"/api/runs/{new_id()}/")
    assert (answer.status_code, error_of(answer)["code"]) == (500, "server.fault")
    assert b"secret" not in answer.content


def test_a_database_that_is_away_is_told_as_such(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_named: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("askweb.conversations.api.ConversationList.get", refuse)
    answer = api.get("/api/conversations/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert error_of(answer)["code"] == "database.unavailable"


def test_faults_are_listed_by_path() -> None:
    fault = {"code": "missing", "message": "Give it."}
    body = invalid({"meta.tool": [fault]}).body()  # type: ignore[list-item]
    assert body["error"] == {
        "code": "invalid",
        "message": "Some fields need attention.",
        "fields": {"meta.tool": [fault]},
    }


def test_data_ride_beside_the_error() -> None:
    problem = Problem("run.waiting", "Answer first.", status=409, data={"question_set": {"id": 1}})
    assert problem.body() == {
        "error": {"code": "run.waiting", "message": "Answer first.", "fields": {}},
        "question_set": {"id": 1},
    }


def test_the_schema_is_made_without_a_warning() -> None:
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO(), stderr=StringIO())


def test_the_schema_needs_no_sign_in() -> None:
    assert APIClient().get("/api/schema/").status_code == 200


def test_debug_is_off_unless_asked_for() -> None:
    assert django_settings.DEBUG is False

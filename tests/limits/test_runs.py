"""How many answers a person may have at once, and a day. What is refused leaves nothing behind."""

from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import ContextItem, Conversation, Message, Posting
from askweb.runs.models import DayOfRuns, Run
from tests.answered import answered
from tests.limits.conftest import POST, ask, end, limit

pytestmark = pytest.mark.django_db

KEPT = (Conversation, Message, ContextItem, Run, Posting)


def rows() -> list[int]:
    return [model._default_manager.count() for model in KEPT]


def refused(answer: Any, code: str) -> dict[str, Any]:
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    body: dict[str, Any] = answer.json()
    assert body["error"]["code"] == code
    return body


class TestAtOnce:
    def test_one_too_many_is_refused(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=2)
        assert [ask(api).status_code for _post in range(3)] == [201, 201, 429]

    def test_and_told_what_to_do(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=0)
        answer = ask(api)
        body = refused(answer, "limit.runs_at_once")
        assert body["limit"] == 0
        assert "Wait for one, or stop it." in body["error"]["message"]
        assert int(answer["Retry-After"]) > 0

    def test_nothing_of_it_is_stored_or_counted(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=1)
        ask(api)
        before = rows()
        ask(api, context=[{"id": "page", "content": "x" * 5000}], meta={"client_id": "again"})
        assert rows() == before
        assert DayOfRuns.objects.get().runs == 1

    def test_there_is_room_again_once_one_has_ended(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=1)
        end(ask(api).json()["run"]["id"])
        assert ask(api).status_code == HTTPStatus.CREATED

    def test_one_that_waits_for_the_person_holds_nobody_up(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=1)
        Run.objects.filter(pk=ask(api).json()["run"]["id"]).update(state="waiting")
        assert ask(api).status_code == HTTPStatus.CREATED

    def test_others_have_their_own(self, api: APIClient, other_api: APIClient, person: User) -> None:
        limit(person, runs_at_once=1)
        ask(api)
        assert ask(other_api).status_code == HTTPStatus.CREATED

    def test_the_same_post_again_is_no_other_one(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=1)
        first = ask(api, meta={"client_id": "once"})
        again = ask(api, meta={"client_id": "once"})
        assert again.json()["run"]["id"] == first.json()["run"]["id"]

    def test_history_without_a_question_is_no_run(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=0, runs_per_day=0)
        told = [*POST["messages"], {"role": "assistant", "content": "So."}]
        assert ask(api, messages=told).status_code == HTTPStatus.CREATED


class TestADay:
    def test_one_too_many_is_refused_until_the_day_ends(self, api: APIClient, person: User) -> None:
        limit(person, runs_per_day=1)
        ask(api)
        answer = ask(api)
        body = refused(answer, "limit.runs_per_day")
        ends = datetime.fromisoformat(body["ends_at"])
        assert (ends.utcoffset(), ends.hour, ends.minute) == (timedelta(), 0, 0)
        seconds = (ends - timezone.now()).total_seconds()
        assert seconds <= int(answer["Retry-After"]) <= seconds + 2
        assert f"{ends:%Y-%m-%d} 00:00 UTC" in body["error"]["message"]

    def test_deleting_what_was_asked_gives_none_back(self, api: APIClient, person: User) -> None:
        limit(person, runs_per_day=1)
        ask(api)
        api.post("/api/delete-everything/", {"confirm": person.username})
        person.refresh_from_db()
        token = person.new_device("new")[1]
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        refused(ask(api), "limit.runs_per_day")

    def test_another_day_begins_anew(self, api: APIClient, person: User) -> None:
        limit(person, runs_per_day=1)
        ask(api)
        DayOfRuns.objects.update(day=date(2026, 1, 1))
        assert ask(api).status_code == HTTPStatus.CREATED
        assert sorted(DayOfRuns.objects.values_list("runs", flat=True)) == [1, 1]

    @pytest.mark.parametrize("most", [0, 1, 5])
    def test_no_more_than_the_limit_are_counted(self, person: User, most: int) -> None:
        counted = [DayOfRuns.objects.count_one(person, most) for _run in range(7)]
        assert counted.count(True) == most

    def test_runs_are_counted_without_a_limit_too(self, api: APIClient, person: User) -> None:
        for _post in range(3):
            ask(api)
        assert person.days_of_runs.today() == 3


@pytest.fixture
def asked(api: APIClient) -> Any:
    """A question with an answer that broke off."""
    posted = ask(api).json()
    end(posted["run"]["id"])
    Message.objects.filter(pk=posted["reply"]["id"]).update(state="stopped", content="So")
    return posted


AGAIN = [
    ("conversations/{conversation}/messages", POST),
    ("messages/{reply}/regenerate", {}),
    ("messages/{reply}/continue", {}),
    ("messages/{message}/edit", {"content": "Why then?"}),
]


@pytest.mark.parametrize(("path", "body"), AGAIN)
@pytest.mark.parametrize(
    ("limits", "code"),
    [({"runs_at_once": 0}, "limit.runs_at_once"), ({"runs_per_day": 1}, "limit.runs_per_day")],
)
def test_whatever_starts_a_run_is_refused(
    api: APIClient, person: User, asked: Any, path: str, body: Any, limits: dict[str, int], code: str
) -> None:
    limit(person, **limits)
    before = rows(), list(Message.objects.order_by("pk").values_list("state", "content"))
    ids = {kind: asked[kind]["id"] for kind in ("conversation", "message", "reply")}
    refused(api.post(f"/api/{path.format(**ids)}/", body), code)
    assert (rows(), list(Message.objects.order_by("pk").values_list("state", "content"))) == before


def test_a_changed_answer_starts_a_run_too(api: APIClient, person: User, asked: Any) -> None:
    run = Run.objects.get()
    row = answered(run)
    limit(person, runs_per_day=1)
    before = rows()
    change = {"client_id": "d", "answers": {"where": {"options": [1]}}}
    refused(api.post(f"/api/questions/{row.pk}/change/", change), "limit.runs_per_day")
    assert rows() == before
    limit(person, runs_per_day=2)
    assert api.post(f"/api/questions/{row.pk}/change/", change).status_code == HTTPStatus.ACCEPTED


def test_a_preview_is_no_run(api: APIClient, person: User) -> None:
    limit(person, runs_at_once=0, runs_per_day=0, storage=0)
    assert api.post("/api/assemble/", POST).status_code == HTTPStatus.OK


def test_the_page_says_so_and_keeps_what_was_typed(person: User, client: Any) -> None:
    limit(person, runs_per_day=0)
    client.force_login(person)
    answer = client.post("/", {"text": "What about the tides?"})
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    page = answer.content.decode()
    assert "as often as a day allows" in page
    assert "What about the tides?" in page


class TestOpenAIsEndpoint:
    def test_tells_its_clients_to_try_again_soon(self, api: APIClient, person: User) -> None:
        limit(person, runs_at_once=0)
        answer: Any = api.post("/v1/chat/completions", POST)
        error = answer.json()["error"]
        assert (answer.status_code, error["type"], error["code"]) == (
            429,
            "rate_limit_error",
            "rate_limit_exceeded",
        )
        assert int(answer["Retry-After"]) > 0
        assert "x-should-retry" not in answer

    def test_tells_them_not_to_try_again_today(self, api: APIClient, person: User) -> None:
        limit(person, runs_per_day=0)
        answer: Any = api.post("/v1/chat/completions", POST)
        error = answer.json()["error"]
        assert (answer.status_code, error["type"], error["code"]) == (
            429,
            "insufficient_quota",
            "insufficient_quota",
        )
        assert answer["x-should-retry"] == "false"

    def test_refuses_what_does_not_fit(self, api: APIClient, person: User) -> None:
        limit(person, storage=1)
        answer: Any = api.post("/v1/chat/completions", POST)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "limit.storage")


def test_a_post_takes_no_more_queries_for_more_of_everything(api: APIClient, person: User) -> None:
    limit(person, runs_at_once=1000, runs_per_day=1000, storage=10**9)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert ask(api).status_code == HTTPStatus.CREATED
        return len(captured)

    ask(api)
    few = queries()
    for _post in range(20):
        ask(api)
    assert queries() <= few


def test_a_limit_takes_no_query_where_one_is_alone_but_for_company(api: APIClient, person: User) -> None:
    ask(api)
    with CaptureQueriesContext(connection) as captured:
        ask(api)
    asked = [each["sql"] for each in captured if "SUM(" in each["sql"] or "COUNT(" in each["sql"]]
    assert asked == []

"""`?wait=`: the answer comes once the set has ended, in whatever way, and nothing is held meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import orjson
import pytest
from asgiref.sync import SyncToAsync, ThreadSensitiveContext, sync_to_async
from rest_framework.test import APIClient

from askweb.ids import new_id
from askweb.request_threads import release_thread
from askweb.runs.hub import Frame, hub
from questions import api as questions_api
from questions import waiting
from questions.answering import skip_set
from questions.ending import Sender
from questions.models import QuestionSet, Status
from questions.waiting import wait_for_end
from tests.questions.conftest import AskSet, let_pass, question
from tests.stand_ins.server import LiveServer

LONG = 3600.0
SET, PERSON = new_id(), new_id()


class Looks:
    """What each look into the database finds: the seconds that are left, None for an end; the last one stays."""

    def __init__(self, *found: float | None) -> None:
        self._found = list(found)
        self.count = 0
        self.first = asyncio.Event()

    async def __call__(self, look: object, set_id: UUID) -> float | None:
        assert hub.has_listeners(PERSON), "what ends between a look and joining would be missed"
        self.count += 1
        self.first.set()
        return self._found.pop(0) if len(self._found) > 1 else self._found[0]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Looks]:
    """Sets what is found. The database is looked at again only when there is a reason."""
    monkeypatch.setattr(waiting, "RECHECK", LONG)

    def set_looks(*found: float | None) -> Looks:
        looks = Looks(*found)
        monkeypatch.setattr(waiting, "in_database", looks)
        return looks

    return set_looks


def tell(set_id: UUID) -> None:
    hub.publish(PERSON, Frame(f'{{"meta":{{"question_set":{{"id":"{set_id}"}}}}}}'))


class TestTheWait:
    async def test_what_has_ended_is_not_waited_for(self, looks: Callable[..., Looks]) -> None:
        found = looks(None)
        await wait_for_end(SET, PERSON, LONG)
        assert (found.count, hub.has_listeners(PERSON)) == (1, False)

    async def test_the_feed_tells_of_the_end(self, looks: Callable[..., Looks]) -> None:
        found = looks(LONG, None)
        task = asyncio.create_task(wait_for_end(SET, PERSON, LONG))
        await found.first.wait()
        tell(SET)
        await task
        assert (found.count, hub.has_listeners(PERSON)) == (2, False)

    async def test_what_is_told_of_other_sets_is_no_news(self, looks: Callable[..., Looks]) -> None:
        found = looks(LONG, None)
        task = asyncio.create_task(wait_for_end(SET, PERSON, LONG))
        await found.first.wait()
        tell(new_id())
        await asyncio.sleep(0)
        assert found.count == 1
        tell(SET)
        await task

    async def test_a_draft_is_no_end(self, looks: Callable[..., Looks]) -> None:
        found = looks(LONG, LONG, None)
        task = asyncio.create_task(wait_for_end(SET, PERSON, LONG))
        await found.first.wait()
        tell(SET)
        while found.count < 2:  # noqa: ASYNC110 - it looks in the loop's next turns
            await asyncio.sleep(0)
        tell(SET)
        await task
        assert found.count == 3

    async def test_what_another_process_ends_is_noticed(
        self, looks: Callable[..., Looks], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = looks(LONG, LONG, None)
        monkeypatch.setattr(waiting, "RECHECK", 0.001)
        await wait_for_end(SET, PERSON, LONG)
        assert found.count == 3

    async def test_it_ends_at_the_deadline(self, looks: Callable[..., Looks]) -> None:
        found = looks(0.001, None)
        await wait_for_end(SET, PERSON, LONG)
        assert found.count == 2

    async def test_it_takes_no_longer_than_it_may(self, looks: Callable[..., Looks]) -> None:
        looks(LONG)
        await wait_for_end(SET, PERSON, 0.001)
        assert not hub.has_listeners(PERSON)

    async def test_a_client_that_goes_away_is_forgotten(self, looks: Callable[..., Looks]) -> None:
        found = looks(LONG)
        task = asyncio.create_task(wait_for_end(SET, PERSON, LONG))
        await found.first.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert not hub.has_listeners(PERSON)

    async def test_the_requests_thread_is_given_back(self) -> None:
        async with ThreadSensitiveContext():
            await sync_to_async(int)()
            release_thread()
            assert not SyncToAsync.context_to_thread_executor
            assert await sync_to_async(int)() == 0


@pytest.mark.django_db
class TestTheLook:
    def test_the_time_left_is_that_to_the_deadline(self, ask_set: AskSet) -> None:
        left = waiting._seconds_left(ask_set(seconds=900).pk)
        assert left is not None
        assert 890 < left <= 900

    def test_03_what_is_overdue_ends(self, ask_set: AskSet) -> None:
        row = ask_set()
        let_pass(row, 901)
        assert waiting._seconds_left(row.pk) is None
        row.refresh_from_db()
        assert row.status == Status.EXPIRED

    def test_what_was_deleted_has_ended(self) -> None:
        assert waiting._seconds_left(new_id()) is None


@pytest.mark.django_db
class TestTheRequest:
    @pytest.fixture(autouse=True)
    def waited(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """How long was waited; the set is skipped meanwhile."""
        waited: list[float] = []

        async def wait(set_id: UUID, person_id: UUID, seconds: float) -> None:
            waited.append(seconds)
            await sync_to_async(self.skip)(set_id)

        monkeypatch.setattr(questions_api, "wait_for_end", wait)
        monkeypatch.setattr(questions_api, "close_old_connections", lambda: None)  # it is the test's own
        return waited

    def skip(self, set_id: UUID) -> None:
        skip_set(QuestionSet.objects.get(pk=set_id), {}, sender=Sender("elsewhere"))

    @pytest.mark.parametrize(
        ("wait", "seconds"), [("30", 30), ("1", 1), ("60", 60), ("3600", 60), ("9" * 400, 60)]
    )
    def test_the_answer_is_how_it_ended(
        self, api: APIClient, ask_set: AskSet, waited: list[float], wait: str, seconds: int
    ) -> None:
        shown = api.get(f"/api/questions/{ask_set().pk}/?wait={wait}").json()
        assert (shown["status"], shown["resolved_by"]["surface"]) == ("skipped", "elsewhere")
        assert waited == [seconds]

    @pytest.mark.parametrize("query", ["", "?wait=", "?wait=0"])
    def test_without_a_time_to_wait_it_comes_at_once(
        self, api: APIClient, ask_set: AskSet, waited: list[float], query: str
    ) -> None:
        assert api.get(f"/api/questions/{ask_set().pk}/{query}").json()["status"] == "pending"
        assert waited == []

    def test_what_has_ended_comes_at_once(self, api: APIClient, ask_set: AskSet, waited: list[float]) -> None:
        row = ask_set()
        self.skip(row.pk)
        assert api.get(f"/api/questions/{row.pk}/?wait=30").json()["status"] == "skipped"
        assert waited == []

    @pytest.mark.parametrize("wait", ["soon", "-1", "1.5", "²"])
    def test_only_seconds_are_waited(self, api: APIClient, ask_set: AskSet, wait: str) -> None:
        answer = api.get(f"/api/questions/{ask_set().pk}/", {"wait": wait})
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["wait"])

    def test_others_wait_for_nothing(
        self, other_api: APIClient, ask_set: AskSet, waited: list[float]
    ) -> None:
        assert other_api.get(f"/api/questions/{ask_set().pk}/?wait=30").status_code == 404
        assert waited == []

    @pytest.mark.parametrize("method", ["post", "delete", "options", "head"])
    def test_only_reading_waits(
        self, api: APIClient, ask_set: AskSet, waited: list[float], method: str
    ) -> None:
        answer = getattr(api, method)(f"/api/questions/{ask_set().pk}/?wait=30")
        assert answer.status_code in (200, 405)
        assert waited == []


def ask_live(server: LiveServer) -> Any:
    answer = server.post("/api/questions/", {"questions": [question()], "timeoutSeconds": 600})
    assert answer.status == 201, answer.body
    return answer.json


def test_a_script_gets_the_answer_that_it_waits_for(live: LiveServer) -> None:
    path = f"/api/questions/{ask_live(live)['id']}/"
    with ThreadPoolExecutor(3) as pool:
        waiters = [pool.submit(live.get, f"{path}?wait=15") for _each in range(2)]
        sent = live.post(f"{path}answer/", {"client_id": "1", "answers": {"target": {"options": [1]}}})
    assert sent.status == 200
    assert [waiter.result().json for waiter in waiters] == [sent.json, sent.json]


def test_08_a_pending_set_outlives_the_server(mortal: LiveServer) -> None:
    asked = ask_live(mortal)
    path = f"/api/questions/{asked['id']}/"
    draft = {"answers": {"target": {"other": "typed"}}, "comment": "", "step": 0, "revision": 0}
    assert mortal.request("PUT", f"{path}draft/", orjson.dumps(draft)).status == 200
    mortal.kill()
    mortal.restart()
    found = mortal.get("/api/questions/?status=pending").json["results"]
    assert [each["id"] for each in found] == [asked["id"]]
    assert (found[0]["expires_at"], found[0]["draft"]) == (asked["expires_at"], draft | {"revision": 1})
    sent = mortal.post(f"{path}answer/", {"client_id": "1", "answers": {"target": {"other": "typed"}}})
    assert sent.json["status"] == "answered"

"""Drafts: the same in every window, never older than what is stored; and the deadline, which they move."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Conversation
from askweb.errors import Problem
from questions.drafting import BYTES_LIMIT, extend, save_draft
from questions.ending import bring_up_to_date
from questions.models import QuestionSet, Status
from questions.resolving import expire_overdue
from tests.conversations.conftest import Published, published
from tests.questions.conftest import AskSet, Call, let_pass, several

__all__ = ["published"]
pytestmark = pytest.mark.django_db

TYPED = {"target": {"options": [1], "other": "typed, not checked", "other_checked": False}}


def draft(revision: int = 0, answers: object = None, **more: object) -> dict[str, Any]:
    return {"answers": TYPED if answers is None else answers, "revision": revision, **more}


def save_at(row: QuestionSet, seconds: float, revision: int = 0) -> None:
    save_draft(row, draft(revision), now=row.created + timedelta(seconds=seconds))


def status_at(row: QuestionSet, seconds: float) -> str:
    expire_overdue(QuestionSet.objects.filter(pk=row.pk), row.created + timedelta(seconds=seconds))
    row.refresh_from_db()
    return row.status


class TestDrafts:
    def test_07_every_window_shows_it(self, api: APIClient, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("target", "b", "c"))
        answer = call(row, "draft", draft(comment="200 words", step=2))
        assert (answer.status_code, answer.json()) == (200, {"revision": 1})
        assert api.get(f"/api/questions/{row.pk}/").json()["draft"] == {
            "answers": TYPED, "comment": "200 words", "step": 2, "revision": 1,
        }  # fmt: skip

    def test_07_the_other_windows_hear_of_it(self, ask_set: AskSet, call: Call, published: Published) -> None:
        row = ask_set()
        with published.committed():  # type: ignore[attr-defined]
            call(row, "draft", draft())
        told = published.last("question.updated")["meta"]["question_set"]
        assert (told["id"], told["draft"]["answers"]) == (str(row.pk), TYPED)
        assert published.events(str(row.conversation_id)) == ["question.updated"]

    def test_a_stale_one_never_overwrites_a_newer_one(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        call(row, "draft", draft())
        late = call(row, "draft", draft(0, {}))
        assert (late.status_code, late.json()["error"]["code"]) == (409, "question.stale_draft")
        assert (late.json()["draft"]["answers"], late.json()["draft"]["revision"]) == (TYPED, 1)
        row.refresh_from_db()
        assert (row.draft["answers"], row.revision) == (TYPED, 1)

    def test_one_from_the_future_is_refused_too(self, ask_set: AskSet, call: Call) -> None:
        late = call(ask_set(), "draft", draft(3))
        assert (late.status_code, late.json()["draft"]) == (409, None)

    def test_the_same_again_after_a_lost_response_is_the_same_success(
        self, ask_set: AskSet, call: Call
    ) -> None:
        row = ask_set()
        first, again = (call(row, "draft", draft()) for _each in range(2))
        assert (again.status_code, again.json()) == (200, first.json())

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            (draft(answers={"lost": {}}), "answers.lost"),
            (draft(answers={"target": [1]}), "answers.target"),
            (draft(answers=[1]), "answers"),
            (draft(comment=1), "comment"),
            (draft(step=-1), "step"),
            (draft(step=True), "step"),
            (draft(step=2), "step"),
            ({"answers": {}}, "revision"),
            (draft(-1), "revision"),
            (draft(surprise=1), "surprise"),
        ],
    )
    def test_what_can_not_be_kept_is_refused(
        self, ask_set: AskSet, call: Call, body: object, path: str
    ) -> None:
        answer = call(ask_set(), "draft", body)
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, [path])

    @pytest.mark.parametrize(
        ("entry", "code"),
        [
            ({"options": 5}, "wrong_type"),
            ({"options": {"0": True}}, "wrong_type"),
            ({"options": "01"}, "wrong_type"),
            ({"options": [None]}, "wrong_type"),
            ({"options": [True]}, "wrong_type"),
            ({"options": [2**70]}, "unknown_option"),
            ({"options": [2]}, "unknown_option"),
            ({"options": [-1]}, "unknown_option"),
            ({"options": [0, 0]}, "duplicate"),
            ({"options": [0, 1]}, "too_many"),
            ({"options": [0], "other_checked": True}, "too_many"),
            ({"other": 5}, "wrong_type"),
            ({"other": {"a": 1}}, "wrong_type"),
            ({"other_checked": 1}, "wrong_type"),
            ("Staging", "wrong_type"),
        ],
    )
    def test_an_entry_that_could_never_be_sent_is_refused(
        self, ask_set: AskSet, call: Call, entry: object, code: str
    ) -> None:
        answer = call(ask_set(), "draft", draft(answers={"target": entry}))
        told = {
            path: [each["code"] for each in faults]
            for path, faults in answer.json()["error"]["fields"].items()
        }
        assert (answer.status_code, told) == (422, {"answers.target": [code]})

    @pytest.mark.parametrize(
        "entry",
        [
            {},
            {"options": None, "other": None, "other_checked": None},
            {"options": [1], "other": " \n", "other_checked": False, "pinned": {"mine": [1]}},
            {"options": [], "other": "", "other_checked": True},
        ],
    )
    def test_whatever_else_a_client_keeps_in_it_stays(
        self, ask_set: AskSet, call: Call, entry: object
    ) -> None:
        row = ask_set()
        assert call(row, "draft", draft(answers={"target": entry})).status_code == 200
        row.refresh_from_db()
        assert row.draft["answers"] == {"target": entry}

    @pytest.mark.parametrize(("size", "status"), [(BYTES_LIMIT - 100, 200), (BYTES_LIMIT, 413)])
    def test_it_has_a_limit(self, ask_set: AskSet, call: Call, size: int, status: int) -> None:
        assert call(ask_set(), "draft", draft(answers={}, comment="x" * size)).status_code == status

    def test_an_ended_set_takes_none(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        call(row, "skip", {"client_id": "1"})
        answer = call(row, "draft", draft())
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "question.already_resolved")
        assert answer.json()["question_set"]["status"] == "skipped"

    def test_what_was_typed_outlives_the_deadline(self, api: APIClient, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        call(row, "draft", draft())
        let_pass(row, 901)
        shown = api.get(f"/api/questions/{row.pk}/").json()
        assert (shown["status"], shown["draft"]["answers"]) == ("expired", TYPED)


class TestDeletedMeanwhile:
    """The conversation goes after the set was looked up, and before anything is stored."""

    @pytest.fixture(autouse=True)
    def deleted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def look_up(row: QuestionSet, now: datetime) -> None:
            bring_up_to_date(row, now)
            Conversation.objects.all().delete()

        monkeypatch.setattr("questions.drafting.bring_up_to_date", look_up)
        monkeypatch.setattr("questions.ending.bring_up_to_date", look_up)

    @pytest.mark.parametrize(
        ("action", "body"),
        [
            ("draft", {"answers": TYPED, "revision": 0}),
            ("extend", {"seconds": 60}),
            ("answer", {"client_id": "1", "text": "2. mine"}),
        ],
    )
    def test_it_is_not_there_any_more(
        self, ask_set: AskSet, call: Call, action: str, body: dict[str, object]
    ) -> None:
        row = ask_set(*several("target", "b"))
        assert call(row, action, body).status_code == 404

    def test_nor_for_a_form(self, client: Client, person: User, ask_set: AskSet) -> None:
        row = ask_set()
        client.force_login(person)
        answer = client.post(f"/questions/{row.pk}/answer/", {"act": "extend"})
        assert answer.status_code == 404


class TestTheDeadline:
    def test_05_a_draft_moves_the_deadline(self, ask_set: AskSet) -> None:
        row = ask_set(seconds=30)
        save_at(row, 25)
        assert status_at(row, 31) == Status.PENDING
        assert status_at(row, 86) == Status.EXPIRED

    def test_05_it_never_comes_nearer(self, ask_set: AskSet) -> None:
        row = ask_set(seconds=900)
        before = row.expires_at
        save_at(row, 25)
        assert row.expires_at == before

    def test_06_drafts_move_it_for_an_hour_at_most(self, ask_set: AskSet) -> None:
        row = ask_set(seconds=900)
        for revision, seconds in enumerate(range(20, 3600, 20)):
            save_at(row, seconds, revision)
        assert status_at(row, 3599) == Status.PENDING
        assert status_at(row, 3601) == Status.EXPIRED

    def test_06_a_draft_after_that_is_too_late(self, ask_set: AskSet) -> None:
        row = ask_set(seconds=3600)
        with pytest.raises(Problem, match="time"):
            save_at(row, 3601)

    def test_extending_adds_time(self, ask_set: AskSet, call: Call, person: User) -> None:
        row = ask_set(seconds=900)
        shown = call(row, "extend", {"seconds": 600}).json()
        assert shown["extended_by"] == 600
        assert 1490 < shown["seconds_left"] <= 1500

    @pytest.mark.parametrize(
        ("before", "seconds", "added"), [(900, 3600, 2700), (3600, 60, 0), (3500, 101, 100)]
    )
    def test_it_adds_as_much_as_it_may(self, ask_set: AskSet, before: int, seconds: int, added: int) -> None:
        row = ask_set(seconds=before)
        assert extend(row, {"seconds": seconds}) == added
        assert row.expires_at == row.created + timedelta(seconds=before + added)

    @pytest.mark.parametrize("seconds", [0, -5, 3601, 1.5, "60", True, None])
    def test_only_seconds_are_added(self, ask_set: AskSet, call: Call, seconds: object) -> None:
        assert call(ask_set(), "extend", {"seconds": seconds}).status_code == 422

    def test_everybody_hears_of_it(self, ask_set: AskSet, call: Call, published: Published) -> None:
        row = ask_set()
        with published.committed():  # type: ignore[attr-defined]
            call(row, "extend", {"seconds": 60})
        assert published.events(str(row.conversation_id)) == ["question.updated"]

    def test_what_is_over_stays_over(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        let_pass(row, 901)
        answer = call(row, "extend", {"seconds": 60})
        assert (answer.status_code, answer.json()["question_set"]["status"]) == (409, "expired")

"""A clock that is set back an hour leaves rows of a time to come: nothing waits for it longer than it would have."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.accounts.models import Device, User
from askweb.conversations.models import Conversation
from askweb.rates import Rate
from askweb.runs.models import Run
from askweb.runs.sweeping import TEMPORARY_LIFE, expire_questions, remove_temporary
from questions.asking import ask_person
from questions.models import Origin, QuestionSet
from questions.shapes import Option, Question
from tests.questions.conftest import let_pass
from tests.runs.conftest import MakeRun

# Fixtures of another folder's tests.
from tests.runs.conftest import make_run as make_run

pytestmark = pytest.mark.django_db

HOUR = 3600
SECONDS = 900


@pytest.fixture
def waiting(make_run: MakeRun, person: User) -> Run:
    """A run that asks something for 15 minutes."""
    run = make_run("waiting")
    which = Question(id="q", header="Q", question="Which?", options=[Option("A"), Option("B")])
    where = {"conversation": run.conversation, "reply": run.reply, "source": Origin.FUNCTION, "run": run}
    ask_person([which], seconds=SECONDS, user_id=person.pk, **where)
    return run


def test_a_question_has_its_whole_time_from_then_on(waiting: Run) -> None:
    let_pass(QuestionSet.objects.get(), -HOUR)
    expire_questions()
    row = QuestionSet.objects.get()
    assert SECONDS - 10 < row.seconds_left(timezone.now()) <= SECONDS
    let_pass(row, SECONDS)
    expire_questions()
    assert (QuestionSet.objects.get().status, Run.objects.get().state) == ("expired", "queued")


def test_a_question_of_another_machine_keeps_its_deadline(waiting: Run) -> None:
    let_pass(QuestionSet.objects.get(), -50)
    deadline = QuestionSet.objects.get().expires_at
    expire_questions()
    assert QuestionSet.objects.get().expires_at == deadline


def test_a_temporary_conversation_goes_in_ten_minutes(make_run: MakeRun) -> None:
    make_run("completed")
    now = timezone.now()
    Conversation.objects.update(temporary=True, expires_at=now + TEMPORARY_LIFE + timedelta(hours=1))
    remove_temporary([])
    expires_at = Conversation.objects.get().expires_at
    assert expires_at is not None
    assert expires_at < now + TEMPORARY_LIFE + timedelta(minutes=1)


def test_the_use_of_a_device_is_noted(person: User) -> None:
    device = person.new_device("Phone")[0]
    later = timezone.now() + timedelta(hours=1)
    Device.objects.update(last_used=later)
    device.refresh_from_db()
    device.note_use()
    assert Device.objects.get(pk=device.pk).last_used < later  # type: ignore[operator]


class TestRates:
    @pytest.fixture(autouse=True)
    def counting(self, settings: Settings) -> None:
        settings.ASKWEB_RATES = dict.fromkeys(("sign_in", "pairing", "posting"), "3/minute")
        cache.clear()

    def post(self, api: APIClient, monkeypatch: pytest.MonkeyPatch, at: float) -> int:
        monkeypatch.setattr(Rate, "timer", lambda _self: at)
        return int(api.post("/api/conversations/", {}).status_code)

    @pytest.mark.parametrize(
        ("set_back", "held"), [(HOUR, False), (30, True)], ids=["an hour", "half a minute"]
    )
    def test_what_was_counted_at_a_time_to_come_is_forgotten(
        self,
        api: APIClient,
        other_person: User,
        monkeypatch: pytest.MonkeyPatch,
        set_back: int,
        held: bool,
    ) -> None:
        for _post in range(4):
            self.post(api, monkeypatch, 1_800_000_000.0)
        assert (self.post(api, monkeypatch, 1_800_000_000.0 - set_back) == 429) is held

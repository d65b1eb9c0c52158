"""What was stored by a try whose success got lost, as when a database ends in the middle, is not stored again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from askweb.conversations.models import Message
from askweb.conversations.packing import store_packed
from askweb.runs.checkpointing import Checkpoint, save_checkpoints
from askweb.runs.executing import _claim
from askweb.runs.models import LEASE, ReplyChunk, Run, State
from askweb.runs.settling import NOTHING_RENDERED, UnsavedText, settle
from askweb.runs.stepping import Parked, Step, park, store_step
from prompts.models import Assembly
from questions.deciding import Asked, Decision
from questions.models import QuestionSet
from questions.shapes import Option, Question
from tests.runs.conftest import checkpoint

pytestmark = pytest.mark.django_db
QUESTION = Question(id="q", header="Q", question="Which?", options=[Option("A"), Option("B")])
ASKED = Asked([QUESTION], seconds=600, source="function", call_id="c1")
CALL = {"id": "c1", "name": "ask_user", "arguments": {}, "raw": "{}", "result": None}
STEP = Step("Hm.", "", Decision([CALL], goes_on=True), {"content": 3, "reasoning": 0, "calls": 0})  # type: ignore[list-item]


@pytest.fixture
def streaming(streaming: Run) -> Run:
    store_packed([(Assembly(run=streaming), {"messages": [], "warnings": []})])
    return streaming


def again(run: Run) -> Run:
    return Run.objects.select_related("reply").get(pk=run.pk)


def park_it(run: Run) -> Parked:
    return park(run, STEP, ASKED, UnsavedText("Hm."), NOTHING_RENDERED, seq=1)


def test_a_claim(run: Run) -> None:
    until = timezone.now() + LEASE
    assert [_claim(run.pk, until), _claim(run.pk, until)] == [run, run]
    assert again(run).epoch == 1


def test_a_claim_of_another_is_none(run: Run) -> None:
    until = timezone.now() + LEASE
    _claim(run.pk, until)
    assert _claim(run.pk, until + timedelta(microseconds=1)) is None


def test_a_checkpoint(streaming: Run) -> None:
    save_checkpoints([checkpoint(streaming, "a", reasoning="r", seq=1)])
    save_checkpoints([Checkpoint(streaming.pk, streaming.reply_id, 1, 0, 2, "ab", "rs")])
    save_checkpoints([Checkpoint(streaming.pk, streaming.reply_id, 1, 2, 3, "ab", "")])
    assert ReplyChunk.objects.text() == ("abab", "rs")
    assert again(streaming).seq == 3


def test_a_checkpoint_whose_run_then_ends(streaming: Run) -> None:
    save_checkpoints([checkpoint(streaming, "ab", reasoning="r", seq=1)])
    settle(streaming, State.COMPLETED, UnsavedText("abc", "rs", after=0))
    assert (again(streaming).reply.content, again(streaming).reply.reasoning) == ("abc", "rs")


def test_a_step(streaming: Run) -> None:
    for _twice in range(2):
        store_step(streaming, STEP)
    assert (again(streaming).steps, len(again(streaming).reply.function_calls)) == (1, 1)


@pytest.mark.parametrize("meanwhile", [State.WAITING, State.QUEUED], ids=["unanswered", "answered"])
def test_a_question(streaming: Run, meanwhile: State) -> None:
    assert park_it(again(streaming)) == "waiting"
    Run.objects.update(state=meanwhile)
    assert park_it(streaming) == "waiting"
    assert (QuestionSet.objects.count(), Message.objects.get(pk=streaming.reply_id).content) == (1, "Hm.")

"""Answering: how much of an answer is kept, and which faults its run survives."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from django.db import InterfaceError, OperationalError

from askweb.ids import new_id
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, Event, ReasoningDelta, TextDelta
from askweb.providers.models import Provider
from askweb.runs import answering, means, turns
from askweb.runs.answering import Answering
from askweb.runs.checkpointing import Checkpoints
from askweb.runs.hub import Hub
from askweb.runs.live import LiveReply
from askweb.runs.means import Means
from askweb.runs.models import Run, State

LIMIT = 6
FINISHED = Ending("finished", finish="stop")


class Call:
    """One call that brings these batches."""

    def __init__(self, *batches: Sequence[Event], ending: Ending = FINISHED) -> None:
        self._batches = batches
        self._ending = ending

    async def batches(self) -> AsyncIterator[Sequence[Event]]:
        for batch in self._batches:
            yield batch

    def ended(self) -> Ending:
        return self._ending


class Request:
    """Asks for nothing in particular, and has learned something on the way."""

    model, learned, capabilities = "parrot", {"refuses": ["seed"]}, None

    def body(self) -> dict[str, object]:
        return {}

    def give_way(self, error: ProviderError) -> bool:
        return False


class Model:
    """Stands in for the provider: each call of it takes the next of these."""

    def __init__(self) -> None:
        self.calls: list[Call | ProviderError] = []
        self.faults: list[Exception] = []

    @asynccontextmanager
    async def call(self, *arguments: object, **more: object) -> AsyncIterator[Call]:
        call = self.calls.pop(0)
        if isinstance(call, ProviderError):
            raise call
        yield call

    @asynccontextmanager
    async def reach(self, *arguments: object) -> AsyncIterator[None]:
        yield None

    async def in_database(self, act: object, *arguments: object, **more: object) -> Any:
        if act is answering._prepare:
            return Request(), {}, False
        if act is answering._body:
            return {}
        if self.faults:
            raise self.faults.pop()
        return None


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    model = Model()
    monkeypatch.setattr(answering, "call_model", model.call)
    monkeypatch.setattr(answering, "reach", model.reach)
    monkeypatch.setattr(answering, "in_database", model.in_database)
    monkeypatch.setattr(means, "in_database", model.in_database)
    monkeypatch.setattr(turns, "ANSWER_LIMIT", LIMIT)
    return model


class Sessions:
    def for_calls(self, *, guarded: bool) -> None:
        return None


@pytest.fixture
async def reply() -> LiveReply:
    return LiveReply(Run(conversation_id=new_id(), reply_id=new_id(), epoch=1), Hub())


@pytest.fixture
def answer(reply: LiveReply) -> Answering:
    async def no_time(seconds: float) -> None:
        """Rest for no time at all."""

    nothing = cast(Any, None)
    means = Means(Hub(), Checkpoints(Hub()), cast(Any, Sessions()), nothing, nothing, sleep=no_time)
    return Answering(Run(model="parrot"), Provider(slug="stand-in"), reply, means)


@pytest.mark.parametrize(
    ("batches", "kept", "finish"),
    [
        ([[TextDelta("123456")]], ("123456", ""), "stop"),
        ([[TextDelta("12345678")]], ("123456", ""), "length"),
        ([[TextDelta("1234")], [TextDelta("5678")], [TextDelta("9")]], ("123456", ""), "length"),
        ([[ReasoningDelta("12345")], [TextDelta("6😀8")]], ("6", "12345"), "length"),
        ([[ReasoningDelta("1234567"), TextDelta("8")]], ("", "123456"), "length"),
    ],
)
async def test_no_more_is_kept_than_the_limit(
    model: Model, answer: Answering, reply: LiveReply, batches: Any, kept: Any, finish: str
) -> None:
    model.calls = [Call(*batches)]
    result = await answer.answer()
    reply.flush()
    assert (reply.text(), result.changes["finish"]) == (kept, finish)


BUSY = ProviderError("provider.rate_limit", "busy")
CUT = Ending("interrupted")


@pytest.mark.parametrize("calls", [[Call([TextDelta("Fine.")])], [BUSY, Call()]], ids=["remember", "retry"])
@pytest.mark.parametrize("fault", [OperationalError("database is locked"), InterfaceError("closed")])
async def test_what_only_helps_may_fail(
    model: Model, answer: Answering, caplog: pytest.LogCaptureFixture, calls: Any, fault: Exception
) -> None:
    model.calls, model.faults = list(calls), [fault]
    with caplog.at_level(logging.CRITICAL, "askweb.runs.answering"):
        assert (await answer.answer()).state == State.COMPLETED
    assert model.faults == []


async def test_a_connection_that_drops_before_the_first_delta_is_tried_again(
    model: Model, answer: Answering, reply: LiveReply
) -> None:
    model.calls = [Call(ending=CUT), Call([TextDelta("Fine.")])]
    assert (await answer.answer()).state == State.COMPLETED
    assert reply.text()[0] == "Fine."


async def test_a_connection_that_drops_each_time_interrupts_the_run(model: Model, answer: Answering) -> None:
    model.calls = [Call(ending=CUT), Call(ending=CUT), Call(ending=CUT)]
    assert (await answer.answer()).state == State.INTERRUPTED
    assert model.calls == []


async def test_a_connection_that_drops_after_it_is_not_tried_again(model: Model, answer: Answering) -> None:
    model.calls = [Call([TextDelta("Fi")], ending=CUT), Call([TextDelta("Fine.")])]
    assert (await answer.answer()).state == State.INTERRUPTED
    assert len(model.calls) == 1

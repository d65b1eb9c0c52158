"""Executing a run: its text is safe until the database has it, and each run ends what is its own."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, cast

import pytest
from django.db import InterfaceError, OperationalError
from django.utils.translation import get_language

from askweb.conversations.citing import Parts
from askweb.conversations.models import Message
from askweb.ids import new_id
from askweb.providers.calling import Timers
from askweb.providers.models import Provider
from askweb.runs import checkpointing, executing, rendering
from askweb.runs.checkpointing import Checkpoints
from askweb.runs.executing import Signals, execute
from askweb.runs.hub import Hub
from askweb.runs.live import LiveReply
from askweb.runs.means import Means
from askweb.runs.models import Run, State
from askweb.runs.results import Result
from askweb.runs.settling import NOTHING_RENDERED, Around, Rendered, UnsavedText


class Database:
    """Stands in for the database: gives the run, and meets these faults before it settles."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.faults: list[Exception] = []
        self.away: list[Exception] = []
        self.parts: Parts | Exception = {}
        self.settled: list[tuple[Any, ...]] = []
        self.results: list[dict[str, object]] = []

    async def read(self, act: object, *arguments: Any) -> Run | Around:
        if act is executing._claim:
            if self.away:
                raise self.away.pop()
            return self.run
        if isinstance(self.parts, Exception):
            raise self.parts
        return Around(self.parts)

    async def save(self, act: Callable[[str, str], bool], content: str, reasoning: str) -> bool:
        if self.faults:
            raise self.faults.pop()
        return act(content, reasoning)

    async def make_title(self, run: Run, means: Means) -> None:
        """None is wanted."""

    def settle(self, run: Run, *arguments: Any, **result: object) -> bool:
        self.settled.append(arguments)
        self.results.append({key: result[key] for key in ("code", "retryable") if key in result})
        return True


class Answering:
    """Writes two pieces and is done."""

    languages: ClassVar[list[str | None]] = []

    def __init__(self, run: Run, provider: Provider, reply: LiveReply, means: Means) -> None:
        self.reply = reply

    async def answer(self) -> Result:
        self.languages.append(get_language())
        self.reply.add("**a")
        self.reply.add("b** [1]")
        return Result(State.COMPLETED)


@pytest.fixture
def run() -> Run:
    reply = Message(role="assistant")
    return Run(conversation_id=new_id(), reply=reply, provider=Provider(slug="stand-in"), epoch=1)


@pytest.fixture
def database(run: Run, monkeypatch: pytest.MonkeyPatch) -> Database:
    database = Database(run)
    monkeypatch.setattr("askweb.runs.means.in_database", database.read)
    monkeypatch.setattr(rendering, "in_database", database.read)
    monkeypatch.setattr(checkpointing, "in_database", database.save)
    monkeypatch.setattr(executing, "settle", database.settle)
    monkeypatch.setattr(executing, "Answering", Answering)
    monkeypatch.setattr(executing, "make_title", database.make_title)
    return database


@pytest.fixture
async def means() -> Means:
    async def no_time(seconds: float) -> None:
        """Rest for no time at all."""

    hub, nothing = Hub(), cast(Any, None)
    return Means(hub, Checkpoints(hub), nothing, nothing, Timers(1, 1, 1, 1), sleep=no_time)


AWAY = [OperationalError("the database is starting up"), InterfaceError("connection already closed")]


async def test_a_database_that_is_away_as_a_run_begins_is_waited_for(
    run: Run, database: Database, means: Means, caplog: pytest.LogCaptureFixture
) -> None:
    database.away = list(AWAY)
    with caplog.at_level(logging.CRITICAL, "askweb.runs.means"):
        await execute(run.pk, means, Signals())
    assert database.settled == [WHOLE]


@pytest.mark.parametrize("fault", AWAY)
async def test_a_run_that_waited_in_vain_says_so(
    run: Run,
    database: Database,
    means: Means,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
) -> None:
    async def answer(answering: Answering) -> Result:
        raise fault

    monkeypatch.setattr(Answering, "answer", answer)
    with caplog.at_level(logging.CRITICAL, executing.logger.name):
        await execute(run.pk, means, Signals())
    assert database.results == [{"code": "database.unavailable", "retryable": True}]


WORDS = UnsavedText("**ab** [1]", calls=[])
PARTS: Parts = {1: {"n": 1, "xpath": "/p", "digest": "d"}}
WHOLE = (State.COMPLETED, WORDS, Rendered.of("**ab** [1]", Around()))


async def test_what_is_settled_was_rendered_before(run: Run, database: Database, means: Means) -> None:
    await execute(run.pk, means, Signals())
    assert database.settled == [WHOLE]


@pytest.mark.parametrize(("asked_in", "told_in"), [("ja", "ja"), ("", "en")])
async def test_it_speaks_the_language_of_whoever_asked(
    run: Run, database: Database, means: Means, asked_in: str, told_in: str
) -> None:
    run.language = asked_in
    await execute(run.pk, means, Signals())
    assert (Answering.languages[-1], get_language()) == (told_in, "en")


async def test_what_is_settled_was_linked_before(run: Run, database: Database, means: Means) -> None:
    database.parts = PARTS
    await execute(run.pk, means, Signals())
    assert database.settled == [(State.COMPLETED, WORDS, Rendered.of("**ab** [1]", Around(PARTS)))]


async def test_without_the_parts_it_is_settled_all_the_same(
    run: Run, database: Database, means: Means, caplog: pytest.LogCaptureFixture
) -> None:
    database.parts = OperationalError("database is locked")
    with caplog.at_level(logging.CRITICAL, executing.logger.name):
        await execute(run.pk, means, Signals())
    assert database.settled == [(State.COMPLETED, WORDS, NOTHING_RENDERED)]


async def test_the_text_waits_until_the_database_takes_it(
    run: Run, database: Database, means: Means, caplog: pytest.LogCaptureFixture
) -> None:
    database.faults = [OperationalError("database is locked"), OperationalError("disk is full")]
    with caplog.at_level(logging.CRITICAL, checkpointing.logger.name):
        await execute(run.pk, means, Signals())
    assert database.settled == [WHOLE]


async def test_a_run_that_was_taken_from_this_process_is_not_settled_for_ever(
    run: Run, database: Database, means: Means, caplog: pytest.LogCaptureFixture
) -> None:
    async def lose(seconds: float) -> None:
        means.hub.replies[run.conversation_id].lose()

    database.faults = [OperationalError("database is locked")]
    with caplog.at_level(logging.CRITICAL, checkpointing.logger.name):
        await execute(run.pk, replace(means, sleep=lose), Signals())
    assert database.settled == []


async def test_the_conversations_next_run_is_not_ended_with_the_one_before(
    run: Run, database: Database, means: Means
) -> None:
    earlier, later = Run(conversation_id=run.conversation_id, reply=run.reply), run
    async with executing._live(earlier, means.hub) as old:
        entering = executing._live(later, means.hub)
        new = await entering.__aenter__()
    assert (old.lost.is_set(), new.lost.is_set()) == (True, False)
    assert means.hub.replies == {run.conversation_id: new}
    await entering.__aexit__(None, None, None)
    assert means.hub.replies == {}

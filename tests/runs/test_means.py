"""Database work of a run: an absence of the database is waited out, a minute at most."""

import logging
from typing import Any, cast

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError

from askweb.providers.calling import Timers
from askweb.runs import means as means_module
from askweb.runs.checkpointing import Checkpoints
from askweb.runs.hub import Hub
from askweb.runs.means import PATIENCE, Means


class Time:
    """Passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Act:
    """Fails as long as the database is away."""

    def __init__(self, time: Time, fault: Exception, seconds: float) -> None:
        self.time, self.fault, self.seconds = time, fault, seconds

    def __call__(self) -> str:
        if self.time.now < self.seconds:
            raise self.fault
        return "done"


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def means(time: Time, monkeypatch: pytest.MonkeyPatch) -> Means:
    async def in_database(act: Act) -> str:
        return act()

    hub, nothing = Hub(), cast(Any, None)
    monkeypatch.setattr(means_module, "in_database", in_database)
    timers = Timers(1, 1, 1, 1)
    return Means(hub, Checkpoints(hub), nothing, nothing, timers, clock=time.clock, sleep=time.sleep)


@pytest.fixture(autouse=True)
def in_silence(caplog: pytest.LogCaptureFixture) -> Any:
    with caplog.at_level(logging.CRITICAL, means_module.logger.name):
        yield


@pytest.mark.parametrize("fault", [OperationalError("starting up"), InterfaceError("closed")])
async def test_it_is_done_when_the_database_is_back(means: Means, time: Time, fault: Exception) -> None:
    assert await means.in_database(Act(time, fault, 30)) == "done"
    assert time.now == 30


async def test_after_a_minute_its_fault_is_told(means: Means, time: Time) -> None:
    with pytest.raises(OperationalError):
        await means.in_database(Act(time, OperationalError("gone"), 1000))
    assert time.now == PATIENCE


async def test_what_no_time_will_mend_is_told_at_once(means: Means, time: Time) -> None:
    with pytest.raises(DatabaseError):
        await means.in_database(Act(time, DatabaseError("no such column"), 1000))
    assert time.now == 0

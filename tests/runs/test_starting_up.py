"""Starting the engine: what kept it from starting may pass."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from django.db import OperationalError
from pytest_django import Settings

from askweb.runs import supervising
from askweb.runs.hub import Hub
from askweb.runs.supervising import Supervisor


class Database:
    """Stands in for the database: locked once, then empty."""

    def __init__(self) -> None:
        self.faults: list[Exception] = [OperationalError("database is locked")]

    async def __call__(self, act: object) -> list[object]:
        if self.faults:
            raise self.faults.pop()
        return []


@pytest.fixture
async def supervisor(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> AsyncIterator[Supervisor]:
    async def nothing() -> None:
        """Look for no providers."""

    settings.ON_SQLITE = False  # no data folder is locked
    monkeypatch.setattr(supervising, "hub", Hub())
    monkeypatch.setattr(supervising, "in_database", Database())
    monkeypatch.setattr(supervising, "find_in_background", nothing)
    supervisor = Supervisor()
    yield supervisor
    await supervisor.drain(0)


async def test_a_start_that_failed_is_tried_again_by_whoever_comes_next(supervisor: Supervisor) -> None:
    with pytest.raises(OperationalError):
        await supervisor.start()
    await supervisor.start()
    assert supervisor._means is not None


async def test_all_who_wait_for_a_start_that_fails_are_told(supervisor: Supervisor) -> None:
    both = await asyncio.gather(supervisor.start(), supervisor.start(), return_exceptions=True)
    assert [type(each) for each in both] == [OperationalError, OperationalError]

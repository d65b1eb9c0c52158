"""Checkpoints: what could not be saved is kept and saved next time; what is lost is told to its writer."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError

from askweb.ids import new_id
from askweb.runs import checkpointing
from askweb.runs.checkpointing import REST, SIZE, Checkpoint, Checkpoints
from askweb.runs.hub import Hub
from askweb.runs.live import LiveReply
from askweb.runs.models import Run


class Saving:
    """Stands in for the database: keeps what is saved, or fails as told."""

    def __init__(self) -> None:
        self.saved: list[Checkpoint] = []
        self.lost: set[Any] = set()
        self.fault: Exception | None = None
        self.called = asyncio.Event()

    async def __call__(self, act: object, checkpoints: Sequence[Checkpoint]) -> set[Any]:
        if self.fault is not None:
            raise self.fault
        self.saved += checkpoints
        self.called.set()
        return self.lost


@pytest.fixture
def saving(monkeypatch: pytest.MonkeyPatch) -> Saving:
    saving = Saving()
    monkeypatch.setattr(checkpointing, "in_database", saving)
    return saving


@pytest.fixture
async def reply() -> LiveReply:
    return LiveReply(Run(conversation_id=new_id(), reply_id=new_id(), epoch=2), Hub())


@pytest.fixture
async def checkpoints(reply: LiveReply) -> Checkpoints:
    reply._hub.replies[new_id()] = reply
    return Checkpoints(reply._hub)


async def test_a_checkpoint_ends_exactly_at_its_seq(
    checkpoints: Checkpoints, reply: LiveReply, saving: Saving
) -> None:
    reply.add("a", reasoning="r")
    reply.add("b")
    await checkpoints.save()
    assert saving.saved == [Checkpoint(reply.run_id, reply.reply_id, 2, 0, 3, "ab", "r")]


async def test_the_first_save_renews_the_lease_without_text(
    checkpoints: Checkpoints, reply: LiveReply, saving: Saving
) -> None:
    await checkpoints.save()
    assert [each.content for each in saving.saved] == [""]


async def test_without_text_there_is_nothing_to_save_until_the_next_renewal(
    checkpoints: Checkpoints, saving: Saving
) -> None:
    await checkpoints.save()
    await checkpoints.save()
    assert len(saving.saved) == 1


@pytest.mark.parametrize(
    "fault", [DatabaseError("locked"), InterfaceError("connection already closed"), RuntimeError("a bug")]
)
async def test_what_could_not_be_saved_is_saved_next_time(
    checkpoints: Checkpoints,
    reply: LiveReply,
    saving: Saving,
    fault: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    reply.add("a")
    saving.fault = fault
    with caplog.at_level(logging.CRITICAL, checkpointing.logger.name):
        await checkpoints.save()
    saving.fault = None
    reply.add("b")
    await checkpoints.save()
    assert [each.content for each in saving.saved] == ["ab"]


async def test_leases_that_could_not_be_renewed_are_renewed_next_time(
    checkpoints: Checkpoints, saving: Saving, caplog: pytest.LogCaptureFixture
) -> None:
    saving.fault = DatabaseError("locked")
    with caplog.at_level(logging.CRITICAL, checkpointing.logger.name):
        assert not await checkpoints.save()
    saving.fault = None
    assert await checkpoints.save()
    assert [each.content for each in saving.saved] == [""]


async def test_a_fault_is_not_met_again_with_every_delta(
    checkpoints: Checkpoints,
    reply: LiveReply,
    saving: Saving,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    rested: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def rest(seconds: float) -> None:
        rested.set_result(seconds)
        await asyncio.Event().wait()

    saving.fault = DatabaseError("disk full")
    keeping = asyncio.create_task(checkpoints.keep())
    reply.add("x" * SIZE)
    checkpoints.note(reply)
    with caplog.at_level(logging.CRITICAL, checkpointing.logger.name):
        monkeypatch.setattr(asyncio, "sleep", rest)
        assert await asyncio.wait_for(rested, 5) == REST
    keeping.cancel()


async def test_a_reply_that_is_lost_is_told(
    checkpoints: Checkpoints, reply: LiveReply, saving: Saving
) -> None:
    reply.add("a")
    saving.lost = {reply.run_id}
    await checkpoints.save()
    assert reply.lost.is_set()


@pytest.mark.parametrize("text", ["x" * SIZE, "找" * (SIZE // 3 + 1)], ids=["ascii", "chinese"])
async def test_much_text_does_not_wait_for_the_interval(
    checkpoints: Checkpoints, reply: LiveReply, saving: Saving, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(checkpointing, "INTERVAL", 3600)
    keeping = asyncio.create_task(checkpoints.keep())
    reply.add(text)
    checkpoints.note(reply)
    await asyncio.wait_for(saving.called.wait(), 5)
    keeping.cancel()
    assert saving.saved[0].content == text


async def test_text_that_was_saved_is_no_reason_to_hurry(
    checkpoints: Checkpoints, reply: LiveReply, saving: Saving
) -> None:
    reply.add("找" * SIZE)
    await checkpoints.save()
    assert reply.unsaved_size == 0

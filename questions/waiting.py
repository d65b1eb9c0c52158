"""Waiting for the end of a question set, without a thread and without a database connection meanwhile."""

import asyncio
from contextlib import suppress
from uuid import UUID

from django.utils import timezone

from askweb.runs.database import in_database
from askweb.runs.hub import Frame, hub
from questions.models import QuestionSet
from questions.resolving import expire_overdue

RECHECK = 5.0
"""Seconds after which the database is asked in any case: another process may have ended the set."""


async def wait_for_end(set_id: UUID, person_id: UUID, seconds: float) -> None:
    """Return once the set has ended or is gone, at the latest after so many seconds."""
    news = _News(set_id)
    hub.join(person_id, news)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while (left := await in_database(_seconds_left, set_id)) is not None:
                    await news.wait(min(left, RECHECK))
    finally:
        hub.leave(person_id, news)


class _News:
    """Hears of one set on its person's feed. Frames are hints, so whatever names the set is one."""

    reads_blocks = False

    def __init__(self, set_id: UUID) -> None:
        self._id = str(set_id)
        self._heard = asyncio.Event()

    def deliver(self, topic: UUID, frame: Frame) -> None:
        if self._id in frame.text:
            self._heard.set()

    async def wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._heard.wait()
        self._heard.clear()


def _seconds_left(set_id: UUID) -> float | None:
    """Until the deadline; None when the set has ended or is gone."""
    now = timezone.now()
    rows = QuestionSet.objects.filter(pk=set_id)
    expire_overdue(rows, now)
    deadline = rows.pending().values_list("expires_at", flat=True).first()
    return None if deadline is None else (deadline - now).total_seconds()

"""Trying again: only what may pass by itself, only before the first delta, and in front of the person."""

from collections.abc import Callable

from django.db import transaction

from askweb.conversations.frames import announce
from askweb.providers.errors import ProviderError
from askweb.runs.models import Run

MOST = 2
WITHIN = 20.0
"""Seconds after the first try in which another one may begin."""
PAUSES = (1.0, 4.0)
"""Seconds before each further try, where the provider names none."""


class Retries:
    """Counts the tries of one answer; the first begins now."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.count = 0
        self._clock = clock
        self._end = clock() + WITHIN

    def next_pause(self, error: ProviderError) -> float | None:
        """Seconds until the next try, which counts from here; None when there is none."""
        if not error.retryable or self.count == MOST:
            return None
        pause = PAUSES[self.count] if error.retry_after is None else error.retry_after
        if self._clock() + pause > self._end:
            return None
        self.count += 1
        return pause


@transaction.atomic
def announce_retry(run: Run, *, attempt: int, seconds: float, error: ProviderError) -> None:
    """Tell the conversation's subscribers how long it takes until the run tries again, and why.

    Of a run that has moved on under another epoch only its owner tells.
    """
    if not run.held().select_for_update().values_list("pk"):
        return
    announce(
        "run.retrying",
        run.conversation_id,
        message=run.reply_id,
        run=run.pk,
        epoch=run.epoch,
        seq=0,
        attempt=attempt,
        of=MOST,
        seconds=seconds,
        code=error.code,
        error=error.message,
    )

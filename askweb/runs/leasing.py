"""Runs whose owner is gone: found by looking at their leases again and again, whatever the clocks say.

An owner writes a new time into the lease every 10 seconds. Which time that is doesn't matter: clocks of several machines
differ, and any may be set back or forward while runs are written.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _

from askweb.runs.database import in_database
from askweb.runs.models import LEASE, Run, State
from askweb.runs.settling import settle

logger = logging.getLogger(__name__)

LOOK_SECONDS = 10
"""Between two looks: so often that owners can't be kept from the database for a whole lease without a look that fails."""


async def keep_looking(alive: Callable[[], Collection[UUID]]) -> None:
    """Interrupt what is abandoned, for as long as the process runs. `alive` are the runs that it writes itself."""
    leases = Leases()
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await in_database(leases.interrupt_abandoned, tuple(alive()))
        except Exception:
            logger.exception("leases can't be looked at; trying again in %d seconds", LOOK_SECONDS)
            leases.forget()


class Leases:
    """What this process has seen of them; `clock` is in seconds, and nobody sets it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[UUID, tuple[datetime | None, float]] = {}

    def forget(self) -> None:
        """Look anew: while the database was away no owner could renew its lease."""
        self._seen.clear()

    def interrupt_abandoned(self, alive: Collection[UUID] = ()) -> None:
        """End the streaming runs whose lease has stayed the same for as long as it lasts.

        Those that are `alive` write on, though the database was too busy to renew their lease.
        """
        for run_id in self._unchanged():
            run = Run.objects.filter(pk=run_id, lease_expires_at=self._seen[run_id][0]).first()
            if run is not None and run_id not in alive:
                _interrupt(run)

    def _unchanged(self) -> list[UUID]:
        now = self._clock()
        rows = Run.objects.streaming().values_list("pk", "lease_expires_at")
        earlier, self._seen = self._seen, {}
        for run_id, lease in rows:
            seen = earlier.get(run_id)
            self._seen[run_id] = seen if seen is not None and seen[0] == lease else (lease, now)
        return [run_id for run_id, (_lease, at) in self._seen.items() if now - at >= LEASE.total_seconds()]


def interrupt_left_behind() -> None:
    """At start-up, before anything is seen: end the runs whose owner can't be there.

    On SQLite that is every one of them: the data folder is locked, so no other process runs. Elsewhere an owner may
    only have been kept from the database, or have another clock; whoever is really gone is found by looking.
    """
    for run in Run.objects.streaming() if settings.ON_SQLITE else Run.objects.left_behind():
        _interrupt(run)


def _interrupt(run: Run) -> None:
    """A run that can't be ended is logged: it must not keep the others, or the whole server, from going on."""
    try:
        if run.take_over():
            with run.in_language():
                error = _("The server was stopped while this was written.")
            settle(run, State.INTERRUPTED, code="run.interrupted", error=error, retryable=True)
    except Exception:
        logger.exception("run %s could not be interrupted", run.pk)

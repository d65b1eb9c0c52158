"""Stopping a run: a column that says so, and a nudge to whoever executes it."""

from django.db import transaction
from django.utils import timezone

from askweb.runs.engine import engine
from askweb.runs.models import Run, State
from askweb.runs.settling import settle


def stop_run(run: Run) -> None:
    """Ask a run to stop; what has ended stays as it ended. A run that nobody executes ends here and now.

    Who writes is told at once, whatever the database is busy with, and again for a run that is claimed meanwhile.
    """
    if run.state == State.STREAMING:
        engine.request_stop(run.pk)
    Run.objects.active().filter(pk=run.pk, stop_requested_at=None).update(stop_requested_at=timezone.now())
    run.refresh_from_db(fields=["state", "epoch"])  # it may have come to ask the person since it was read
    if run.state in (State.QUEUED, State.WAITING):
        settle(run, State.STOPPED)
    transaction.on_commit(lambda: engine.request_stop(run.pk))

"""The end of a question set: one compare-and-set. The first wins, and its run goes on.

Rows are locked in one order everywhere: run, question set, conversation.
"""

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from askweb.conversations.frames import announce_run
from askweb.runs.models import Run, State
from questions.announcing import News, announce_question
from questions.models import QuestionSet, QuestionSets, Status

NEWS: Final[dict[Status, News]] = {
    Status.ANSWERED: "answered",
    Status.SKIPPED: "skipped",
    Status.EXPIRED: "expired",
    Status.CANCELLED: "cancelled",
}


@transaction.atomic
def resolve(row: QuestionSet, status: Status, *, now: datetime | None = None, **values: Any) -> bool:
    """End a pending set, whose waiting run is queued again.

    False when it had ended already, has just expired, or was deleted; the row may be out of date then.
    """
    now = now or timezone.now()
    _lock_run(row)
    if status != Status.EXPIRED:
        expire_overdue(QuestionSet.objects.filter(pk=row.pk), now)
    pending = QuestionSet.objects.pending().filter(pk=row.pk)
    won = pending.update(status=status, resolved_at=now, **values)
    if won:
        row.refresh_from_db()
        announce_question(NEWS[status], row)
        if status != Status.CANCELLED:
            _go_on(row)
    return bool(won)


def expire_overdue(rows: QuestionSets, now: datetime | None = None) -> None:
    """End what is pending past its time. Whoever reads sets calls this first, so that no timer is needed."""
    now = now or timezone.now()
    for row in rows.overdue(now):
        resolve(row, Status.EXPIRED, now=now)


@transaction.atomic
def give_time_from_now(row: QuestionSet, now: datetime) -> None:
    """As if it were asked now, with as much time as it was given: nobody should wait for its deadline for longer."""
    asked = QuestionSet.objects.pending().filter(pk=row.pk, created=row.created)
    if asked.update(created=now, expires_at=now + (row.expires_at - row.created)):
        row.refresh_from_db()
        announce_question("updated", row)


def cancel_of_run(run: Run) -> None:
    """A run that ends takes its pending set with it."""
    for row in QuestionSet.objects.pending().filter(run=run):
        resolve(row, Status.CANCELLED)


def _lock_run(row: QuestionSet) -> None:
    if row.run_id is not None:
        list(Run.objects.select_for_update().filter(pk=row.run_id).values_list("pk"))


def _go_on(row: QuestionSet) -> None:
    from askweb.runs.engine import engine  # which imports what ends runs, and that this module

    if row.run_id is None:
        return
    waiting = Run.objects.filter(pk=row.run_id, state=State.WAITING)
    if not waiting.update(state=State.QUEUED):
        return
    run = Run.objects.get(pk=row.run_id)
    announce_run(run)
    engine.enqueue(run.pk, row.user_id)

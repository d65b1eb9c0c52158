"""Sweeping: what nobody looks after any more is brought to its end, or back to work."""

import logging
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.conversations.models import Conversation
from askweb.runs.models import Run, State
from askweb.runs.settling import settle
from questions.models import QuestionSet
from questions.resolving import expire_overdue

logger = logging.getLogger(__name__)

TEMPORARY_LIFE = timedelta(minutes=10)


def interrupt_abandoned(*, at_start: bool = False, alive: Collection[UUID] = ()) -> None:
    """End the streaming runs whose process is gone.

    At start-up on SQLite that is every one of them: the data folder is locked, so no other process runs.
    `alive` are the runs of this process. Their lease may be over when the machine slept or the database was
    busy, but they write on, and end by themselves.
    """
    everyone = at_start and settings.ON_SQLITE
    runs = Run.objects.filter(state=State.STREAMING) if everyone else Run.objects.abandoned()
    for run in runs:
        if run.pk not in alive:
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


def expire_questions() -> None:
    """End the questions that nobody answered in time; their runs go on without."""
    for row in QuestionSet.objects.overdue(timezone.now()):
        try:
            expire_overdue(QuestionSet.objects.filter(pk=row.pk))
        except Exception:
            logger.exception("question set %s could not be ended", row.pk)


def waiting_to_run() -> list[tuple[UUID, UUID]]:
    """Queued runs, oldest first, each with its person."""
    return list(Run.objects.queued().values_list("id", "conversation__user_id"))


def remove_temporary(watched: Collection[UUID]) -> None:
    """Delete temporary conversations 10 minutes after the last subscriber left; `watched` have one."""
    now = timezone.now()
    temporary = Conversation.objects.filter(temporary=True)
    asked = temporary.filter(question_sets__in=QuestionSet.objects.pending())
    in_use = temporary.filter(pk__in=watched) | temporary.filter(runs__in=Run.objects.active()) | asked
    fresh = temporary.filter(expires_at=None)
    Conversation.objects.filter(pk__in=(in_use | fresh).values("pk")).update(expires_at=now + TEMPORARY_LIFE)
    for conversation in temporary.filter(expires_at__lt=now):
        conversation.remove()

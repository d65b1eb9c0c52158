"""Sweeping: what nobody looks after any more is brought to its end, or back to work."""

import logging
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import ParamSpec
from uuid import UUID

from django.utils import timezone

from askweb.conversations.models import Conversation
from askweb.runs.models import Run
from questions.models import QuestionSet
from questions.resolving import expire_overdue, give_time_from_now

logger = logging.getLogger(__name__)

P = ParamSpec("P")

TEMPORARY_LIFE = timedelta(minutes=10)


def expire_questions() -> None:
    """End the questions that nobody answered in time; their runs go on without."""
    now = timezone.now()
    for row in QuestionSet.objects.of_a_time_to_come(now):
        _guarded(row, give_time_from_now, row, now)
    for row in QuestionSet.objects.overdue(now):
        _guarded(row, expire_overdue, QuestionSet.objects.filter(pk=row.pk))


def _guarded(row: QuestionSet, act: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """One set that can't be ended must not keep the others, or the whole server, from going on."""
    try:
        act(*args, **kwargs)
    except Exception:
        logger.exception("question set %s could not be ended", row.pk)


def waiting_to_run() -> list[tuple[UUID, UUID]]:
    """Queued runs, oldest first, each with its person."""
    return list(Run.objects.queued().values_list("id", "conversation__user_id"))


def remove_temporary(watched: Collection[UUID]) -> None:
    """Delete temporary conversations 10 minutes after the last subscriber left; `watched` have one.

    Those with more time than that were left before the clock was set back.
    """
    now = timezone.now()
    temporary = Conversation.objects.filter(temporary=True)
    asked = temporary.filter(question_sets__in=QuestionSet.objects.pending())
    in_use = temporary.filter(pk__in=watched) | temporary.filter(runs__in=Run.objects.active()) | asked
    fresh = temporary.filter(expires_at=None) | temporary.filter(expires_at__gt=now + TEMPORARY_LIFE)
    Conversation.objects.filter(pk__in=(in_use | fresh).values("pk")).update(expires_at=now + TEMPORARY_LIFE)
    for conversation in temporary.filter(expires_at__lt=now):
        conversation.remove()

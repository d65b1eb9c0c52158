"""What every end by a person has in common: who sends it, that it comes once, and what the others are told."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from askweb.errors import Problem, not_found
from questions.models import QuestionSet, Status
from questions.resolving import expire_overdue, resolve
from questions.set_shapes import question_set_shape
from questions.summary import surface_words


@dataclass(frozen=True)
class Sender:
    """The surface, unless the body names another, and the device's name, "" for a cookie."""

    surface: str
    device: str = ""


@dataclass(frozen=True)
class Ending:
    """One submission. Its `client_id` tells whether it came before; "" never did."""

    client_id: str
    surface: str
    device: str
    now: datetime

    def came_before(self, row: QuestionSet) -> bool:
        """Whether this very submission has ended the set. Raises a 409 `Problem` when something else has."""
        bring_up_to_date(row, self.now)
        if row.is_pending:
            return False
        if not self.client_id or row.resolved_as != self.client_id:
            raise already_resolved(row, self.now)
        return True

    def end(self, row: QuestionSet, status: Status, values: Mapping[str, Any] | None = None) -> bool:
        """Whether this ended the set; after False ask `came_before` who did, outside of any transaction."""
        who = {"resolved_as": self.client_id, "surface": self.surface, "device": self.device}
        return resolve(row, status, now=self.now, **who, **(values or {}))


def bring_up_to_date(row: QuestionSet, now: datetime) -> None:
    """Raises a 404 `Problem` for a set that was deleted in the meantime."""
    expire_overdue(QuestionSet.objects.filter(pk=row.pk), now)
    refresh(row)


def refresh(row: QuestionSet) -> None:
    """Raises a 404 `Problem` for a set that was deleted in the meantime."""
    try:
        row.refresh_from_db()
    except QuestionSet.DoesNotExist as error:
        raise not_found() from error


def already_resolved(row: QuestionSet, now: datetime) -> Problem:
    """A 409 with the set, which says who ended it, where and with what."""
    data = {"question_set": question_set_shape(row, now)}
    return Problem("question.already_resolved", _how_it_ended(row), status=409, data=data)


def _how_it_ended(row: QuestionSet) -> str:
    told = {
        Status.ANSWERED.value: _("This has been answered already, in {surface}."),
        Status.SKIPPED.value: _("This has been skipped already, in {surface}."),
        Status.EXPIRED.value: _("The time for this is over."),
        Status.CANCELLED.value: _("This is not asked any more: what asked it was stopped."),
    }
    return told[row.status].format(surface=surface_words(row.surface))

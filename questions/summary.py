"""What stays of a question set in the timeline: a line for each question, for ever."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from questions.labels import without_suffix
from questions.models import Origin, QuestionSet, Status
from questions.shapes import Answer


@dataclass(frozen=True)
class Line:
    header: str
    said: str
    is_answered: bool


@dataclass(frozen=True)
class Summary:
    """`where` says who ended it and from where; "" when nobody did."""

    id: UUID
    lines: Sequence[Line]
    comment: str
    where: str
    can_change: bool
    is_waiting: bool


def summary_of(row: QuestionSet) -> Summary:
    given = row.given()
    return Summary(
        id=row.pk,
        lines=[_line(row, each["id"], each["header"], given.get(each["id"], [])) for each in row.questions],
        comment=row.comment,
        where=_where(row),
        can_change=row.status == Status.ANSWERED and row.source != Origin.API and row.run_id is not None,
        is_waiting=row.is_pending,
    )


def _line(row: QuestionSet, id_: str, header: str, given: Sequence[Answer]) -> Line:
    if given:
        return Line(header, ", ".join(_words(each) for each in given), is_answered=True)
    return Line(header, unanswered_words(row.status), is_answered=False)


def _words(answer: Answer) -> str:
    return without_suffix(answer.value) if answer.source == "option" else answer.value


def unanswered_words(status: str) -> str:
    return {
        Status.PENDING: _("waiting for an answer"),
        Status.SKIPPED: _("skipped"),
        Status.EXPIRED: _("not answered in time"),
        Status.CANCELLED: _("cancelled"),
    }.get(Status(status), _("not answered"))


def _where(row: QuestionSet) -> str:
    if row.status not in (Status.ANSWERED, Status.SKIPPED):
        return ""
    place = surface_words(row.surface)
    place = f"{place}, {row.device}" if place and row.device else place or row.device
    if not place:
        return ""
    if row.status == Status.SKIPPED:
        return _("Skipped by you: %(place)s") % {"place": place}
    return _("Answered by you: %(place)s") % {"place": place}


def surface_words(surface: str) -> str:
    """Where a person sees and answers; adapters bring surfaces of their own."""
    return {
        "control_ui": _("Control UI"),
        "extension": _("browser extension"),
        "api": _("API"),
        "text": _("text message"),
    }.get(surface, surface) or _("another place")

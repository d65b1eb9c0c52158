"""Answers to a tool's questions that are taken from then on without asking."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.utils.translation import gettext as _

from questions.bodies import Body
from questions.models import Origin, QuestionSet, RememberedAnswer
from questions.set_shapes import AnswerShape


class RememberedShape(TypedDict):
    id: UUID
    tool: str
    question: str
    values: list[AnswerShape]
    created: datetime


def read_remember(row: QuestionSet, body: Body) -> Sequence[str]:
    """The ids of the questions whose answers are to be remembered: all for true. Faults are the body's."""
    value = body.values.get("remember")
    if value is None or value is False:
        return ()
    if row.source != Origin.TOOL:
        body.fault("remember", "not_available", _("Only answers to a tool's questions can be remembered."))
        return ()
    if value is True:
        return row.ids
    ids = value if isinstance(value, list) else [None]
    if not all(each in row.ids for each in ids):
        message = _("Must be true, or a list of these ids: {ids}.").format(ids=", ".join(row.ids))
        body.fault("remember", "wrong_type", message)
    return [each for each in row.ids if each in ids]


def remember(row: QuestionSet, ids: Sequence[str]) -> None:
    """Keep the answers that were given to these questions, in place of older ones."""
    for id_ in ids:
        if values := (row.answers or {}).get(id_):
            RememberedAnswer.objects.update_or_create(
                user_id=row.user_id,
                tool=row.tool,
                question=id_,
                defaults={"values": values},
            )


def remembered_shape(row: RememberedAnswer) -> RememberedShape:
    return {
        "id": row.pk,
        "tool": row.tool,
        "question": row.question,
        "values": row.values,
        "created": row.created,
    }

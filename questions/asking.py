"""Asking the person: a set is stored, pending, and everybody who watches is told."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from questions.announcing import announce_question
from questions.models import QuestionSet, stored_question
from questions.schema import DEFAULT_TIMEOUT
from questions.shapes import Question


class AlreadyAsked(Exception):
    """Another set is pending in the conversation: ask one at a time."""


@transaction.atomic
def ask_person(questions: Sequence[Question], *, seconds: int, **where: Any) -> QuestionSet:
    """Ask, in the caller's transaction if there is one. Raises `AlreadyAsked`, and then nothing has changed.

    `where` are more fields of the set: at least its user, source and conversation.
    """
    row = QuestionSet(questions=[stored_question(each) for each in questions], **where)
    row.expires_at = deadline(row.created, seconds)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        if not QuestionSet.objects.pending().filter(conversation=row.conversation_id).exists():
            raise
        raise AlreadyAsked from error
    announce_question("asked", row)
    return row


def deadline(asked_at: datetime, seconds: int = DEFAULT_TIMEOUT) -> datetime:
    return asked_at + timedelta(seconds=seconds)

"""Question sets in a conversation's JSON file."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from askweb.conversations.models import Conversation
from questions.models import QuestionSet


class ExportedQuestionSet(TypedDict):
    """`message` is the reply whose run asked, null for a script; `after` the last message before it was asked."""

    id: str
    message: str | None
    after: str | None
    branch_of: str | None
    source: str
    tool: str
    questions: list[Any]
    followup: Any
    call_id: str
    place: dict[str, int]
    created: str
    expires_at: str
    status: str
    draft: Any
    revision: int
    answers: Any
    comment: str
    images: list[str]
    context: list[Any]
    resolved_at: str | None
    surface: str
    device: str


def exported_question_sets(conversation: Conversation) -> Iterator[ExportedQuestionSet]:
    """In the order in which they were asked. The ids of clients, which mean nothing elsewhere, are left out."""
    messages = list(conversation.messages.order_by("id").values_list("pk", flat=True))
    for row in conversation.question_sets.order_by("id").iterator():
        yield _exported(row, messages)


def _exported(row: QuestionSet, messages: Sequence[UUID]) -> ExportedQuestionSet:
    place = bisect_right(messages, row.pk)
    return {
        "id": str(row.pk),
        "message": _id(row.reply_id),
        "after": _id(messages[place - 1] if place else None),
        "branch_of": _id(row.branch_of_id),
        "source": row.source,
        "tool": row.tool,
        "questions": row.questions,
        "followup": row.followup,
        "call_id": row.call_id,
        "place": row.place,
        "created": row.created.isoformat(),
        "expires_at": row.expires_at.isoformat(),
        "status": row.status,
        "draft": row.draft,
        "revision": row.revision,
        "answers": row.answers,
        "comment": row.comment,
        "images": row.images,
        "context": row.context,
        "resolved_at": _time(row.resolved_at),
        "surface": row.surface,
        "device": row.device,
    }


def _id(id_: UUID | None) -> str | None:
    return str(id_) if id_ else None


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None

"""The shape in which question sets leave the server. See docs/protocol.md."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict
from uuid import UUID

from django.utils import timezone

from questions.models import QuestionSet
from questions.readable import readable_text
from questions.results import Detail, FollowupShape, details
from questions.shapes import Reason, Source

REASONS: Mapping[str, Reason] = {"skipped": "skipped", "expired": "expired", "cancelled": "cancelled"}


class OptionShape(TypedDict):
    label: str
    description: str
    recommended: bool


class QuestionShape(TypedDict):
    id: str
    header: str
    question: str
    multi_select: bool
    options: list[OptionShape]


class DraftShape(TypedDict):
    """`answers` are as the client keeps them: what is chosen and typed, be it checked or not."""

    answers: dict[str, Any]
    comment: str
    step: int
    revision: int


class AnswerShape(TypedDict):
    value: str
    source: Source
    index: int | None


class ResolvedBy(TypedDict):
    surface: str
    device: str | None
    at: datetime


class QuestionSetShape(TypedDict):
    id: UUID
    text: str
    followup: NotRequired[FollowupShape]
    conversation: UUID | None
    run: UUID | None
    message: UUID | None
    source: Literal["function", "xml", "tool", "api"]
    tool: str | None
    status: Literal["pending", "answered", "skipped", "expired", "cancelled"]
    created: datetime
    expires_at: datetime
    seconds_left: int
    questions: list[QuestionShape]
    draft: DraftShape | None
    answers: dict[str, list[AnswerShape]] | None
    details: dict[str, list[Detail]] | None
    unanswered: list[str]
    comment: str
    images: list[str]
    resolved_by: ResolvedBy | None
    reason: Reason | None


def question_set_shape(row: QuestionSet, now: datetime | None = None) -> QuestionSetShape:
    """The shape at a moment; `text` is in the language that is active."""
    seconds_left = row.seconds_left(now or timezone.now())
    shape: dict[str, Any] = {
        "id": row.pk,
        "text": readable_text(row.asked(), seconds_left=seconds_left),
        "conversation": row.conversation_id,
        "run": row.run_id,
        "message": row.reply_id,
        "source": row.source,
        "tool": row.tool or None,
        "status": row.status,
        "created": row.created,
        "expires_at": row.expires_at,
        "seconds_left": seconds_left,
        "questions": row.questions,
        "draft": draft_shape(row),
        "comment": row.comment,
        "images": row.images,
        "resolved_by": _resolved_by(row),
        "reason": REASONS.get(row.status),
        **_answers(row),
    }
    if row.followup is not None:
        shape["followup"] = row.followup
    return shape  # type: ignore[return-value]


def draft_shape(row: QuestionSet) -> DraftShape | None:
    if row.draft is None:
        return None
    draft = row.draft
    return {
        "answers": draft["answers"],
        "comment": draft["comment"],
        "step": draft["step"],
        "revision": row.revision,
    }


def _answers(row: QuestionSet) -> dict[str, Any]:
    if row.answers is None:
        return {"answers": None, "details": None, "unanswered": []}
    given = row.given()
    return {
        "answers": row.answers,
        "details": details(given),
        "unanswered": [each for each in row.ids if each not in given],
    }


def _resolved_by(row: QuestionSet) -> ResolvedBy | None:
    if row.resolved_at is None:
        return None
    return {"surface": row.surface, "device": row.device or None, "at": row.resolved_at}

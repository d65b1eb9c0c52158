"""Drafts: what is chosen and typed, kept as it comes, and the deadline that moves while the person is at it."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.errors import Problem
from questions.announcing import announce_question
from questions.bodies import Body
from questions.ending import already_resolved, bring_up_to_date, refresh
from questions.models import QuestionSet
from questions.reading_answers import WrongAnswer, check_draft_entry
from questions.schema import LONGEST_TIMEOUT
from questions.set_shapes import draft_shape
from questions.shapes import Question

KEYS: Final = ("answers", "comment", "step", "revision")
EMPTY: Final[Mapping[str, Any]] = {"answers": {}, "comment": "", "step": 0}
BYTES_LIMIT = 256 * 1024
GRACE = timedelta(seconds=60)
"""How much time a draft leaves at least."""


def save_draft(row: QuestionSet, data: object, *, now: datetime | None = None) -> int:
    """Store the draft in place of the one with the body's `revision` (0: there is none), and return the new one.

    Raises a 409 `Problem` when the stored draft is another, or when the set has ended.
    """
    now = now or timezone.now()
    body = Body(data, KEYS)
    bring_up_to_date(row, now)
    if not row.is_pending:
        raise already_resolved(row, now)
    draft, revision = _read(row, body)
    if not _store(row, draft, revision, now) and not _is_stored(row, draft, revision):
        raise _stale(row, now)
    return row.revision


def keep_in_draft(row: QuestionSet, entries: Mapping[str, Any], comment: str, *, now: datetime) -> None:
    """Put a reply's answers and comment into the draft, whatever else is in there, unless the set has ended.

    Raises a 413 `Problem` when they don't fit.
    """
    with transaction.atomic():
        held = QuestionSet.objects.pending().select_for_update().filter(pk=row.pk).first()
        if held is not None:
            draft = _with_reply(held.draft or EMPTY, entries, comment)
            _refuse_too_large(draft)
            _store(held, draft, held.revision, now)
    refresh(row)


def with_comment(comment: str, more: str) -> str:
    """One comment below the other, unless it is there already: a reply may come twice."""
    if not more or f"\n{more}\n" in f"\n{comment}\n":
        return comment
    return f"{comment}\n{more}" if comment else more


def extend(row: QuestionSet, data: object, *, now: datetime | None = None) -> int:
    """Move the deadline by the body's `seconds`, as far as it may, and return by how many whole seconds.

    Raises a 409 `Problem` when the set has ended.
    """
    now = now or timezone.now()
    body = Body(data, ("seconds",))
    bring_up_to_date(row, now)
    if not row.is_pending:
        raise already_resolved(row, now)
    seconds = body.whole_number("seconds", 1, LONGEST_TIMEOUT)
    body.check()
    extended = _extend(row, timedelta(seconds=seconds))
    refresh(row)
    if extended is None:
        raise already_resolved(row, now)
    return int(extended.total_seconds())


def _read(row: QuestionSet, body: Body) -> tuple[dict[str, Any], int]:
    draft = {
        "answers": _answers(row, body),
        "comment": body.text("comment"),
        "step": body.whole_number("step", 0, len(row.ids)) if "step" in body.values else 0,
    }
    revision = body.whole_number("revision", 0, 2**31 - 1)
    body.check()
    _refuse_too_large(draft)
    return draft, revision


def _with_reply(draft: Mapping[str, Any], entries: Mapping[str, Any], comment: str) -> dict[str, Any]:
    """`replied` is the part of the comment that was sent, and not only typed somewhere."""
    return {
        **draft,
        "answers": draft["answers"] | entries,
        "comment": with_comment(draft["comment"], comment),
        "replied": with_comment(draft.get("replied", ""), comment),
    }


def _refuse_too_large(draft: Mapping[str, Any]) -> None:
    if len(json.dumps(draft, ensure_ascii=False).encode()) > BYTES_LIMIT:
        message = _("The draft is larger than {size:,} bytes.").format(size=BYTES_LIMIT)
        raise Problem("question.draft_too_large", message, status=413)


def _answers(row: QuestionSet, body: Body) -> dict[str, Any]:
    """What the panel shows of an entry is checked; whatever else is in there is the client's own."""
    answers = body.values.get("answers")
    if answers is None:
        return {}
    if not isinstance(answers, dict):
        body.fault("answers", "wrong_type", _("Must be an object with an entry for each question's id."))
        return {}
    questions = {each.id: each for each in row.asked()}
    for id_, entry in answers.items():
        try:
            _check(questions.get(id_), entry)
        except WrongAnswer as wrong:
            body.fault(f"answers.{id_}", wrong.code, wrong.message)
    return answers


def _check(question: Question | None, entry: object) -> None:
    if question is None:
        raise WrongAnswer("unknown_key", _("There is no such question."))
    if not isinstance(entry, dict):
        raise WrongAnswer("wrong_type", _("Must be an object."))
    check_draft_entry(question, entry)


@transaction.atomic
def _store(row: QuestionSet, draft: Mapping[str, Any], revision: int, now: datetime) -> bool:
    """One compare-and-set. The row is brought up to date either way."""
    deadline = Value(min(now + GRACE, row.last_moment), DateTimeField())
    stored = (
        QuestionSet.objects.pending()
        .filter(pk=row.pk, revision=revision)
        .update(
            draft=draft,
            revision=F("revision") + 1,
            expires_at=Greatest(F("expires_at"), deadline),
        )
    )
    refresh(row)
    if stored:
        announce_question("updated", row)
    return bool(stored)


def _is_stored(row: QuestionSet, draft: Mapping[str, Any], revision: int) -> bool:
    """Whether this very draft was stored before, and only the response was lost."""
    return row.is_pending and row.revision == revision + 1 and row.draft == draft


def _stale(row: QuestionSet, now: datetime) -> Problem:
    if not row.is_pending:
        return already_resolved(row, now)
    message = _("There is a newer draft of these answers, from another window or device.")
    return Problem("question.stale_draft", message, status=409, data={"draft": draft_shape(row)})


@transaction.atomic
def _extend(row: QuestionSet, by: timedelta) -> timedelta | None:
    """By how much the deadline has moved; None when the set has ended."""
    held = QuestionSet.objects.pending().select_for_update().filter(pk=row.pk).first()
    if held is None:
        return None
    before = held.expires_at
    held.expires_at = max(before, min(before + by, held.last_moment))
    if held.expires_at > before:
        held.save(update_fields=["expires_at"])
        announce_question("updated", held)
    return held.expires_at - before

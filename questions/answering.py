"""Answering and skipping: the first that comes ends the set, the same again is the same success."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.errors import FieldFault, Problem
from askweb.images.sending import read_image_ids
from questions.bodies import Body
from questions.ending import Ending, Sender
from questions.models import QuestionSet, Status
from questions.reading_answers import read_answers, stored_answers
from questions.remembering import read_remember, remember
from questions.replying import ask_again, read_kept_reply, unanswered_fields, whole_comment
from questions.shapes import Answer
from questions.trimming import trim

KEYS: Final = ("client_id", "answers", "text", "comment", "images", "remember", "surface")


def answer_set(row: QuestionSet, data: object, *, sender: Sender, now: datetime | None = None) -> QuestionSet:
    """Answer a set with a posted body, and return it as it is then. A text reply may also skip it.

    Raises a 409 `Problem` when something else has ended it, and a 422 that lists the faults by path.
    """
    body = Body(data, KEYS)
    ending = _ending(body.client_id(), body, sender, now)
    if ending.came_before(row):
        return row
    if body.values.get("text") is not None:
        _answer_with_text(row, body, ending)
    else:
        given = read_answers(row.asked(), body)
        _answer(row, body, ending, given, body.text("comment"))
    return row


def skip_set(row: QuestionSet, data: object, *, sender: Sender, now: datetime | None = None) -> QuestionSet:
    """Skip a set, and return it as it is then. Raises a 409 `Problem` when something else has ended it."""
    body = Body(data, ("client_id", "surface"))
    ending = _ending(body.name("client_id"), body, sender, now)
    if not ending.came_before(row):
        body.check()
        _end(row, ending, Status.SKIPPED)
    return row


def _ending(client_id: str, body: Body, sender: Sender, now: datetime | None) -> Ending:
    surface = body.name("surface") or sender.surface
    return Ending(client_id, surface, sender.device, now or timezone.now())


def _answer_with_text(row: QuestionSet, body: Body, ending: Ending) -> None:
    text = body.text("text")
    for key in ("answers", "comment"):
        if body.values.get(key) is not None:
            body.fault(
                key, "conflict", _("Send either a text or answers; a text's other lines are its comment.")
            )
    body.check()
    reply = read_kept_reply(row, text)
    if not trim(text):
        raise _nothing_answered(unanswered_fields(row, reply))
    if reply.skipped:
        _end(row, ending, Status.SKIPPED)
    elif reply.unmatched:
        raise ask_again(row, reply, now=ending.now)
    else:
        _answer(row, body, ending, reply.answers, whole_comment(row, reply))


def _answer(
    row: QuestionSet, body: Body, ending: Ending, given: Mapping[str, Sequence[Answer]], comment: str
) -> None:
    comment = comment if trim(comment) else ""
    images = _images(row, body)
    remembered = read_remember(row, body)
    body.check()
    if not given and not comment and not images:
        raise _nothing_answered()
    values = {"answers": stored_answers(given), "comment": comment, "images": images}
    _end(row, ending, Status.ANSWERED, values, remembered)


def _images(row: QuestionSet, body: Body) -> list[str]:
    try:
        return [str(each) for each in read_image_ids(body.values.get("images"), row.user)]
    except ValueError as error:
        body.fault("images", "invalid", str(error))
        return []


def _end(
    row: QuestionSet,
    ending: Ending,
    status: Status,
    values: Mapping[str, object] | None = None,
    remembered: Sequence[str] = (),
) -> None:
    with transaction.atomic():
        won = ending.end(row, status, values)
        if won:
            remember(row, remembered)
    if not won:
        ending.came_before(row)


def _nothing_answered(fields: Mapping[str, Sequence[FieldFault]] | None = None) -> Problem:
    message = _("Nothing is answered yet. Answer at least one question, or use Skip.")
    return Problem("question.nothing_answered", message, fields=fields)

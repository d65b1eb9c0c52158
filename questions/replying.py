"""A plain-text reply to a stored set. What matched in a reply that leaves questions out is kept for the next one."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from askweb.errors import FieldFault, Problem
from questions.drafting import keep_in_draft, with_comment
from questions.models import QuestionSet
from questions.reading_answers import WrongAnswer, values_of
from questions.reply_lines import lines_of
from questions.set_shapes import question_set_shape
from questions.shapes import Answer, Question
from questions.text_answers import LEAVE_OPEN, Reply, read_reply
from questions.trimming import folded

Kept = Mapping[str, tuple[Answer, ...]]


def read_kept_reply(row: QuestionSet, text: str) -> Reply:
    """What the reply says, with what earlier ones said of the questions that it leaves out.

    A reply that neither answers all questions nor names any is read as one to those that are still open.
    """
    questions = row.asked()
    reply = read_reply(questions, text)
    kept = _kept(row, questions)
    if reply.skipped or not reply.unmatched or not kept:
        return reply
    if not any(line.keyed for line in lines_of(questions, text)):
        reply = _read_open([each for each in questions if each.id not in kept], text)
    return _completed(reply, kept, questions)


def whole_comment(row: QuestionSet, reply: Reply) -> str:
    """What this reply and the earlier ones say besides their answers."""
    return with_comment((row.draft or {}).get("replied", ""), reply.comment)


def ask_again(row: QuestionSet, reply: Reply, *, now: datetime) -> Problem:
    """Keep in the draft what matched, and return a 422 that names each question that is still open."""
    matched = {**reply.answers, **dict.fromkeys(reply.left_open, ())}
    keep_in_draft(row, {id_: _entry(values) for id_, values in matched.items()}, reply.comment, now=now)
    headers = ", ".join(each.header for each in _open(row, reply))
    message = _("Still to be answered: {headers}.").format(headers=headers)
    data = {"question_set": question_set_shape(row, now)}
    return Problem("question.unmatched", message, fields=unanswered_fields(row, reply), data=data)


def unanswered_fields(row: QuestionSet, reply: Reply) -> dict[str, list[FieldFault]]:
    """Each question that is still open, by name."""
    return {f"answers.{each.id}": [_unanswered(each)] for each in _open(row, reply)}


def _open(row: QuestionSet, reply: Reply) -> list[Question]:
    return [each for each in row.asked() if each.id in reply.unmatched]


def _read_open(questions: Sequence[Question], text: str) -> Reply:
    if len(questions) == 1 and folded(text) in LEAVE_OPEN:
        return Reply(left_open=(questions[0].id,))
    return read_reply(questions, text)


def _completed(reply: Reply, kept: Kept, questions: Sequence[Question]) -> Reply:
    told = {**kept, **reply.answers, **dict.fromkeys(reply.left_open, ())}
    ids = [each.id for each in questions]
    left_open = tuple(id_ for id_ in ids if told.get(id_) == ())
    return Reply(
        answers={id_: told[id_] for id_ in ids if told.get(id_)},
        unmatched=tuple(id_ for id_ in ids if id_ not in told),
        left_open=left_open,
        comment=reply.comment,
        skipped=len(left_open) == len(ids),
    )


def _kept(row: QuestionSet, questions: Sequence[Question]) -> Kept:
    """What earlier replies said; nothing that was chosen or typed elsewhere, which nobody has sent yet."""
    entries = (row.draft or {}).get("answers", {})
    kept: dict[str, tuple[Answer, ...]] = {}
    for question in questions:
        entry = entries.get(question.id, {})
        if entry.get("replied") is True:
            try:
                kept[question.id] = tuple(values_of(question, entry))
            except WrongAnswer:  # a client may write into a draft what it likes
                continue
    return kept


def _entry(values: Iterable[Answer]) -> dict[str, Any]:
    """Values as the draft holds them. A reply gives one free text at most."""
    values = list(values)
    other = next((each.value for each in values if each.source == "other"), None)
    options = [each.index for each in values if each.source == "option"]
    return {"options": options, "other": other, "other_checked": other is not None, "replied": True}


def _unanswered(question: Question) -> FieldFault:
    message = _("“{header}” has no answer yet.").format(header=question.header)
    return FieldFault(code="missing", message=message)

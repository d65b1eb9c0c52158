"""Reading the question sets of an exported conversation: what no page could show is a fault, by its path."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from askweb.conversations.object_reader import ObjectReader
from questions.labels import is_recommended
from questions.models import Origin, QuestionSet, Status
from questions.reading_answers import WrongAnswer, check_draft_entry
from questions.schema import ID, MOST_OPTIONS, MOST_QUESTIONS
from questions.shapes import Question

NAME_LIMIT, TOOL_LIMIT = 200, 100
PLACES = ("content", "reasoning", "calls", "turns")


@dataclass(frozen=True)
class ImportedQuestionSet:
    """The ids are those of the file, and `row` has neither them nor its person yet."""

    id: str
    message: str | None
    after: str | None
    branch_of: str | None
    row: QuestionSet


def read_question_sets(file: ObjectReader, messages: Collection[str]) -> Iterator[ImportedQuestionSet]:
    """Yield the sets; `messages` are the ids of the file's. Whoever asked no longer waits, so none is pending."""
    known: set[str] = set()
    for fields in file.objects("question_sets"):
        id_ = fields.text("id", required=True)
        if id_ in known:
            fields.fault("id", "duplicate", _("Is another question set's, too."))
        yield ImportedQuestionSet(
            id_,
            message=_known(fields, "message", messages),
            after=_known(fields, "after", messages),
            branch_of=fields.text_or_none("branch_of"),
            row=_row(fields),
        )
        known.add(id_)


def _known(fields: ObjectReader, name: str, messages: Collection[str]) -> str | None:
    id_ = fields.text_or_none(name)
    if id_ is not None and id_ not in messages:
        fields.fault(name, "unknown", _("Must be the id of a message of this file, or null."))
    return id_


def _row(fields: ObjectReader) -> QuestionSet:
    status = fields.one_of("status", tuple(Status.values))
    row = QuestionSet(
        source=fields.one_of("source", tuple(Origin.values)),
        tool=fields.text("tool", limit=TOOL_LIMIT),
        questions=_questions(fields),
        followup=_followup(fields),
        call_id=fields.text("call_id"),
        place=_place(fields.object("place")),
        created=fields.time("created"),
        expires_at=fields.time("expires_at"),
        status=Status.CANCELLED if status == Status.PENDING else status,
        revision=_whole(fields, "revision"),
        comment=fields.text("comment"),
        images=fields.uuids("images"),
        context=[dict(item.data) for item in fields.objects("context")],
        surface=fields.text("surface", limit=NAME_LIMIT),
        device=fields.text("device", limit=NAME_LIMIT),
        delivered=True,
    )
    row.resolved_at = fields.time("resolved_at")
    asked = row.asked()
    row.answers = _answers(fields, asked)
    row.draft = _draft(fields, asked)
    return row


def _questions(fields: ObjectReader) -> list[dict[str, Any]]:
    questions = [_question(each) for each in fields.objects("questions")]
    ids = [each["id"] for each in questions]
    if not 0 < len(ids) <= MOST_QUESTIONS or len(set(ids)) < len(ids):
        wanted = _("Must be one to {most} questions with ids of their own.").format(most=MOST_QUESTIONS)
        fields.fault("questions", "invalid", wanted)
    return questions


def _question(fields: ObjectReader) -> dict[str, Any]:
    id_ = fields.text("id", required=True)
    if not ID.fullmatch(id_):
        fields.fault("id", "bad_id", _("A lower-case letter, then letters a to z, digits or _; at most 64."))
    options = [_option(each) for each in fields.objects("options")]
    if len(options) > MOST_OPTIONS:
        fields.fault("options", "too_many", _("At most {most} options.").format(most=MOST_OPTIONS))
    return {
        "id": id_,
        "header": fields.text("header", required=True),
        "question": fields.text("question", required=True),
        "multi_select": fields.flag("multi_select"),
        "options": options,
    }


def _option(fields: ObjectReader) -> dict[str, Any]:
    label = fields.text("label", required=True)
    description = fields.text("description")
    return {"label": label, "description": description, "recommended": is_recommended(label)}


def _followup(fields: ObjectReader) -> dict[str, Any] | None:
    if fields.data.get("followup") is None:
        return None
    followup = fields.object("followup")
    suggested = [{"answer": each.text("answer", required=True)} for each in followup.objects("suggest")]
    return {"question": followup.text("question", required=True), "suggest": suggested}


def _place(fields: ObjectReader) -> dict[str, int]:
    return {name: _whole(fields, name) for name in PLACES if name in fields.data}


def _whole(fields: ObjectReader, name: str) -> int:
    value = fields.data.get(name, 0)
    if type(value) is int and 0 <= value < 2**31:
        return value
    fields.fault(name, "wrong_type", _("Must be a whole number, at least 0."))
    return 0


def _answers(fields: ObjectReader, asked: Sequence[Question]) -> dict[str, Any] | None:
    if fields.data.get("answers") is None:
        return None
    given = fields.object("answers")
    for id_ in given.data.keys() - {each.id for each in asked}:
        given.fault(id_, "unknown_key", _("There is no such question."))
    return {
        each.id: [_answer(value, each) for value in given.objects(each.id)]
        for each in asked
        if each.id in given.data
    }


def _answer(fields: ObjectReader, question: Question) -> dict[str, Any]:
    source = fields.one_of("source", ("option", "other"))
    index = fields.data.get("index")
    is_option = type(index) is int and 0 <= index < len(question.options)
    if not is_option if source == "option" else index is not None:
        fields.fault("index", "unknown_option", _("Must be an option's number from 0, or null for a text."))
    return {"value": fields.text("value", required=True), "source": source, "index": index}


def _draft(fields: ObjectReader, asked: Sequence[Question]) -> dict[str, Any] | None:
    if fields.data.get("draft") is None:
        return None
    draft = fields.object("draft")
    entries = draft.object("answers")
    for question in asked:
        try:
            check_draft_entry(question, entries.object(question.id).data)
        except WrongAnswer as wrong:
            entries.fault(question.id, wrong.code, wrong.message)
    kept = {**draft.data, "answers": dict(entries.data), "comment": draft.text("comment")}
    return {**kept, "step": min(_whole(draft, "step"), len(asked))}

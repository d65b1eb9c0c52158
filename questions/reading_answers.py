"""The answers of a posted body, checked against the questions; values are the labels as authored."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from questions.bodies import Body
from questions.shapes import Answer, Question
from questions.trimming import trim

KEYS = ("options", "other")
Given = dict[str, list[Answer]]


class WrongAnswer(Exception):
    """What is wrong with the answer to one question; the message is for the person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def read_answers(questions: Sequence[Question], body: Body) -> Given:
    """The answers by question, in the questions' order, without those that say nothing. Faults are the body's."""
    posted = body.values.get("answers")
    if posted is None:
        return {}
    if not isinstance(posted, dict):
        body.fault("answers", "wrong_type", _("Must be an object with an answer for each question's id."))
        return {}
    _refuse_unknown(questions, posted, body)
    given = {each.id: _given(each, posted.get(each.id), body) for each in questions}
    return {id_: values for id_, values in given.items() if values}


def values_of(question: Question, entry: Mapping[str, Any]) -> list[Answer]:
    """The values of one question's `{"options", "other"}`. Raises `WrongAnswer`."""
    chosen = [
        Answer(question.options[at].label, "option", at) for at in _chosen(question, entry.get("options"))
    ]
    values = [*chosen, *_other(entry.get("other"))]
    if len(values) > 1 and not question.multi_select:
        raise _too_many(question)
    return values


def check_draft_entry(question: Question, entry: Mapping[str, Any]) -> None:
    """An entry of a draft may hold more keys, and text that isn't checked. Raises `WrongAnswer`."""
    chosen = _chosen(question, entry.get("options"))
    _other(entry.get("other"))
    checked = entry.get("other_checked")
    if checked is not None and not isinstance(checked, bool):
        raise WrongAnswer("wrong_type", _("Whether Other is checked is true or false."))
    if len(chosen) + bool(checked) > 1 and not question.multi_select:
        raise _too_many(question)


def stored_answers(given: Mapping[str, Sequence[Answer]]) -> dict[str, list[dict[str, Any]]]:
    return {id_: [asdict(each) for each in values] for id_, values in given.items()}


def _refuse_unknown(questions: Sequence[Question], posted: Mapping[str, Any], body: Body) -> None:
    ids = [each.id for each in questions]
    for unknown in posted.keys() - set(ids):
        message = _("There is no such question; there are: {ids}.").format(ids=", ".join(ids))
        body.fault(f"answers.{unknown}", "unknown_key", message)


def _given(question: Question, entry: object, body: Body) -> list[Answer]:
    if entry is None:
        return []
    try:
        if not isinstance(entry, dict) or entry.keys() - set(KEYS):
            raise WrongAnswer("wrong_type", _("Must be an object with only these keys: options, other."))
        return values_of(question, entry)
    except WrongAnswer as wrong:
        body.fault(f"answers.{question.id}", wrong.code, wrong.message)
        return []


def _chosen(question: Question, indexes: object) -> list[int]:
    if indexes is None:
        return []
    if not isinstance(indexes, list) or not all(_is_index(each) for each in indexes):
        raise WrongAnswer("wrong_type", _("Options are a list of numbers, counted from 0."))
    if not all(0 <= each < len(question.options) for each in indexes):
        there_are = _("There is no such option; “{header}” has {count}, counted from 0.")
        raise WrongAnswer(
            "unknown_option", there_are.format(header=question.header, count=len(question.options))
        )
    if len(set(indexes)) < len(indexes):
        raise WrongAnswer("duplicate", _("An option can be chosen once."))
    return indexes


def _too_many(question: Question) -> WrongAnswer:
    return WrongAnswer("too_many", _("“{header}” takes one answer.").format(header=question.header))


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _other(text: object) -> list[Answer]:
    if text is None:
        return []
    if not isinstance(text, str):
        raise WrongAnswer("wrong_type", _("Other is a text, or null."))
    return [Answer(text, "other")] if trim(text) else []

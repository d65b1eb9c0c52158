"""What the model is told when a question set ends, and what the API adds to it."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from questions.followup_xml import FollowupCall, FollowupFault
from questions.labels import is_recommended
from questions.shapes import Answer, Fault, Reason, Source

Answers = Mapping[str, Sequence[Answer]]

NO_ANSWER = {
    "skipped": "The person skipped the questions; go on with your best judgement.",
    "expired": "The person did not answer in time; go on with your best judgement.",
    "cancelled": "The questions were cancelled; go on with your best judgement.",
}


class Values(TypedDict):
    answers: list[str]


class AnswersById(TypedDict):
    answers: dict[str, Values]


class Answered(TypedDict):
    status: Literal["answered"]
    answers: AnswersById
    comment: NotRequired[str]
    unanswered: NotRequired[list[str]]


class NoAnswer(TypedDict):
    status: Literal["no_answer"]
    reason: Reason
    message: str


class Detail(TypedDict):
    value: str
    source: Source
    index: int | None
    recommended: NotRequired[Literal[True]]


class FaultShape(TypedDict):
    path: str
    code: str
    message: str


class Refused(TypedDict):
    status: Literal["error"]
    errors: list[FaultShape]


class Suggestion(TypedDict):
    answer: str


class FollowupShape(TypedDict):
    question: str
    suggest: list[Suggestion]


def answered(answers: Answers, *, ids: Sequence[str], comment: str = "") -> Answered:
    """The result of an answered set. `ids` are its questions', in order; values are whole and as authored."""
    given: dict[str, Values] = {
        key: {"answers": [answer.value for answer in answers[key]]} for key in ids if answers.get(key)
    }
    result: Answered = {"status": "answered", "answers": {"answers": given}}
    if comment:
        result["comment"] = comment
    if unanswered := [key for key in ids if key not in given]:
        result["unanswered"] = unanswered
    return result


def no_answer(reason: Reason) -> NoAnswer:
    return {"status": "no_answer", "reason": reason, "message": NO_ANSWER[reason]}


def details(answers: Answers) -> dict[str, list[Detail]]:
    """Where each value came from; for the API, never for the model."""
    return {key: [_detail(answer) for answer in several] for key, several in answers.items() if several}


def refused(faults: Sequence[Fault]) -> Refused:
    """The result of a bad call: one error for each fault."""
    errors: list[FaultShape] = [
        {"path": fault.path, "code": fault.code, "message": fault.message} for fault in faults
    ]
    return {"status": "error", "errors": errors}


def refused_followup(fault: FollowupFault, *, chinese: bool = False) -> Refused:
    message = fault.chinese if chinese else fault.message
    return {"status": "error", "errors": [{"path": "", "code": fault.code, "message": message}]}


def ask_one_at_a_time() -> Refused:
    """For a call while another set is pending in the conversation; that set stays as it is."""
    return _refused(
        "one_at_a_time", "Questions are pending already: ask one at a time, and wait for the answer."
    )


def ask_alone() -> Refused:
    """For a call in the same turn as other functions, whose results are the client's to give."""
    return _refused("ask_alone", "Ask on its own, not in one turn with calls of other functions.")


def no_such_function() -> Refused:
    """For a call of a function that nobody has, beside a question."""
    return _refused("unknown_function", "There is no such function.")


def not_for_sub_runs() -> Refused:
    return _refused("not_available", "No person can be asked here; go on with your best judgement.")


def followup_shape(call: FollowupCall) -> FollowupShape:
    """A follow-up as the API shows it beside the question set."""
    return {
        "question": call.question,
        "suggest": [{"answer": suggestion} for suggestion in call.suggestions],
    }


def followup_answer(answers: Sequence[Answer], *, comment: str = "") -> str:
    """The next user message, for a question that was asked as text; the values are whole and as given."""
    said = [answer.value for answer in answers]
    return "<answer>\n" + "\n".join([*said, *([comment] if comment else [])]) + "\n</answer>"


def followup_no_answer(reason: Reason) -> str:
    return f'<no_answer reason="{reason}" />\n{NO_ANSWER[reason]}'


def _detail(answer: Answer) -> Detail:
    detail: Detail = {"value": answer.value, "source": answer.source, "index": answer.index}
    if answer.source == "option" and is_recommended(answer.value):
        detail["recommended"] = True
    return detail


def _refused(code: str, message: str) -> Refused:
    return {"status": "error", "errors": [{"path": "", "code": code, "message": message}]}

"""The arguments of `ask_user`: read, normalised, or refused with one fault for each thing wrong."""

import re
from dataclasses import dataclass

from questions.arguments import decoded
from questions.graphemes import cut
from questions.labels import is_other
from questions.objects import JsonObject
from questions.shapes import Fault, Option, Question, QuestionCall
from questions.trimming import folded, trim

MOST_QUESTIONS = 3
FEWEST_OPTIONS, MOST_OPTIONS = 2, 4
HEADER_LENGTH, QUESTION_LENGTH, LABEL_LENGTH, DESCRIPTION_LENGTH = 12, 1000, 64, 500
DEFAULT_TIMEOUT, SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 900, 30, 3600
ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
LINE_CONTROLS = "\n\r\t"


def read_call(arguments: object) -> QuestionCall | tuple[Fault, ...]:
    """The call, normalised, or all its faults. Takes an object or JSON text encoded at most twice.

    Lengths count code points after trimming. A null for an optional key means that it is absent.
    """
    faults: list[Fault] = []
    values = decoded(arguments)
    if values is None:
        return (Fault("", "wrong_type", "The arguments must be one JSON object."),)
    call = _call(JsonObject(values, "", faults))
    return tuple(faults) or call


def clamp_timeout(seconds: float) -> int:
    """Whole seconds between 30 and 3600."""
    return int(min(max(seconds, SHORTEST_TIMEOUT), LONGEST_TIMEOUT))


def _call(call: JsonObject) -> QuestionCall:
    call.refuse_unknown(("questions", "timeoutSeconds"))
    return QuestionCall(questions=_questions(call), timeout_seconds=_timeout(call))


def _timeout(call: JsonObject) -> int:
    value = call.values.get("timeoutSeconds")
    if value is None:
        return DEFAULT_TIMEOUT
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not isinstance(value, int | float) or not whole:
        call.fault("timeoutSeconds", "not_integer", "must be a whole number of seconds.")
        return DEFAULT_TIMEOUT
    return clamp_timeout(value)


def _questions(call: JsonObject) -> tuple[Question, ...]:
    items = call.items("questions")
    if items is None:
        return ()
    if not items:
        call.fault("questions", "too_few", "ask at least one question.")
    if len(items) > MOST_QUESTIONS:
        call.fault(
            "questions", "too_many", f"ask at most {MOST_QUESTIONS} questions; these are {len(items)}."
        )
        return ()
    ids: set[str] = set()
    return tuple(_question(item, ids) for item in call.objects("questions", items) if item)


def _question(item: JsonObject, ids: set[str]) -> Question:
    item.refuse_unknown(("id", "header", "question", "options", "multiSelect"))
    return Question(
        id=_id(item, ids),
        header=_header(item),
        question=_question_text(item),
        options=_options(item),
        multi_select=item.flag("multiSelect"),
    )


def _id(item: JsonObject, ids: set[str]) -> str:
    value = item.text("id")
    if value is None:
        return ""
    if not ID.fullmatch(value):
        item.fault("id", "bad_id", "a lower-case letter, then letters a to z, digits or _; at most 64.")
    elif value in ids:
        item.fault("id", "duplicate_id", "another question has this id.")
    ids.add(value)
    return value


def _header(item: JsonObject) -> str:
    value = item.text("header")
    if value is None:
        return ""
    whole = trim(value)
    item.check_text("header", whole, limit=max(len(whole), HEADER_LENGTH))
    return trim(cut(whole, HEADER_LENGTH))


def _question_text(item: JsonObject) -> str:
    value = item.text("question")
    if value is None:
        return ""
    item.check_text("question", trim(value), QUESTION_LENGTH, LINE_CONTROLS)
    return trim(value)


@dataclass(frozen=True)
class _Choice:
    """An option whose types are known to be right or noted as wrong, before anything else is judged."""

    item: JsonObject | None
    label: str | None = None
    description: str | None = None

    @property
    def is_other(self) -> bool:
        return self.label is not None and is_other(self.label)


def _options(question: JsonObject) -> tuple[Option, ...]:
    items = question.items("options")
    if items is None:
        return ()
    authored = [_choice(item) for item in question.objects("options", items)]
    choices = [choice for choice in authored if not choice.is_other]
    _check_count(question, len(choices), removed=len(authored) - len(choices))
    labels: set[str] = set()
    return tuple(_option(choice, labels) for choice in choices)


def _choice(item: JsonObject | None) -> _Choice:
    if item is None:
        return _Choice(None)
    item.refuse_unknown(("label", "description"))
    return _Choice(item, item.text("label"), item.optional_text("description"))


def _check_count(question: JsonObject, count: int, removed: int) -> None:
    if count > MOST_OPTIONS:
        question.fault("options", "too_many", f"at most {MOST_OPTIONS} options; these are {count}.")
    elif count < FEWEST_OPTIONS and removed:
        question.fault(
            "options", "only_other", "two options beside Other, please; free text is always there."
        )
    elif count < FEWEST_OPTIONS:
        question.fault("options", "too_few", f"at least {FEWEST_OPTIONS} options, please.")


def _option(choice: _Choice, labels: set[str]) -> Option:
    label, description = trim(choice.label or ""), trim(choice.description or "")
    if choice.item and choice.label is not None and choice.item.check_text("label", label, LABEL_LENGTH):
        if folded(label) in labels:
            choice.item.fault("label", "duplicate_label", "another option has this label.")
        labels.add(folded(label))
    if choice.item and description:
        choice.item.check_text("description", description, DESCRIPTION_LENGTH, LINE_CONTROLS)
    return Option(label, description)

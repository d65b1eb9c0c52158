"""The questions of a tool that are due for one post, and what its template gets for those without an answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from askweb.conversations.envelope import Item
from prompts.assembling import telling_of
from prompts.handlebars import Template
from prompts.handlebars import compile as compile_template
from prompts.models import Tool
from prompts.tool_questions import ToolQuestion, ToolQuestionOption, condition_template
from prompts.variables import Asking, variables
from questions.labels import without_suffix
from questions.schema import LABEL_LENGTH, read_call
from questions.shapes import Answer, Question

RECOMMENDED = " (Recommended)"


@dataclass(frozen=True)
class ToolAnswers:
    """`values` are the template's `answers`; `notes` tell of those that the person didn't give this time.

    `due` are the questions that are still to be asked.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    due: Sequence[Question] = ()


@dataclass(frozen=True)
class ToolAsking:
    """What a tool asks before its run, and the post that its prompt is assembled from afterwards, as JSON."""

    tool: str
    due: Sequence[Question]
    posted: Mapping[str, Any]


def due_questions(tool: Tool, asking: Asking, items: Sequence[Item]) -> list[Question]:
    """Those whose condition holds, in the language of the interface, with the sensible default badged.

    Raises a 422 `Problem` where a condition fails.
    """
    if not tool.questions:
        return []
    data = variables(asking, items)
    with telling_of(tool):
        return [_question(each, data) for each in tool.questions if _is_due(each, data)]


def with_defaults(due: Sequence[Question], remembered: Mapping[str, Sequence[Answer]]) -> ToolAnswers:
    """Remembered answers count; for the rest there are defaults until they are answered."""
    open_ones = [each for each in due if each.id not in remembered]
    filled = answered_by(due, remembered)
    notes = [
        _("{header}: {value}, as remembered.").format(header=each.header, value=filled.values[each.id])
        for each in due
        if each.id in remembered
    ]
    return ToolAnswers(filled.values, [*notes, *answered_by(open_ones, {}).notes], open_ones)


def answered_by(questions: Sequence[Question], given: Mapping[str, Sequence[Answer]]) -> ToolAnswers:
    """What the person said, and the badged option, else the first, where they said nothing."""
    values: dict[str, str] = {}
    notes: list[str] = []
    for question in questions:
        if answers := given.get(question.id):
            values[question.id] = ", ".join(_value(each) for each in answers)
        else:
            values[question.id] = default_of(question)
            note = _("{header}: not answered, so {value} was used.")
            notes.append(note.format(header=question.header, value=values[question.id]))
    return ToolAnswers(values, notes)


def default_of(question: Question) -> str:
    badged = [each for each in question.options if each.recommended]
    return without_suffix((badged or question.options)[0].label)


def _value(answer: Answer) -> str:
    return without_suffix(answer.value) if answer.source == "option" else answer.value


def _is_due(question: ToolQuestion, data: Mapping[str, Any]) -> bool:
    when = question.get("when")
    return not when or bool(_compiled(condition_template(when)).render(data))


def _question(question: ToolQuestion, data: Mapping[str, Any]) -> Question:
    words = (question.get("translations") or {}).get(get_language() or "", {})
    read = read_call({"questions": [{**_authored(question, data), **words}]})
    if isinstance(read, tuple):  # a translation that is too long, say
        read = read_call({"questions": [_authored(question, data)]})
    if isinstance(read, tuple):
        raise RuntimeError(f"a stored question of a tool is faulty: {read[0].message}")
    return read.questions[0]


def _authored(question: ToolQuestion, data: Mapping[str, Any]) -> dict[str, Any]:
    recommended = question.get("recommended")
    wanted = _compiled(recommended).render(data).strip() if recommended else ""
    kept = ("id", "header", "question", "multiSelect")
    values: dict[str, Any] = {name: value for name, value in question.items() if name in kept}
    return {**values, "options": list(_options(question, wanted))}


def _options(question: ToolQuestion, recommended: str) -> Iterator[ToolQuestionOption]:
    for option in question["options"]:
        label = option["label"] + RECOMMENDED
        badged = option["label"] == recommended and len(label) <= LABEL_LENGTH
        yield {**option, "label": label} if badged else option


@lru_cache(maxsize=256)
def _compiled(source: str) -> Template:
    return compile_template(source)

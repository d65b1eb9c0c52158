"""The questions of a tool: what `ask_user` takes, and when each is asked."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from django.conf import settings
from django.utils.translation import gettext as _

from prompts.fields import Faults, FaultyField, fault
from prompts.handlebars import TemplateError
from prompts.handlebars import compile as compile_template
from questions.schema import read_call

OURS = ("when", "translations", "recommended")
TRANSLATED = ("header", "question")


class ToolQuestionOption(TypedDict):
    label: str
    description: NotRequired[str]


class ToolQuestion(TypedDict):
    """`when`: what stands in the `{{#if …}}` that decides whether it is asked; absent: always.
    `translations`: header and question by the code of an interface language. `recommended`: a template that
    renders to the label of the option to badge, which is also what is used without an answer.
    """

    id: str
    header: str
    question: str
    options: list[ToolQuestionOption]
    multiSelect: NotRequired[bool]
    when: NotRequired[str]
    translations: NotRequired[dict[str, dict[str, str]]]
    recommended: NotRequired[str]


def read_questions(value: Any) -> list[ToolQuestion]:
    """Return the questions as they were given; raise `ValueError` with every fault. An empty list is fine."""
    if value is None or value == []:
        return []
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ValueError(_("Must be a list of questions, each an object."))
    faults = _faults_of_call(value)
    for at, each in enumerate(value):
        for name, message in _own_faults(each):
            faults[f"[{at}].{name}"] = [fault(message)]
    if faults:
        raise FaultyField(faults)
    return list(value)


def condition_template(when: str) -> str:
    """The template that renders to something exactly when the question is to be asked."""
    return "{{#if " + when + "}}yes{{/if}}"


def _faults_of_call(questions: list[dict[str, Any]]) -> Faults:
    theirs = [{name: value for name, value in each.items() if name not in OURS} for each in questions]
    read = read_call({"questions": theirs})
    faults = read if isinstance(read, tuple) else ()
    return {each.path.removeprefix("questions"): [fault(each.message, each.code)] for each in faults}


def _own_faults(question: Mapping[str, Any]) -> list[tuple[str, str]]:
    faults = []
    if "when" in question and (message := _fault_of_condition(question["when"])):
        faults.append(("when", message))
    if "recommended" in question and (message := _fault_of_template(question["recommended"])):
        faults.append(("recommended", message))
    if "translations" in question and not _are_translations(question["translations"]):
        faults.append(("translations", _("Must be header and question by the code of a language.")))
    return faults


def _fault_of_condition(when: Any) -> str:
    fits = isinstance(when, str) and when.strip() and len(when) <= 1000 and "}}" not in when
    if not fits:
        return _("Must be what stands in an #if, such as: (not settings.language_chosen)")
    return _fault_of_template(condition_template(when))


def _fault_of_template(source: Any) -> str:
    if not isinstance(source, str) or not source.strip() or len(source) > 2000:
        return _("Must be a template of one line, such as: {{chat.language}}")
    try:
        compile_template(source)
    except TemplateError as error:
        return error.message
    return ""


def _are_translations(value: Any) -> bool:
    return isinstance(value, dict) and all(
        language in dict(settings.LANGUAGES)
        and isinstance(texts, dict)
        and all(name in TRANSLATED and isinstance(text, str) and text for name, text in texts.items())
        for language, texts in value.items()
    )

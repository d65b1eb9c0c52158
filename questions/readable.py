"""A question set as plain text, for surfaces without buttons."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from questions.shapes import Option, Question

INDENT = "   "


def readable_text(questions: Sequence[Question], *, seconds_left: int) -> str:
    """The questions with numbered options, how to answer, how to skip and the time left.

    Written in the language that is active; what it promises is what `read_reply` understands.
    """
    several = len(questions) > 1
    numbers = [f"{number}. " for number in range(1, len(questions) + 1)] if several else [""]
    blocks = [_question(*pair) for pair in zip(numbers, questions, strict=True)]
    closing = [*_how_to_answer(questions), *_how_to_skip(several=several), _time_left(seconds_left)]
    return "\n\n".join([*blocks, "\n".join(closing)])


def _question(number: str, question: Question) -> str:
    indent = INDENT if number else ""
    words = question.question.replace("\n", f"\n{indent}")
    heading = f"{number}{question.header}: {words}"
    hint = [indent + _("(more than one may be chosen)")] if question.multi_select else []
    options = [f"{indent}{at}) {_option(option)}" for at, option in enumerate(question.options, 1)]
    return "\n".join([heading, *hint, *options])


def _option(option: Option) -> str:
    description = " ".join(option.description.split())
    return f"{option.label} – {description}" if description else option.label


def _how_to_answer(questions: Sequence[Question]) -> Iterator[str]:
    if any(question.options for question in questions):
        yield _("Answer with an option's number or label, or in your own words.")
    else:
        yield _("Answer in your own words.")
    if any(question.multi_select for question in questions):
        yield _("Put commas between several options: 1, 3")
    if len(questions) > 1:
        yield _("One line for each question, in order or with its number: “1. your answer”.")


def _how_to_skip(*, several: bool) -> Iterator[str]:
    if not several:
        yield _("To skip the question, reply: skip")
        return
    yield _("A line with only “-” leaves its question open.")
    yield _("To skip all questions, reply: skip")


def _time_left(seconds: int) -> str:
    if seconds < 60:
        left = max(seconds, 0)
        return ngettext("Time left: %(count)d second", "Time left: %(count)d seconds", left) % {"count": left}
    minutes = seconds // 60
    return ngettext("Time left: %(count)d minute", "Time left: %(count)d minutes", minutes) % {
        "count": minutes
    }

"""One value of a plain-text reply: a label, a number, an escape, several of them, or free text."""

import re
from collections.abc import Callable
from unicodedata import decimal

from questions.labels import without_suffix
from questions.shapes import Answer, Question
from questions.trimming import folded, trim

SEPARATORS = re.compile("[,;、，；\n]")
QUOTES = ('""', "“”")
BEYOND_ANY_COUNT = 10**6
MOST_DIGITS = 1000
LONGEST_SELECTION = 10_000
"""Characters; whoever writes more than that names no options."""


def value_of(question: Question, text: str) -> tuple[Answer, ...]:
    """The answers that a text which isn't blank gives; lines end in LF. Never empty."""
    chosen = _option_index(question, text)
    if chosen is not None:
        return (_option(question, chosen),)
    escaped = _escaped(question, trim(text))
    if escaped is not None:
        return (Answer(escaped, "other"),)
    may_name = question.multi_select and len(text) <= LONGEST_SELECTION
    several = _several(question, text) if may_name else []
    return tuple(_option(question, index) for index in several) or (Answer(free_text(text), "other"),)


def label_index(question: Question, text: str) -> int | None:
    """The option whose whole label this is, else the one whose label it is but for "(Recommended)"."""
    bare = trim(text)
    whole = _first(question, bare, folded)
    return whole if whole is not None else _first(question, bare, lambda label: folded(without_suffix(label)))


def number(text: str) -> int | None:
    """What decimal digits of any script say; None for any other text. A million stands for all above it."""
    if not text.isdecimal():
        return None
    digits = text.lstrip("0")
    if len(digits) > MOST_DIGITS:
        return BEYOND_ANY_COUNT
    value = 0
    for digit in digits:
        value = min(value * 10 + decimal(digit), BEYOND_ANY_COUNT)
    return value


def free_text(text: str) -> str:
    """One line trimmed; several lines as typed, without the blank ones at their ends."""
    bare = trim(text)
    if "\n" not in bare:
        return bare
    at = text.index(bare)
    end = text.find("\n", at + len(bare))
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]


def _first(question: Question, bare: str, reading: Callable[[str], str]) -> int | None:
    labels = enumerate(reading(option.label) for option in question.options)
    # Folding makes no text shorter, and a long one takes its time.
    return next((at for at, label in labels if len(bare) <= len(label) and folded(bare) == label), None)


def _option_index(question: Question, text: str) -> int | None:
    labelled = label_index(question, text)
    if labelled is not None:
        return labelled
    position = number(trim(text))
    return position - 1 if position and position <= len(question.options) else None


def _option(question: Question, index: int) -> Answer:
    return Answer(question.options[index].label, "option", index)


def _escaped(question: Question, text: str) -> str | None:
    """The text behind `=` or within quotes, where it would pick something without them."""
    if text.startswith("="):
        inner = trim(text[1:])
    elif len(text) > 1 and text[0] + text[-1] in QUOTES:
        inner = trim(text[1:-1])
    else:
        return None
    picks = number(inner) is not None or label_index(question, inner) is not None
    return inner if picks else None


def _several(question: Question, text: str) -> list[int]:
    """The options, each once, that all parts between separators pick; empty when one picks none."""
    indexes: dict[int, None] = {}
    for part in SEPARATORS.split(text):
        index = _option_index(question, part) if trim(part) else -1
        if index is None:
            return []
        indexes[index] = None
    indexes.pop(-1, None)
    return list(indexes)

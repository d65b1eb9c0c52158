"""The options of a tool: what they are, and what may be stored."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypedDict, cast, get_args

from django.utils.translation import gettext as _

from prompts.fields import flag, one_of, text

BudgetPolicy = Literal["head", "head_tail", "relevant"]
Leftovers = Literal["add", "omit"]
Questions = Literal["auto", "always", "never"]
HOTTEST = 2.0


class OptionsShape(TypedDict):
    system: str
    provider: str
    model: str
    temperature: float | None
    language: str
    output_only: bool
    budget: BudgetPolicy
    leftovers: Leftovers
    questions: Questions


@dataclass(frozen=True)
class Options:
    """What a tool sets besides its template. An empty text, or None, leaves it to the person's settings.

    `system` is a template that takes the place of the system message. `output_only`: nothing but the result,
    no words around it. `budget`: what is kept of context that doesn't fit the model. `leftovers`: whether
    context that the template doesn't use is added in front of it. `questions`: whether the model may ask the
    person; on auto the model's own setting decides.
    """

    system: str = ""
    provider: str = ""
    model: str = ""
    temperature: float | None = None
    language: str = ""
    output_only: bool = False
    budget: BudgetPolicy = "head"
    leftovers: Leftovers = "add"
    questions: Questions = "auto"

    @classmethod
    def stored(cls, values: Mapping[str, Any]) -> "Options":
        """Read what the database holds; anything that is no option's value counts as its default."""
        read: dict[str, Any] = {}
        for name, value in values.items():
            try:
                read |= {name: READERS[name](value)} if name in READERS else {}
            except ValueError:
                continue
        return cls(**read)

    def changed(self) -> dict[str, object]:
        """Those that are not the default, as they are stored and written to files."""
        values = asdict(self)
        return {each.name: values[each.name] for each in fields(self) if values[each.name] != each.default}

    def shape(self) -> OptionsShape:
        return cast(OptionsShape, asdict(self))


def _or_default(name: str, read: Callable[[Any], object]) -> Callable[[Any], object]:
    default = {each.name: each.default for each in fields(Options)}[name]
    return lambda value: default if value is None else read(value)


def _temperature(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= HOTTEST:
        raise ValueError(_("Must be a number from 0 to 2."))
    return float(value)


READERS: Mapping[str, Callable[[Any], object]] = {
    name: _or_default(name, read)
    for name, read in {
        "system": text(64 * 1024, blank=True, trimmed=False),
        "provider": text(100, blank=True),
        "model": text(300, blank=True),
        "temperature": _temperature,
        "language": text(100, blank=True),
        "output_only": flag,
        "budget": one_of(*get_args(BudgetPolicy)),
        "leftovers": one_of(*get_args(Leftovers)),
        "questions": one_of(*get_args(Questions)),
    }.items()
}
"""Reads one option that someone gives; null takes it back to its default."""

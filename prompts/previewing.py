"""What a tool would send if a text were its template, and what each variable holds. Nothing is stored."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from askweb.accounts.models import User
from askweb.conversations.asking import asking_of
from askweb.conversations.envelope import Envelope, Item, Meta
from askweb.conversations.planning import data_rules, means_for, rules_for, turn_maker
from askweb.errors import Problem
from prompts.assembling import assemble_within
from prompts.budgeting import Budget
from prompts.checking import Verdict
from prompts.contexts import TryOut
from prompts.models import TemplateVersion, Tool
from prompts.rendering import PARTIAL, published_template
from prompts.shapes import AssemblyShape
from prompts.system import start_system, with_rules
from prompts.variables import Asking, variables

SHOWN = 160
"""Characters of a value."""
MOST_VALUES = 150
MOST_OF_A_LIST = 3


@dataclass(frozen=True)
class Value:
    """A variable, the beginning of what it holds, how many characters that is, and whether it is used."""

    path: str
    text: str
    size: int
    is_used: bool


@dataclass(frozen=True)
class Preview:
    """`problem` says why there is no assembly."""

    assembly: AssemblyShape | None = None
    problem: Problem | None = None


def preview(person: User, tool: Tool, source: str, tried: TryOut) -> Preview:
    """Assemble as posting would, at the start of a conversation of the person's, for their model.

    Without a model it is shown as for one of which nothing is known.
    """
    try:
        with as_published(tool, source) as trial:
            return Preview(_assembly(person, trial, tried))
    except Problem as problem:
        return Preview(problem=problem)


def _assembly(person: User, trial: Tool, tried: TryOut) -> AssemblyShape:
    asking = asking_for(person, trial, tried)
    rules = [*data_rules(trial, tried.items), *rules_for(trial)]
    system = with_rules(start_system(person, trial, asking, tried.items), rules)
    try:
        means = means_for(person, _envelope(tried), trial)
    except Problem:
        return assemble_within(Budget(), system, [], turn_maker(trial, asking, tried.items, Budget()))
    make = turn_maker(trial, asking, tried.items, means.budget)
    return means.fitted(assemble_within(means.budget, system, [], make))


def asking_for(person: User, tool: Tool, tried: TryOut) -> Asking:
    """Who asks what, as it was asked when it was."""
    return replace(asking_of(person, _envelope(tried), tried.text, tool), now=tried.now)


def _envelope(tried: TryOut) -> Envelope:
    return Envelope(context=tuple(tried.items), meta=Meta(language=tried.language or None))


def values(asking: Asking, tried: TryOut, verdict: Verdict) -> list[Value]:
    """The variables with what they hold, those that the template uses first."""
    found = list(_flat("", variables(asking, tried.items), verdict.variables))[:MOST_VALUES]
    return sorted(found, key=lambda value: not value.is_used)


def render_published(tool: Tool, asking: Asking, items: Sequence[Item]) -> str:
    """What the template alone makes of it. Raises `TemplateError`."""
    version = tool.published
    if version is None:
        return ""
    return published_template(version.pk, version.source).render(variables(asking, items))


@contextmanager
def as_published(tool: Tool, source: str) -> Iterator[Tool]:
    """The tool as it would be after publishing the text."""
    if tool.published_id is None and PARTIAL.search(source):
        with _published_for_now(tool, source) as published:
            yield published
        return
    trial = _twin(tool)
    number = tool.published.number + 1 if tool.published else 1
    # The row's id says whose snippets the text may take in: those of the version in use.
    trial.published = TemplateVersion(pk=tool.published_id, tool=tool, number=number, source=source)
    yield trial


@contextmanager
def _published_for_now(tool: Tool, source: str) -> Iterator[Tool]:
    """Snippets are found by a version's row, which a tool that was never published lacks: so it gets one,
    and loses it again.
    """
    with transaction.atomic():
        trial = _twin(tool)
        trial._state.adding = False
        trial.publish(source)
        yield trial
        transaction.set_rollback(True)


def _twin(tool: Tool) -> Tool:
    return Tool(**{each.attname: getattr(tool, each.attname) for each in Tool._meta.concrete_fields})


def _flat(path: str, value: Any, used: Collection[str]) -> Iterator[Value]:
    if isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from _flat(f"{path}.{name}" if path else str(name), each, used)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for at, each in enumerate(value[:MOST_OF_A_LIST]):
            yield from _flat(f"{path}.{at}", each, used)
    else:
        text = "" if value is None or value in ([], {}) else _written(value)
        yield Value(path, " ".join(text[:SHOWN].split()), len(text), _is_used(path, used))


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_used(path: str, used: Collection[str]) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in used)

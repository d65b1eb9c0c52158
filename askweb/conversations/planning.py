"""Planning a post: everything that is decided, assembled or refused before anything is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.asking import asked_turn, asking_of, choose_tool
from askweb.conversations.envelope import Envelope, Item
from askweb.conversations.models import Conversation, Message
from askweb.conversations.opening import open_with, posted_system
from askweb.conversations.storing import draft_messages, newest_of_person
from askweb.errors import Problem
from askweb.providers.choosing import Choice, choose_model
from askweb.runs.sending import fit_assembly
from askweb.runs.starting import as_sent, sent_before
from prompts.assembling import Building, MakeTurn, assemble_within, finished_turn
from prompts.budgeting import Budget, budget_of
from prompts.models import Tool
from prompts.shapes import AssemblyShape
from prompts.system import DATA_RULE, OUTPUT_RULE, start_system, with_rules
from prompts.variables import Asking


@dataclass(frozen=True)
class Answer:
    """How a message is to be answered: by which model, from what, with which further keys of the request."""

    question: Message
    choice: Choice
    options: Mapping[str, Any]
    assembly: AssemblyShape


@dataclass(frozen=True)
class Plan:
    """`rows` are the post's messages, in order and not saved. `answer` is None for an import."""

    rows: Sequence[Message]
    answer: Answer | None = None


@dataclass(frozen=True)
class Means:
    """Which model answers, with which options and what budget; `warning` where it is not the one wanted."""

    choice: Choice
    options: Mapping[str, Any]
    budget: Budget
    warning: str = ""

    def fitted(self, assembly: AssemblyShape) -> AssemblyShape:
        """The assembly as this model takes it."""
        warnings = [*filter(None, [self.warning]), *assembly["warnings"]]
        told: AssemblyShape = {**assembly, "warnings": warnings}
        return fit_assembly(told, self.choice.provider, self.choice.model, self.options)


def plan_post(person: User, conversation: Conversation, parent: Message | None, envelope: Envelope) -> Plan:
    """Decide everything, and set on the conversation what is new. Nothing is stored.

    Raises a `Problem` for whatever can't be asked.
    """
    asked = asked_turn(envelope)
    tool = choose_tool(person, envelope) if asked and not envelope.meta.assembled else None
    asking = asking_of(person, envelope, asked.content if asked else "", tool)
    if conversation.head_id is None:
        system = posted_system(envelope) or start_system(person, tool, asking, envelope.context)
        open_with(conversation, envelope, asking.text, system)
    rows = draft_messages(conversation, parent, envelope, asked, tool)
    question = newest_of_person(rows)
    if asked is None or question is None:
        return Plan(rows)
    conversation.system = with_rules(conversation.system, data_rules(tool, envelope.context))
    means = means_for(person, envelope, tool)
    place = rows.index(question)
    history = [*sent_before(parent), *(as_sent(row) for row in rows[:place])]
    following = [as_sent(row) for row in rows[place + 1 :]]
    make = turn_maker(tool, asking, envelope.context, means.budget)
    system = with_rules(conversation.system, rules_for(tool))
    assembly = assemble_within(means.budget, system, history, make, following)
    return Plan(rows, Answer(question, means.choice, means.options, means.fitted(assembly)))


def means_for(person: User, envelope: Envelope, tool: Tool | None) -> Means:
    """The model that the post names, else the tool's, else the person's.

    A person who doesn't have the provider that a tool wants gets their own, and is told.
    """
    meta, wanted = envelope.meta, tool.chosen if tool else None
    provider, model, warning = meta.provider, meta.model, ""
    if wanted and not provider and not model and (wanted.provider or wanted.model):
        try:
            choice = choose_model(person, provider=wanted.provider or None, model=wanted.model or None)
        except Problem as problem:
            warning = _("The tool asks for another model, which is not there: {problem}").format(
                problem=problem.message
            )
            choice = choose_model(person)
    else:
        choice = choose_model(person, provider=provider, model=model)
    options = _options(envelope, wanted.temperature if wanted else None)
    return Means(choice, options, budget_of(choice.provider, choice.model, options), warning)


def turn_maker(tool: Tool | None, asking: Asking, items: Sequence[Item], budget: Budget) -> MakeTurn:
    """Makes the turn of a tool within what room there is; without a tool the text is a finished prompt."""
    if tool is None:
        turn = finished_turn(asking.text)
        return lambda room: turn
    return Building(tool, asking, items, budget.estimator).turn


def rules_for(tool: Tool | None) -> list[str]:
    """What the system message says besides, for this turn alone."""
    return [OUTPUT_RULE] if tool is not None and tool.chosen.output_only else []


def data_rules(tool: Tool | None, items: Sequence[Item]) -> list[str]:
    """What the system message says from the first context on: that context is never an instruction."""
    return [DATA_RULE] if tool is not None and items else []


def _options(envelope: Envelope, of_tool: float | None) -> dict[str, Any]:
    temperature = envelope.meta.temperature if envelope.meta.temperature is not None else of_tool
    meant = {} if temperature is None else {"temperature": temperature}
    return {**meant, **envelope.options}

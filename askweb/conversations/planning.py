"""Planning a post: everything that is decided, assembled or refused before anything is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.asking import asked_turn, asking_of, choose_tool
from askweb.conversations.envelope import Envelope, Item
from askweb.conversations.models import Conversation, Message
from askweb.conversations.opening import open_with, posted_system
from askweb.conversations.posted import posted_of
from askweb.conversations.storing import draft_messages, newest_of_person
from askweb.errors import FieldFault, Problem, invalid
from askweb.images.sending import read_image_ids
from askweb.providers.choosing import Choice, choose_model
from askweb.runs.history import as_sent, sent_before
from askweb.runs.models import Asking
from askweb.runs.sending import fit_assembly
from prompts.assembling import Building, MakeTurn, assemble_within, finished_turn
from prompts.budgeting import Budget, budget_of
from prompts.models import Tool
from prompts.shapes import AssemblyShape
from prompts.system import DATA_RULE, OUTPUT_RULE, start_system, with_rules
from prompts.tool_asking import ToolAnswers, ToolAsking, due_questions, with_defaults
from prompts.variables import Asking as Asked
from questions.models import remembered_by
from questions.offering import has_its_own, is_offered, with_ask_user


@dataclass(frozen=True)
class Answer:
    """How a message is to be answered: by which model, from what, with which further keys of the request.

    `asking`: whether the model may ask the person. `questions`: what the tool asks before.
    """

    question: Message
    choice: Choice
    options: Mapping[str, Any]
    assembly: AssemblyShape
    asking: Asking
    questions: ToolAsking | None = None


@dataclass(frozen=True)
class Plan:
    """`rows` are the post's messages, in order and not saved. `answer` is None for an import."""

    rows: Sequence[Message]
    answer: Answer | None = None


@dataclass(frozen=True)
class Means:
    """Which model answers, with which options and what budget; `warnings` tell of what is not as was wanted."""

    choice: Choice
    options: Mapping[str, Any]
    budget: Budget
    asking: Asking
    warnings: Sequence[str] = ()

    def fitted(self, assembly: AssemblyShape, notes: Sequence[str] = ()) -> AssemblyShape:
        """The assembly as this model takes it."""
        warnings = [*self.warnings, *notes, *assembly["warnings"]]
        told: AssemblyShape = {**assembly, "warnings": warnings}
        return fit_assembly(told, self.choice.provider, self.choice.model, self.options)

    def answer(
        self,
        question: Message,
        assembly: AssemblyShape,
        answers: ToolAnswers,
        envelope: Envelope,
        parent: Message | None,
    ) -> Answer:
        """The answer to a question from an assembly; what a tool has still to ask is asked if that is allowed."""
        fitted = self.fitted(assembly, answers.notes)
        asks = answers.due and self.asking in (Asking.OFFERED, Asking.ALLOWED)
        asked = ToolAsking(question.tool or "", answers.due, posted_of(envelope, parent)) if asks else None
        return Answer(question, self.choice, self.options, fitted, self.asking, asked)


def plan_post(
    person: User,
    conversation: Conversation,
    parent: Message | None,
    envelope: Envelope,
    answers: ToolAnswers | None = None,
) -> Plan:
    """Decide everything, and set on the conversation what is new. Nothing is stored.

    Raises a `Problem` for whatever can't be asked.
    """
    asked = asked_turn(envelope)
    tool = choose_tool(person, envelope) if asked and not envelope.meta.assembled else None
    asking = asking_of(person, envelope, asked.content if asked else "", tool)
    answers = answers or answers_of(person, tool, asking, envelope.context)
    asking = replace(asking, answers=answers.values)
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
    images = images_of(person, envelope)
    budget = means.budget.with_images(len(images))
    make = turn_maker(tool, asking, envelope.context, budget, images)
    system = with_rules(conversation.system, rules_for(tool))
    assembly = assemble_within(budget, system, history, make, following)
    return Plan(rows, means.answer(question, assembly, answers, envelope, parent))


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
    asking = _asking(envelope, tool, options, choice)
    whole = with_ask_user(options) if asking == Asking.OFFERED else options
    budget = budget_of(choice.provider, choice.model, whole)
    return Means(choice, options, budget, asking, [warning] if warning else [])


def answers_of(person: User, tool: Tool | None, asking: Asked, items: Sequence[Item]) -> ToolAnswers:
    """What is known before anything is asked, and what is to be asked."""
    due = due_questions(tool, asking, items) if tool is not None else []
    return with_defaults(due, remembered_by(person, tool.slug)) if tool is not None and due else ToolAnswers()


def _asking(envelope: Envelope, tool: Tool | None, options: Mapping[str, Any], choice: Choice) -> Asking:
    """Clients of OpenAI's API get what the model says as it is, unless they want to be asked."""
    wanted, of_tool = envelope.meta.questions, tool.chosen.questions if tool else "auto"
    if envelope.exact and (not wanted or has_its_own(options)):
        return Asking.PASSED_ON
    if wanted is False or of_tool == "never":
        return Asking.REFUSED
    return Asking.OFFERED if is_offered(choice.provider, choice.model, of_tool) else Asking.ALLOWED


def turn_maker(
    tool: Tool | None, asking: Asked, items: Sequence[Item], budget: Budget, images: Sequence[UUID] = ()
) -> MakeTurn:
    """Makes the turn of a tool within what room there is; without a tool the text is a finished prompt."""
    if tool is None:
        turn = replace(finished_turn(asking.text), images=images)
        return lambda room: turn
    return Building(tool, asking, items, budget.estimator, images).turn


def images_of(person: User, envelope: Envelope) -> list[UUID]:
    """The post's images. Raises a 422 `Problem` for those that are not the person's."""
    try:
        return read_image_ids(list(envelope.meta.images), person)
    except ValueError as error:
        raise invalid({"meta.images": [FieldFault(code="invalid", message=str(error))]}) from error


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

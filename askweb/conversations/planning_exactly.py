"""Planning a post whose messages are sent as they came, as clients of OpenAI's API expect."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from askweb.accounts.models import User
from askweb.conversations.asking import asked_turn, asking_of, choose_tool
from askweb.conversations.envelope import Envelope
from askweb.conversations.envelope import Turn as PostedTurn
from askweb.conversations.models import Conversation, Message
from askweb.conversations.opening import open_with, posted_system
from askweb.conversations.planning import Means, Plan, answers_of, data_rules, means_for, rules_for
from askweb.conversations.storing import draft_messages, newest_of_person
from askweb.conversations.verbatim import SYSTEM_ROLES, path_to, place, sent_verbatim
from askweb.providers.history import repair_history
from askweb.runs.history import sent_so_far
from prompts.assembling import Turn, assembly_of, build_turn, posted_turn, within
from prompts.models import Tool
from prompts.shapes import SentMessage
from prompts.system import start_system, with_rules
from prompts.tool_asking import ToolAnswers
from prompts.variables import Asking


def plan_exactly(
    person: User,
    conversation: Conversation,
    parent: Message | None,
    envelope: Envelope,
    answers: ToolAnswers | None = None,
) -> Plan:
    """Like `plan_post`; only with a tool or context are the words of the asked message assembled."""
    placing = place(path_to(parent), envelope.messages)
    asked = asked_turn(envelope) or PostedTurn("user", "")
    tool = choose_tool(person, envelope) if _is_to_be_assembled(envelope) else None
    asking = asking_of(person, envelope, asked.content, tool)
    answers = answers or answers_of(person, tool, asking, envelope.context)
    asking = replace(asking, answers=answers.values)
    if conversation.head_id is None:
        own = start_system(person, tool, asking, envelope.context) if tool else ""
        open_with(conversation, envelope, asking.text, posted_system(envelope) or own)
    conversation.system = with_rules(conversation.system, data_rules(tool, envelope.context))
    new = replace(envelope, messages=placing.turns)
    to_store = asked if any(each is asked for each in placing.turns) else None
    rows = draft_messages(conversation, placing.parent, new, to_store, tool)
    question = newest_of_person(rows) or placing.last_of_person
    if question is None:
        raise RuntimeError("turns were placed without a question")
    means = means_for(person, envelope, tool)
    before = [] if placing.repeats else sent_so_far(placing.parent)

    def messages_with(words: str | None) -> list[SentMessage]:
        sent = _below(before, sent_verbatim(envelope.messages, asked, words))
        return _with_system(sent, conversation.system, envelope, tool) if tool or before else sent

    turn = _turn(tool, asking, envelope, means, messages_with("")) if tool else posted_turn(asked.content)
    messages = messages_with(turn.text if tool else None)
    assembly = within(assembly_of(messages, turn), means.budget)
    return Plan(rows, means.answer(question, assembly, answers, envelope, parent))


def _is_to_be_assembled(envelope: Envelope) -> bool:
    return not envelope.meta.assembled and bool(envelope.meta.tool or envelope.context)


def _turn(
    tool: Tool, asking: Asking, envelope: Envelope, means: Means, others: Sequence[SentMessage]
) -> Turn:
    """The asked message within what the others leave; none of those is ever cut."""
    estimator = means.budget.estimator
    room = means.budget.available - estimator.of_messages(others)
    return build_turn(tool, asking, envelope.context, room, estimator)


def _below(before: Sequence[SentMessage], sent: list[SentMessage]) -> list[SentMessage]:
    """Put what was sent before in front of messages that are not the whole history themselves."""
    return cast(list[SentMessage], repair_history([*before, *sent])) if before else sent


def _with_system(
    messages: list[SentMessage], system: str, envelope: Envelope, tool: Tool | None
) -> list[SentMessage]:
    """With the conversation's system message, unless the client has its own, and with the rules that hold now."""
    rules = [*data_rules(tool, envelope.context), *rules_for(tool)]
    for at, message in enumerate(messages):
        if message["role"] in SYSTEM_ROLES:
            return [*messages[:at], _ruled(message, rules), *messages[at + 1 :]]
    text = with_rules(system, rules)
    return [{"role": "system", "content": text}, *messages] if text else messages


def _ruled(message: SentMessage, rules: Sequence[str]) -> SentMessage:
    ruled = message.copy()
    if isinstance(message["content"], str):
        ruled["content"] = with_rules(message["content"], rules)
    return ruled

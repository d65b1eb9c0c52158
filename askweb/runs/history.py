"""The history of a conversation as it was sent: what the next turn is put below."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from askweb.conversations.function_calls import FunctionCallShape, to_openai
from askweb.conversations.models import Message
from askweb.conversations.verbatim import SYSTEM_ROLES
from askweb.runs.sending import turns_of
from prompts.models import Assembly
from prompts.shapes import SentMessage, Told
from questions.deciding import FOLLOWUP

NOTHING_TOLD: Told = {"content": 0, "reasoning": 0, "calls": 0}


def sent_before(last: Message | None) -> list[SentMessage]:
    """The turns up to `last` as they were sent, without system messages."""
    return [each for each in sent_so_far(last) if each["role"] not in SYSTEM_ROLES]


def sent_so_far(last: Message | None) -> list[SentMessage]:
    """All that was sent up to `last`, and the answer to it.

    What the latest answered turn sent holds all before it; messages that were imported were never sent
    and stand as they are.
    """
    if last is None:
        return []
    assembly = Assembly.objects.filter(run__reply=last).order_by("pk").last()
    if assembly is not None:
        return _sent_with(assembly, last)
    parents = dict(Message.objects.filter(conversation=last.conversation_id).values_list("pk", "parent_id"))
    assemblies = _newest_assemblies(last.conversation_id)
    path = [last.pk]
    while path[-1] not in assemblies and (above := parents[path[-1]]) is not None:
        path.append(above)
    messages = Message.objects.in_bulk(path)
    if path[-1] not in assemblies:
        return [as_sent(messages[id_]) for id_ in reversed(path)]
    assembly = Assembly.objects.get(pk=assemblies[path[-1]])
    later = [as_sent(messages[id_]) for id_ in reversed(path[:-1])]
    return [*_sent_with(assembly, messages[path[-1]]), *later]


def _sent_with(assembly: Assembly, reply: Message) -> list[SentMessage]:
    """What an assembly sent, and the reply to it."""
    sent = assembly.shape()
    told = all_sent(reply, sent.get("told", NOTHING_TOLD))
    return [*(_of_any_provider(each) for each in turns_of(sent)), *told]


def all_sent(message: Message, told: Told) -> list[SentMessage]:
    """A reply without what is `told` already, and the results that its calls have got."""
    calls: Sequence[FunctionCallShape] = message.function_calls[told["calls"] :]
    results: list[SentMessage] = [
        {"role": "tool", "tool_call_id": call["id"], "content": call["result"]}
        for call in calls
        if call["id"] and call["result"] is not None
    ]
    return [as_sent(message, told), *results]


def _newest_assemblies(conversation_id: UUID) -> dict[UUID, int]:
    """The assembly of each reply; of a continued reply the last one, which holds the most."""
    rows = Assembly.objects.filter(run__conversation=conversation_id).order_by("pk")
    return dict(rows.values_list("run__reply_id", "pk"))


def as_sent(message: Message, told: Told = NOTHING_TOLD) -> SentMessage:
    """A message as it is sent where it was never assembled, without what is `told` already."""
    content, reasoning = message.content[told["content"] :], message.reasoning[told["reasoning"] :]
    sent: SentMessage = {
        "role": message.role,
        "content": content.lstrip("\n") if told["content"] else content,
    }
    if reasoning:
        sent["askweb_reasoning"] = reasoning
    calls: Sequence[FunctionCallShape] = message.function_calls[told["calls"] :]
    if functions := [to_openai(call) for call in calls if call["id"] or call["name"] != FOLLOWUP]:
        sent["tool_calls"] = functions
    if message.tool_call_id:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _of_any_provider(message: SentMessage) -> SentMessage:
    """Without the keys that only the provider which sent them understands."""
    if "askweb_extras" not in message:
        return message
    kept: Any = {name: value for name, value in message.items() if name != "askweb_extras"}
    shared: SentMessage = kept
    return shared

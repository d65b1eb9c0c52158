"""The rows of a post: its turns as messages, and its context with the newest of the person's."""

from collections.abc import Sequence

from askweb.conversations.envelope import Envelope, Item
from askweb.conversations.envelope import Turn as PostedTurn
from askweb.conversations.function_calls import from_openai
from askweb.conversations.models import ContextItem, Conversation, Message
from askweb.conversations.packing import store_packed
from askweb.conversations.posted import how_posted
from askweb.conversations.rendering import render
from prompts.models import Tool


def draft_messages(
    conversation: Conversation,
    parent: Message | None,
    envelope: Envelope,
    asked: PostedTurn | None,
    tool: Tool | None,
) -> list[Message]:
    """The posted turns as messages in a row below the parent, not saved yet. The asked one is among them."""
    turns = [turn for turn in envelope.messages if turn.role != "system"]
    if asked is not None and not any(turn is asked for turn in turns):
        turns.append(asked)
    rows: list[Message] = []
    for turn in turns:
        above = rows[-1] if rows else parent
        row = _message(conversation, above, turn, envelope, tool if turn is asked else None)
        if turn is asked:
            row.images, row.posted = list(envelope.meta.images), how_posted(envelope)
        rows.append(row)
    return rows


def newest_of_person(rows: Sequence[Message]) -> Message | None:
    return next((row for row in reversed(rows) if row.role == Message.Role.USER), None)


def store_messages(rows: Sequence[Message], context: Sequence[Item]) -> None:
    """Save the rows, and the context with the newest of the person's, else with the last."""
    for row in rows:
        row.html = render(row.role, row.content)
    Message.objects.bulk_create(rows)
    holder = newest_of_person(rows) or (rows[-1] if rows else None)
    if holder is not None:
        store_packed(
            (ContextItem(message=holder, position=position, kind=item.kind), item.value)
            for position, item in enumerate(context)
        )


def _message(
    conversation: Conversation,
    parent: Message | None,
    turn: PostedTurn,
    envelope: Envelope,
    tool: Tool | None,
) -> Message:
    return Message(
        conversation=conversation,
        parent=parent,
        role=turn.role,
        content=turn.content,
        tool=tool.slug if tool else None,
        function_calls=[from_openai(call) for call in turn.function_calls],
        tool_call_id=turn.tool_call_id,
        normalised=envelope.normalised,
    )

"""The shapes in which conversations and messages leave the server. See docs/protocol.md."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from askweb.conversations.models import Conversation, Message


class PageShape(TypedDict):
    title: str
    url: str
    host: str


class ConversationShape(TypedDict):
    id: UUID
    title: str
    created: datetime
    updated: datetime
    pinned: bool
    archived: bool
    temporary: bool
    head: UUID | None
    page: PageShape
    active_run: UUID | None
    revision: int


class Citation(TypedDict):
    n: int
    xpath: str
    digest: str


class SocketMessageShape(TypedDict):
    id: UUID
    conversation: UUID
    parent: UUID | None
    role: str
    content: str
    reasoning: str
    html: str
    rendered: int
    state: str
    tool: str | None
    citations: list[Citation]
    siblings: list[UUID]
    function_calls: list[Any]
    tool_call_id: str
    images: list[str]
    created: datetime
    updated: datetime
    normalised: bool


class MessageShape(SocketMessageShape):
    context: list[Any]


def conversation_shape(conversation: Conversation) -> ConversationShape:
    """The conversation must come from `Conversation.objects.for_list()`, which knows its active run."""
    return {
        "id": conversation.pk,
        "title": conversation.title,
        "created": conversation.created,
        "updated": conversation.updated,
        "pinned": conversation.pinned,
        "archived": conversation.archived,
        "temporary": conversation.temporary,
        "head": conversation.head_id,
        "page": {
            "title": conversation.page_title,
            "url": conversation.page_url,
            "host": conversation.page_host,
        },
        "active_run": conversation.active_run_id,
        "revision": conversation.revision,
    }


def message_shape(message: Message, siblings: Sequence[UUID] | None = None) -> MessageShape:
    context = [item.value() for item in message.context_items.all()]
    return {**socket_message(message, siblings), "context": context}


def socket_message(message: Message, siblings: Sequence[UUID] | None = None) -> SocketMessageShape:
    """The shape without `context`: a page can be megabytes, and whoever needs it gets the message itself.

    `rendered` counts the characters of content that `html` stands for: of a reply that is being written, not
    those that its checkpoints hold.
    """
    content, reasoning = message.text_so_far()
    return {
        "id": message.pk,
        "conversation": message.conversation_id,
        "parent": message.parent_id,
        "role": message.role,
        "content": content,
        "reasoning": reasoning,
        "html": message.html,
        "rendered": len(message.content) if message.html else 0,
        "state": message.state,
        "tool": message.tool,
        "citations": message.citations,
        "siblings": list(siblings if siblings is not None else message.sibling_ids()),
        "function_calls": message.function_calls,
        "tool_call_id": message.tool_call_id,
        "images": message.images,
        "created": message.created,
        "updated": message.updated,
        "normalised": message.normalised,
    }


def message_shapes(messages: Iterable[Message]) -> list[MessageShape]:
    """The shapes of messages of one conversation, with one query for all siblings."""
    messages = list(messages)
    siblings = siblings_by_parent(messages)
    return [message_shape(message, siblings[message.parent_id]) for message in messages]


def socket_messages(messages: Iterable[Message]) -> list[SocketMessageShape]:
    """Likewise, for the socket."""
    messages = list(messages)
    siblings = siblings_by_parent(messages)
    return [socket_message(message, siblings[message.parent_id]) for message in messages]


def siblings_by_parent(messages: Sequence[Message]) -> dict[UUID | None, list[UUID]]:
    """The ids of all messages that share a parent with one of these, oldest first; in one query."""
    found: dict[UUID | None, list[UUID]] = defaultdict(list)
    if messages:
        rows = Message.objects.siblings_of(messages).values_list("parent_id", "id")
        for parent_id, id_ in rows:
            found[parent_id].append(id_)
    return found

"""A conversation as a JSON file from which it can be made again, with all its branches and raw context."""

import json
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any, TypedDict
from uuid import UUID

from askweb.conversations.function_calls import FunctionCallShape
from askweb.conversations.models import Conversation, Message
from askweb.conversations.shapes import Citation, PageShape
from askweb.images.exporting import exported_images
from questions.exporting import exported_question_sets

FORMAT = "askweb.conversation"
VERSION = 1
BATCH = 20
"""Messages that are in memory at the same time."""


class ExportedConversation(TypedDict):
    id: str
    title: str
    titled: bool
    created: str
    updated: str
    pinned: bool
    archived: bool
    system: str
    page: PageShape
    head: str | None


class ExportedMessage(TypedDict):
    """HTML is left out: whoever imports makes it anew, and need not trust it."""

    id: str
    parent: str | None
    role: str
    content: str
    reasoning: str
    state: str
    tool: str | None
    function_calls: list[FunctionCallShape]
    tool_call_id: str
    citations: list[Citation]
    images: list[str]
    posted: Any
    normalised: bool
    created: str
    updated: str
    context: list[Any]


def json_pieces(conversation: Conversation) -> Iterator[str]:
    """Yield the file, a message at a time. Each message comes after the one that it belongs below."""
    head = {"format": FORMAT, "version": VERSION, "conversation": _conversation(conversation)}
    yield f'{_dumps(head)[:-1]}, "messages": [\n'
    for number, message in enumerate(_messages(conversation)):
        yield f"{',' if number else ''}{_dumps(_message(message))}\n"
    yield '], "question_sets": [\n'
    for number, asked in enumerate(exported_question_sets(conversation)):
        yield f"{',' if number else ''}{_dumps(asked)}\n"
    yield '], "images": [\n'
    for number, image in enumerate(exported_images(conversation.user, _image_ids(conversation))):
        yield f"{',' if number else ''}{_dumps(image)}\n"
    yield "]}\n"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _conversation(conversation: Conversation) -> ExportedConversation:
    return {
        "id": str(conversation.pk),
        "title": conversation.title,
        "titled": conversation.titled,
        "created": conversation.created.isoformat(),
        "updated": conversation.updated.isoformat(),
        "pinned": conversation.pinned,
        "archived": conversation.archived,
        "system": conversation.system,
        "page": {
            "title": conversation.page_title,
            "url": conversation.page_url,
            "host": conversation.page_host,
        },
        "head": str(conversation.head_id) if conversation.head_id else None,
    }


def _message(message: Message) -> ExportedMessage:
    content, reasoning = message.text_so_far()
    return {
        "id": str(message.pk),
        "parent": str(message.parent_id) if message.parent_id else None,
        "role": message.role,
        "content": content,
        "reasoning": reasoning,
        "state": message.state,
        "tool": message.tool,
        "function_calls": message.function_calls,
        "tool_call_id": message.tool_call_id,
        "citations": message.citations,
        "images": message.images,
        "posted": message.posted,
        "normalised": message.normalised,
        "created": message.created.isoformat(),
        "updated": message.updated.isoformat(),
        "context": [item.value() for item in message.context_items.all()],
    }


def _messages(conversation: Conversation) -> Iterator[Message]:
    ids = _parents_first(dict(conversation.messages.values_list("pk", "parent_id")))
    while batch := list(islice(ids, BATCH)):
        rows = conversation.messages.complete_for_shape().in_bulk(batch)
        yield from (rows[id_] for id_ in batch)


def _image_ids(conversation: Conversation) -> Iterator[str]:
    for rows in (conversation.messages, conversation.question_sets):
        for images in rows.exclude(images=[]).order_by("id").values_list("images", flat=True):
            yield from images


def _parents_first(parents: Mapping[UUID, UUID | None]) -> Iterator[UUID]:
    """The ids by age, which is their order, but none before its parent's, whatever clocks were wrong."""
    children: dict[UUID | None, list[UUID]] = {}
    for id_, parent in parents.items():
        children.setdefault(parent, []).append(id_)
    ready = children.get(None, [])
    heapify(ready)
    while ready:
        id_ = heappop(ready)
        yield id_
        for child in children.get(id_, []):
            heappush(ready, child)

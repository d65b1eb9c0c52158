"""Importing an exported conversation: whole, under new ids, or not at all."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from askweb.accounts.models import User
from askweb.conversations.citing import cite
from askweb.conversations.frames import announce_on_feed
from askweb.conversations.import_file import ImportedConversation, ImportedMessage, read_file
from askweb.conversations.indexing import read_conversation
from askweb.conversations.models import ContextItem, Conversation, Message
from askweb.conversations.packing import store_packed
from askweb.conversations.rendering import render, render_around
from askweb.ids import new_id
from askweb.images.importing import store_images
from askweb.limits.admitting import admit_bytes
from askweb.parsing import weight_of
from askweb.preferences.blocking import refuse_blocked
from questions.importing import Ids, Kind, store_question_sets

Place = tuple[int, UUID]
"""Characters of content before a question set, and its id."""


def import_conversation(person: User, data: Any) -> Conversation:
    """Make a conversation of an exported one. The same file again makes another one.

    Raises a 422 `Problem` that lists every fault of the file by its path, names a blocked host, or tells that there
    is no room for so much more.
    """
    file = read_file(data, person)
    context = [item.value for message in file.messages for item in message.context]
    context += [item for asked in file.question_sets for item in asked.row.context]
    refuse_blocked(person, [{"url": file.page_url}, *context])
    admit_bytes(person, weight_of(data))
    ids = _new_ids(file)
    places = _places(file, ids)
    rows = [_row(message, ids, places.get(message.id, ())) for message in file.messages]
    with transaction.atomic():
        images = store_images(person, file.images, file.named_images)
        for row in rows:
            row.images = [images[each] for each in row.images if each in images]
        conversation = _store(person, file, rows)
        store_question_sets(conversation, file.question_sets, ids, images)
        announce_on_feed("conversation.created", conversation)
    read_conversation(conversation.pk)
    return conversation


def _new_ids(file: ImportedConversation) -> Ids:
    """In the order of the file's, since ids tell what came first, a message or a question."""
    following: defaultdict[str | None, list[Kind]] = defaultdict(list)
    for asked in file.question_sets:
        following[asked.after].append(("set", asked.id))
    order = list(following[None])
    for message in file.messages:
        order += [("message", message.id), *following[message.id]]
    return dict(zip(order, sorted(new_id() for _each in order), strict=True))


def _places(file: ImportedConversation, ids: Ids) -> Mapping[str | None, Sequence[Place]]:
    """Where in each reply its questions were asked."""
    places: defaultdict[str | None, list[Place]] = defaultdict(list)
    for asked in file.question_sets:
        places[asked.message].append((asked.row.place.get("content", 0), ids["set", asked.id]))
    return places


def _row(message: ImportedMessage, ids: Ids, asked: Sequence[Place]) -> Message:
    """Not saved yet, since rendering takes its time. A reply that was being written will get no further."""
    is_streaming = message.state == Message.State.STREAMING
    cited = {citation["n"]: citation for citation in message.citations}
    html = render_around(message.content, asked) if asked else render(message.role, message.content)
    return Message(
        id=ids["message", message.id],
        parent_id=ids["message", message.parent] if message.parent is not None else None,
        role=message.role,
        content=message.content,
        reasoning=message.reasoning,
        html=cite(html, cited)[0] if cited else html,
        state=Message.State.INTERRUPTED if is_streaming else message.state,
        tool=message.tool,
        function_calls=message.function_calls,
        tool_call_id=message.tool_call_id,
        citations=message.citations,
        images=message.images,
        posted=message.posted,
        normalised=message.normalised,
        created=message.created,
        updated=message.updated,
    )


def _store(person: User, file: ImportedConversation, rows: Sequence[Message]) -> Conversation:
    conversation = Conversation(
        user=person,
        title=file.title,
        titled=file.titled,
        created=file.created,
        updated=file.updated,
        pinned=file.pinned,
        archived=file.archived,
        system=file.system,
    )
    conversation.note_page(file.page_title, file.page_url)
    conversation.save(force_insert=True)
    for row in rows:
        row.conversation = conversation
    Message.objects.bulk_create(rows)
    _store_context(file, rows)
    heads = {message.id: row for message, row in zip(file.messages, rows, strict=True)}
    conversation.head = heads[file.head] if file.head is not None else None
    conversation.save(update_fields=["head"])
    return conversation


def _store_context(file: ImportedConversation, rows: Sequence[Message]) -> None:
    store_packed(
        (ContextItem(message=row, position=position, kind=item.kind), item.value)
        for message, row in zip(file.messages, rows, strict=True)
        for position, item in enumerate(message.context)
    )

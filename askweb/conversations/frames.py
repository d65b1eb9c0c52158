"""The frames of the socket: what happened, in the envelope that clients post in. See docs/protocol.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal
from uuid import UUID

import orjson
from django.db import transaction

from askweb.conversations.models import Conversation, Message
from askweb.conversations.shapes import conversation_shape, socket_messages
from askweb.runs.hub import Frame, hub
from askweb.runs.models import Run, State
from askweb.runs.shapes import usage_shape

FeedEvent = Literal["conversation.created", "conversation.updated", "conversation.deleted"]
ConversationEvent = Literal[
    "message.created",
    "message.updated",
    "run.queued",
    "run.started",
    "run.waiting",
    "run.retrying",
    "run.completed",
    "run.stopped",
    "run.interrupted",
    "run.failed",
    "question.asked",
    "question.updated",
    "question.answered",
    "question.skipped",
    "question.expired",
    "question.cancelled",
]


def encode(meta: Mapping[str, Any], messages: Sequence[Mapping[str, Any]] | None = None) -> str:
    body: dict[str, Any] = {"meta": meta}
    if messages is not None:
        body["messages"] = messages
    try:
        return orjson.dumps(body).decode()
    except TypeError:  # arguments of function calls may hold numbers of more than 64 bits
        return json.dumps(body, default=str, ensure_ascii=False)


@dataclass(frozen=True)
class News:
    """What a conversation's subscribers are to know. `ends` is a run that writes no more."""

    event: ConversationEvent
    messages: Sequence[Message] = ()
    ends: UUID | None = None
    meta: Mapping[str, object] = field(default_factory=dict)


def announce(
    event: ConversationEvent, conversation_id: UUID, messages: Sequence[Message] = (), **meta: object
) -> None:
    """Tell a conversation's subscribers, once the transaction has committed."""
    announce_all(conversation_id, [News(event, messages, meta=meta)])


def announce_run(run: Run, messages: Sequence[Message] = ()) -> None:
    """Tell what state a run has reached; a final state carries the whole reply."""
    announce_all(run.conversation_id, [news_of(run, messages)])


def news_of(run: Run, messages: Sequence[Message] = ()) -> News:
    event: Any = "run.started" if run.state == "streaming" else f"run.{run.state}"
    meta = {
        "message": run.reply_id,
        "run": run.pk,
        "epoch": run.epoch,
        "seq": run.seq,
        "code": run.code,
        "error": run.error,
        "retryable": run.retryable,
        "finish": run.finish,
        "usage": usage_shape(run),
    }
    ends = None if run.state in (State.QUEUED, State.STREAMING) else run.pk
    return News(event, messages, ends, meta)


@transaction.atomic(savepoint=False)
def announce_all(conversation_id: UUID, news: Sequence[News], **changes: object) -> None:
    """Tell it once the transaction has committed, and store the conversation's `changes` with it.

    Each event has a `revision` of its own, so that a client sees that it missed one: the row is held from
    raising it to reading it. A conversation that is gone has nobody to tell.
    """
    conversations = Conversation.objects.filter(pk=conversation_id)
    if not conversations.touch(len(news), **changes):
        return
    revision = conversations.values_list("revision", flat=True).get()
    for number, each in enumerate(news, revision - len(news) + 1):
        head = {"event": each.event, "conversation": conversation_id, "revision": number, **each.meta}
        frame = Frame(
            encode(head, socket_messages(each.messages)), conversation_id, revision=number, ends=each.ends
        )
        transaction.on_commit(partial(hub.publish_soon, conversation_id, frame))


def announce_on_feed(event: FeedEvent, conversation: Conversation) -> None:
    """Tell the person's own feed, once the transaction has committed. Temporary conversations stay quiet."""
    if conversation.temporary:
        return
    person: UUID = conversation.user_id
    conversation_id = conversation.pk

    def publish() -> None:
        meta: dict[str, Any] = {"event": event, "conversation": conversation_id}
        if event != "conversation.deleted":
            fresh = Conversation.objects.for_list().filter(pk=conversation_id).first()
            if fresh is None:
                return
            meta |= {key: value for key, value in conversation_shape(fresh).items() if key != "id"}
        hub.publish_soon(person, Frame(encode(meta)))

    transaction.on_commit(publish)

"""The frames of the socket: what happened, in the envelope that clients post in. See docs/protocol.md."""

import json
from collections.abc import Mapping, Sequence
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


@transaction.atomic
def announce(
    event: ConversationEvent,
    conversation_id: UUID,
    messages: Sequence[Message] = (),
    *,
    ends: UUID | None = None,
    **meta: object,
) -> None:
    """Tell a conversation's subscribers, once the transaction has committed. `ends` is a run that writes no more.

    Each event has a `revision` of its own, so that a client sees that it missed one: the row is held from
    raising it to reading it. A conversation that is gone has nobody to tell.
    """
    conversations = Conversation.objects.filter(pk=conversation_id)
    if not conversations.touch():
        return
    revision = conversations.values_list("revision", flat=True).get()
    shapes = socket_messages(messages)
    head = {"event": event, "conversation": conversation_id, "revision": revision, **meta}
    frame = Frame(encode(head, shapes), conversation_id, revision=revision, ends=ends)
    transaction.on_commit(lambda: hub.publish_soon(conversation_id, frame))


def announce_run(run: Run, messages: Sequence[Message] = ()) -> None:
    """Tell what state a run has reached; a final state carries the whole reply."""
    event: Any = "run.started" if run.state == "streaming" else f"run.{run.state}"
    announce(
        event,
        run.conversation_id,
        messages,
        ends=None if run.state in (State.QUEUED, State.STREAMING) else run.pk,
        message=run.reply_id,
        run=run.pk,
        epoch=run.epoch,
        seq=run.seq,
        code=run.code,
        error=run.error,
        retryable=run.retryable,
        finish=run.finish,
        usage=usage_shape(run),
    )


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

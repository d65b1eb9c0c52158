"""A conversation's snapshot: the first thing a subscriber gets, and all it needs to go on from."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from uuid import UUID

from askweb.conversations.frames import encode
from askweb.conversations.models import Conversation
from askweb.conversations.shapes import conversation_shape, socket_messages
from askweb.runs.database import in_database
from askweb.runs.hub import Frame, Hub
from askweb.runs.live import LiveReply
from askweb.runs.models import Run, State
from askweb.runs.shapes import run_shape
from questions.models import QuestionSet
from questions.resolving import expire_overdue
from questions.set_shapes import question_set_shape

NEWEST = 50
READS = 5


@dataclass(frozen=True)
class Snapshot:
    conversation: UUID
    meta: dict[str, Any]
    messages: list[dict[str, Any]]
    is_streaming: bool

    @property
    def active_run(self) -> UUID | None:
        run: UUID | None = self.meta["active_run"]
        return run


async def take_snapshot(person_id: UUID, conversation_id: UUID, hub: Hub) -> Frame | None:
    """Return the snapshot's frame; None when the person has no such conversation.

    While this process writes the reply, or follows it, its memory knows more than the last checkpoint: that text, its seq and
    what of it is rendered are read together. A run that ended between the two reads is read again.
    """
    if hub.relay is not None:
        await hub.relay.mirrors.ready(conversation_id)
    if conversation_id in hub.replies:
        await hub.replies[conversation_id].blocks.catch_up()
    snapshot = await in_database(read_snapshot, person_id, conversation_id)
    for _again in range(READS):
        if snapshot is None:
            return None
        reply = hub.replies.get(conversation_id)
        if reply is not None and reply.run_id == snapshot.active_run:
            return _frame(_with_live_text(snapshot, reply))
        if reply is None and not snapshot.is_streaming:
            break
        snapshot = await in_database(read_snapshot, person_id, conversation_id)
    return _frame(snapshot) if snapshot else None


def read_snapshot(person_id: UUID, conversation_id: UUID) -> Snapshot | None:
    expire_overdue(QuestionSet.objects.filter(user=person_id, conversation=conversation_id))
    found = Conversation.objects.for_list().filter(user=person_id, pk=conversation_id).first()
    if found is None:
        return None
    questions = QuestionSet.objects.pending().filter(conversation=found).first()
    run = Run.objects.active().filter(conversation=found).first()
    shown = list(islice(found.path_back(found.head_id), NEWEST))
    if run is not None and run.reply_id not in shown:
        shown.append(run.reply_id)
    rows = found.messages.filter(pk__in=shown).order_by("id").complete_for_socket()
    messages: list[dict[str, Any]] = [{**shape} for shape in socket_messages(rows)]
    meta = {key: value for key, value in conversation_shape(found).items() if key != "id"}
    meta |= {
        "event": "conversation.snapshot",
        "conversation": conversation_id,
        "active_run": run.pk if run else None,
        "runs": [run_shape(run)] if run else [],
        "question_set": question_set_shape(questions) if questions else None,
        "epoch": run.epoch if run else 0,
        "seq": run.seq if run else 0,
    }
    return Snapshot(conversation_id, meta, messages, run is not None and run.state == State.STREAMING)


def _with_live_text(snapshot: Snapshot, reply: LiveReply) -> Snapshot:
    content, reasoning = reply.text()
    for message in snapshot.messages:
        if message["id"] == reply.reply_id:
            message |= {"content": content, "reasoning": reasoning}
            message |= {"html": reply.blocks.html, "rendered": reply.blocks.end}
    meta = snapshot.meta | {"epoch": reply.epoch, "seq": reply.seq}
    return replace(snapshot, meta=meta)


def _frame(snapshot: Snapshot) -> Frame:
    meta = snapshot.meta
    text = encode(meta, snapshot.messages)
    place = {"epoch": meta["epoch"], "seq": meta["seq"], "revision": meta["revision"]}
    return Frame(text, snapshot.conversation, kind="snapshot", run=snapshot.active_run, **place)

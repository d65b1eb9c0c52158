"""Heartbeats: where each watched conversation stands, so that a client that missed something notices."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from askweb.conversations.frames import encode
from askweb.conversations.models import Conversation
from askweb.runs.database import in_database
from askweb.runs.hub import Frame, Hub
from askweb.runs.models import Run


@dataclass(frozen=True)
class Standing:
    conversation: UUID
    revision: int
    active_run: UUID | None
    epoch: int
    seq: int


async def send_heartbeats(hub: Hub) -> bool:
    """One query for all conversations that are watched in this process, then one frame for each.

    True where more of a reply is stored than was heard of it here: then look again, it may be on its way.
    """
    is_behind = False
    for standing in await in_database(standings, hub.topics()):
        if hub.relay is not None:
            is_behind |= hub.relay.mirrors.compare(
                standing.conversation, standing.active_run, standing.epoch, standing.seq
            )
        reply = hub.replies.get(standing.conversation)
        if reply and reply.run_id != standing.active_run:
            reply = None
        epoch, seq = (reply.epoch, reply.seq) if reply else (standing.epoch, standing.seq)
        meta = {
            "event": "heartbeat",
            "conversation": standing.conversation,
            "revision": standing.revision,
            "active_run": standing.active_run,
            "epoch": epoch,
            "seq": seq,
        }
        frame = Frame(encode(meta), standing.conversation, epoch, seq, kind="heartbeat")
        hub.publish_here(standing.conversation, frame)
    return is_behind


def standings(conversations: Sequence[UUID]) -> list[Standing]:
    active = {run.conversation_id: run for run in Run.objects.active().filter(conversation__in=conversations)}
    rows = Conversation.objects.filter(pk__in=conversations).values_list("pk", "revision")
    return [_standing(pk, revision, active.get(pk)) for pk, revision in rows]


def _standing(conversation: UUID, revision: int, run: Run | None) -> Standing:
    if run is None:
        return Standing(conversation, revision, None, 0, 0)
    return Standing(conversation, revision, run.pk, run.epoch, run.seq)

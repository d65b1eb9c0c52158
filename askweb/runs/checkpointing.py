"""Checkpoints: the text of all replies of this process, saved together, and their leases renewed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from askweb.metrics import timed_checkpoint
from askweb.runs.database import AWAY, PAUSE, in_database
from askweb.runs.hub import Hub
from askweb.runs.live import LiveReply
from askweb.runs.models import LEASE, ReplyChunk, Run, State

T = TypeVar("T")

logger = logging.getLogger(__name__)

INTERVAL = 0.5
SIZE = 4096
"""Bytes of UTF-8."""
RENEWAL = 10.0
REST = 5.0
"""Seconds until the next try after one that failed, so that a full disk doesn't get a log entry for each delta."""
NEVER = float("-inf")


@dataclass(frozen=True)
class Checkpoint:
    """What one reply has gained since its last checkpoint, which ended at `after`; empty text only renews the lease."""

    run_id: UUID
    reply_id: UUID
    epoch: int
    after: int
    seq: int
    content: str
    reasoning: str


class Checkpoints:
    """Saves every `INTERVAL` seconds, or as soon as a reply has `SIZE` unsaved bytes."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._hurry = asyncio.Event()
        self._renewed = NEVER
        self.lock = asyncio.Lock()
        """Held while text is on its way to the database, so that a run ends only after its checkpoint."""

    def note(self, reply: LiveReply) -> None:
        if reply.unsaved_size >= SIZE:
            self._hurry.set()

    async def keep(self) -> None:
        """Run for as long as the process does."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), INTERVAL)
            self._hurry.clear()
            if self._hub.replies and not await self.save():
                await asyncio.sleep(REST)

    async def save(self) -> bool:
        """Save what is unsaved. False after a fault, which is logged; the text stays and is saved next time."""
        async with self.lock:
            taken = self._take()
            if not taken:
                return True
            try:
                with timed_checkpoint():
                    lost = await in_database(save_checkpoints, [checkpoint for _reply, checkpoint in taken])
            except Exception:  # whatever it is: without checkpoints every run of this process loses its lease
                logger.exception("checkpoint of %d replies failed; trying again", len(taken))
                self._put_back(taken)
                return False
        for reply, checkpoint in taken:
            if checkpoint.run_id in lost:
                reply.lose()
            reply.saved_seq = checkpoint.seq
        return True

    async def save_with(
        self, reply: LiveReply, act: Callable[[str, str], T], sleep: Callable[[float], Awaitable[None]]
    ) -> T | None:
        """Do `act` in the database with the reply's unsaved text, again and again until it is taken.

        Meanwhile checkpoints go on. None when the run has come into other hands.
        """
        while not reply.lost.is_set():
            async with self.lock:
                content, reasoning = reply.take_unsaved()
                try:
                    return await in_database(act, content, reasoning)
                except AWAY:
                    logger.exception("run %s could not be saved; trying again", reply.run_id)
                    reply.put_back(content, reasoning)
            await sleep(PAUSE)
        return None

    def _put_back(self, taken: Sequence[tuple[LiveReply, Checkpoint]]) -> None:
        self._renewed = NEVER
        for reply, checkpoint in taken:
            reply.put_back(checkpoint.content, checkpoint.reasoning)

    def _take(self) -> list[tuple[LiveReply, Checkpoint]]:
        now = asyncio.get_running_loop().time()
        renew = now - self._renewed >= RENEWAL
        self._renewed = now if renew else self._renewed
        return [
            (reply, _checkpoint(reply)) for reply in self._hub.replies.values() if renew or reply.has_unsaved
        ]


def _checkpoint(reply: LiveReply) -> Checkpoint:
    content, reasoning = reply.take_unsaved()
    return Checkpoint(
        reply.run_id, reply.reply_id, reply.epoch, reply.saved_seq, reply.seq, content, reasoning
    )


@transaction.atomic
def save_checkpoints(checkpoints: Sequence[Checkpoint]) -> set[UUID]:
    """Store the text of the runs that are still held under their epoch; return the ids of the others.

    Where more is stored than `after` says, a try that seemed to fail had stored it: that is left out.
    """
    lease = timezone.now() + LEASE
    lost: set[UUID] = set()
    chunks: list[ReplyChunk] = []
    for each in checkpoints:
        held = Run.objects.filter(pk=each.run_id, epoch=each.epoch, state=State.STREAMING)
        content, reasoning = each.content, each.reasoning
        if not held.filter(seq=each.after).update(seq=each.seq, lease_expires_at=lease):
            if not held.update(seq=each.seq, lease_expires_at=lease):
                lost.add(each.run_id)
                continue
            stored = ReplyChunk.objects.filter(run=each.run_id, seq__gt=each.after)
            content, reasoning = stored.left_out_of(content, reasoning)
        if content or reasoning:
            chunk = ReplyChunk(run_id=each.run_id, message_id=each.reply_id, seq=each.seq)
            chunk.content, chunk.reasoning = content, reasoning
            chunks.append(chunk)
    ReplyChunk.objects.bulk_create(chunks)
    return lost

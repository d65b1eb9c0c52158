"""Replies that other processes write, followed here while somebody watches them here.

A mirror begins with what is stored, goes on with the pieces that came since, and from then on is a live reply like any
other: it has the text for snapshots, renders blocks and tells its listeners.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from askweb.runs.database import in_database
from askweb.runs.live import LiveReply, Piece
from askweb.runs.models import Run, State

if TYPE_CHECKING:
    from askweb.runs.hub import Hub

logger = logging.getLogger(__name__)

KEPT = 5.0
"""Seconds that pieces are kept: longer than the text takes to get into the database."""
PAUSE = 0.3
"""Seconds until what is stored is read again, when pieces between it and the first kept one are missing."""
TRIES = 10


@dataclass(frozen=True)
class Stored:
    run: Run
    content: str
    reasoning: str


class Mirror(LiveReply):
    def __init__(self, stored: Stored, hub: "Hub") -> None:
        run = stored.run
        super().__init__(run, hub, content=stored.content, reasoning=stored.reasoning, html=run.reply.html)
        self.seq = run.seq
        self.lacked: int | None = None
        """What was stored at the last look, and had not come by then."""

    def follows(self, piece: Piece) -> bool:
        return (piece.run, piece.epoch) == (self.run_id, self.epoch)

    def take(self, piece: Piece) -> None:
        """The next piece; or one that the stored text holds, for those who listened before it was read.

        A listener may hear a piece twice; its `seq` says so.
        """
        if piece.seq == self.seq + 1:
            self._send(piece.content, piece.reasoning, piece.more)
        else:
            self._publish_here(piece.seq, piece.content, piece.reasoning, piece.more)

    def _publish(self, seq: int, content: str, reasoning: str, more: Mapping[str, Any] | None) -> None:
        self._publish_here(seq, content, reasoning, more)


class Mirrors:
    def __init__(self, hub: "Hub") -> None:
        self._hub = hub
        self._kept: defaultdict[UUID, deque[tuple[float, Piece]]] = defaultdict(deque)
        self._making: dict[UUID, asyncio.Task[None]] = {}

    def take(self, piece: Piece) -> None:
        self._kept[piece.conversation].append((asyncio.get_running_loop().time(), piece))
        mirror = self._mirror(piece.conversation)
        if mirror is not None and mirror.follows(piece) and piece.seq <= mirror.seq + 1:
            mirror.take(piece)
        elif self._hub.has_listeners(piece.conversation):
            self._make(piece.conversation)

    async def ready(self, conversation: UUID) -> None:
        """Wait until what is written elsewhere is followed here, as far as that can be."""
        if self._mirror(conversation) is None:
            await asyncio.shield(self._make(conversation))

    def end(self, conversation: UUID, run: UUID) -> None:
        mirror = self._mirror(conversation)
        if mirror is not None and mirror.run_id == run:
            self._remove(conversation)

    def compare(self, conversation: UUID, run: UUID | None, epoch: int, seq: int) -> bool:
        """With what is stored: a mirror that has missed some of it, or its run's end, is none any more.

        True where what it lacks may still be on its way: then look again.
        """
        mirror = self._mirror(conversation)
        if mirror is None:
            return False
        missed = mirror.lacked is not None and mirror.seq < mirror.lacked
        if mirror.run_id != run or mirror.epoch < epoch or missed:
            self._remove(conversation)
            return False
        mirror.lacked = seq if (mirror.epoch, mirror.seq) < (epoch, seq) else None
        return mirror.lacked is not None

    async def keep_tidy(self) -> None:
        """Forget old pieces, and the mirrors that nobody watches. Run for as long as the process does."""
        while True:
            await asyncio.sleep(1)
            oldest = asyncio.get_running_loop().time() - KEPT
            for conversation, pieces in list(self._kept.items()):
                while pieces and pieces[0][0] < oldest:
                    pieces.popleft()
                if not pieces:
                    del self._kept[conversation]
            for conversation in list(self._hub.replies):
                if not self._hub.has_listeners(conversation):
                    self._remove(conversation)

    def _mirror(self, conversation: UUID) -> Mirror | None:
        reply = self._hub.replies.get(conversation)
        return reply if isinstance(reply, Mirror) else None

    def _remove(self, conversation: UUID) -> None:
        if (mirror := self._mirror(conversation)) is not None:
            mirror.close()
            del self._hub.replies[conversation]

    def _make(self, conversation: UUID) -> asyncio.Task[None]:
        if conversation not in self._making:
            task = self._making[conversation] = asyncio.create_task(self._follow(conversation))
            task.add_done_callback(lambda _task: self._making.pop(conversation, None))
        return self._making[conversation]

    async def _follow(self, conversation: UUID) -> None:
        self._remove(conversation)
        try:
            for _try in range(TRIES):
                stored = await in_database(read_stored, conversation)
                if stored is None:
                    return
                if self._begin(conversation, stored):
                    return
                await asyncio.sleep(PAUSE)
        except Exception:
            logger.exception("a reply that is written elsewhere can't be followed")

    def _begin(self, conversation: UUID, stored: Stored) -> bool:
        mirror = Mirror(stored, self._hub)
        pieces = [piece for _at, piece in self._kept.get(conversation, ()) if mirror.follows(piece)]
        later = [piece.seq for piece in pieces if piece.seq > mirror.seq]
        if later and later != list(range(mirror.seq + 1, mirror.seq + 1 + len(later))):
            mirror.close()
            return False
        self._hub.replies[conversation] = mirror
        for piece in pieces:
            mirror.take(piece)
        return True


def read_stored(conversation: UUID) -> Stored | None:
    """What is stored of the reply that is written now; None where none is."""
    runs = Run.objects.filter(conversation=conversation, state=State.STREAMING)
    run = runs.select_related("reply").first()
    if run is None:
        return None
    content, reasoning = run.chunks.filter(seq__lte=run.seq).text()
    if not run.held().filter(state=State.STREAMING).exists():
        return None  # then the chunks may have been folded into the reply since it was read
    return Stored(run, run.reply.content + content, run.reply.reasoning + reasoning)

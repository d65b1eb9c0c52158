"""The finished blocks of a reply while it is written: rendered once each, and only while somebody watches."""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from uuid import UUID

import orjson

from askweb.conversations.citing import cite
from askweb.conversations.shapes import Citation
from askweb.markdown.streaming import BlockSplitter, FinishedBlock
from askweb.runs.database import in_database
from askweb.runs.hub import Frame, Hub
from askweb.runs.models import Run
from askweb.runs.settling import Around, Rendered

logger = logging.getLogger(__name__)

INTERVAL = 0.1
"""Seconds between two renderings of one reply, unless it has more than `PIECE` to catch up with."""
PIECE = 8_000
"""Characters that are read at once. Rendering them takes about 80 ms of a thread."""
PATIENCE = 0.25
"""Seconds that a snapshot waits for blocks."""
DEFINITION = re.compile(r"^[ \t>*+\-\d.)]*\[[^\]\n]+\]:", re.MULTILINE)
"""What may change the HTML of text before it: the target of a reference link, or a footnote."""
LARGEST = 256 * 1024
"""Characters of HTML in one frame. Whoever has seen the text of a larger block gets it with the next snapshot."""


@dataclass(frozen=True)
class Block:
    """Finished blocks of one rendering: their HTML, and the characters of content that it stands for."""

    start: int
    end: int
    html: str


class LiveBlocks:
    """What of one run's reply is rendered, and the frames that tell of it. Lives in the event loop's thread.

    `html` is what is stored with the content that is there already.
    """

    def __init__(self, run: Run, hub: Hub, content: str = "", html: str = "") -> None:
        self.end = 0
        self._run = run
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._stored = (content, html)
        self._reader: _Reader | None = None
        self._html: list[str] = []
        self._waiting = _Waiting()
        self._task: asyncio.Task[None] | None = None
        self._next = 0.0
        self._seq = self._count = 0
        self._is_over = self._is_ending = False

    @property
    def html(self) -> str:
        """The HTML of the content up to `end`."""
        return "".join(self._html)

    def add(self, text: str, seq: int) -> None:
        """Take text that was sent up to this seq. It is rendered before long."""
        self._waiting.add(text)
        self._seq = seq
        self._begin()

    async def catch_up(self, seconds: float = PATIENCE) -> None:
        """Render all that is finished if somebody watches, but wait no longer than so many seconds for it."""
        self._begin()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=seconds)

    async def finish(self, content: str) -> Rendered | None:
        """The whole reply, rendered from its blocks and what is left of it. Nothing is sent any more.

        None where that isn't the HTML of the whole: nobody watched, or it has footnotes or reference links.
        """
        self._is_ending = True
        if self._task is not None:
            await asyncio.wait({self._task})
        if self._is_over or self._reader is None or DEFINITION.search(content):
            return None
        last = await asyncio.to_thread(self._reader.end_with, self._waiting.take(len(self._waiting)))
        if last is None:
            return None
        return Rendered(content, self.html + last, self._reader.citations)

    def close(self) -> None:
        """Send nothing more."""
        self._is_over = True
        if self._task is not None:
            self._task.cancel()

    @property
    def _is_wanted(self) -> bool:
        lacks_stored = self._reader is None and bool(self._stored[0])
        has_more = self._waiting.has_line or lacks_stored
        may_go_on = not (self._is_over or self._is_ending)
        return has_more and may_go_on and self._hub.has_readers(self._run.conversation_id)

    def _begin(self) -> None:
        if self._task is None and self._is_wanted:
            self._task = self._loop.create_task(self._render())

    async def _render(self) -> None:
        """Without blocks a reply is shown as text, and its end is rendered as ever."""
        try:
            while self._is_wanted:
                await asyncio.sleep(self._next - self._loop.time())
                await self._render_next(self._reader or await self._open())
        except Exception:
            logger.exception("blocks of run %s can't be rendered", self._run.pk)
            self._is_over = True
        finally:
            self._task = None

    async def _open(self) -> "_Reader":
        content, html = self._stored
        around = await in_database(Around.of, self._run)
        self._reader = await asyncio.to_thread(_Reader, around, content, html)
        self._html, self.end = [self._reader.before], self._reader.end
        self._waiting.put_first(self._reader.rest)
        return self._reader

    async def _render_next(self, reader: "_Reader") -> None:
        block = await asyncio.to_thread(reader.read, self._waiting.take(PIECE))
        pause = 0.0 if len(self._waiting) > PIECE else INTERVAL
        self._next = self._loop.time() + pause
        if block is not None and not self._is_over:
            self._html.append(block.html)
            self.end = block.end
            self._publish(block)

    def _publish(self, block: Block) -> None:
        number, self._count = self._count, self._count + 1
        if len(block.html) > LARGEST:
            return
        conversation: UUID = self._run.conversation_id
        meta = {
            "event": "reply.block",
            "conversation": conversation,
            "message": self._run.reply_id,
            "run": self._run.pk,
            "epoch": self._run.epoch,
            "block": number,
            "start": block.start,
            "end": block.end,
            "html": block.html,
        }
        text = orjson.dumps({"meta": meta}).decode()
        frame = Frame(text, conversation, self._run.epoch, self._seq, kind="block", run=self._run.pk)
        self._hub.publish_here(conversation, frame)


class _Reader:
    """Reads a reply from its last question on, in whatever thread, and renders what is finished.

    `before` is what is known to be the HTML of the content up to `end`; `rest` is to be read first.
    """

    def __init__(self, around: Around, content: str, html: str) -> None:
        start = around.questions[-1][0] if around.questions else 0
        is_known = bool(html) and start == len(content)
        self.before = html if is_known else ""
        self.end = start if is_known else 0
        self.rest = content[start:]
        first = Rendered() if is_known else Rendered.of(content[:start], around)
        self._first = first.html
        self._cited = {each["n"]: each for each in first.citations}
        self._knows_all_cited = not (is_known and content and around.parts)
        self._position = start
        self._parts = around.parts
        self._splitter = BlockSplitter()

    def read(self, text: str) -> Block | None:
        """Take the next piece, and return the blocks that it finishes as one."""
        finished = self._splitter.feed(text)
        if not finished:
            return None
        html = self._first + self._html(finished)
        self._first = ""
        self._position += sum(len(each.source) for each in finished)
        start, self.end = self.end, self._position
        return Block(start, self.end, html)

    def end_with(self, text: str) -> str | None:
        """The HTML of all that no block has, this text last; None where what is cited isn't all known."""
        finished = [*self._splitter.feed(text), *self._splitter.end()]
        if not self._knows_all_cited:
            return None
        return self._first + (self._html(finished) if finished else "")

    @property
    def citations(self) -> list[Citation]:
        return [self._cited[number] for number in sorted(self._cited)]

    def _html(self, finished: Sequence[FinishedBlock]) -> str:
        html, citations = cite(reduce(add, finished).html(), self._parts)
        self._cited |= {each["n"]: each for each in citations}
        return html


class _Waiting:
    """Text that is not read yet, in pieces."""

    def __init__(self) -> None:
        self._pieces: deque[str] = deque()
        self._size = self._lines = 0

    def __len__(self) -> int:
        return self._size

    @property
    def has_line(self) -> bool:
        """Whether a line ends in it: without one no block is finished."""
        return self._lines > 0

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._count(text, 1)

    def put_first(self, text: str) -> None:
        self._pieces.extendleft(reversed([text[at : at + PIECE] for at in range(0, len(text), PIECE)]))
        self._count(text, 1)

    def take(self, size: int) -> str:
        """The first pieces: together at least so many characters, if there are as many."""
        taken: list[str] = []
        while self._pieces and size > 0:
            taken.append(self._pieces.popleft())
            self._count(taken[-1], -1)
            size -= len(taken[-1])
        return "".join(taken)

    def _count(self, text: str, sign: int) -> None:
        self._size += sign * len(text)
        self._lines += sign * text.count("\n")

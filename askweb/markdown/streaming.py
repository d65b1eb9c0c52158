"""An answer that is still being written, cut into blocks that nothing which follows can change."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askweb.markdown.containers import Flow
from askweb.markdown.extension import cleaned
from askweb.markdown.finding import Findings
from askweb.markdown.rendering import render
from askweb.markdown.sharing import Shared

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)")


@dataclass(frozen=True)
class FinishedBlock:
    """One or more top-level blocks: their source, and what they have in common with the rest of the answer."""

    source: str
    shared: Shared

    def __add__(self, following: FinishedBlock) -> FinishedBlock:
        """This and the next of the same answer as one, which is rendered faster than two."""
        return FinishedBlock(self.source + following.source, self.shared)

    def html(self) -> str:
        return render(self.source, self.shared)


class BlockSplitter:
    """Takes an answer piece by piece and gives back its top-level blocks as soon as they are surely finished.

    The sources of all blocks, joined, are the answer. Their HTML, joined, is the HTML of the whole, except
    where it has footnotes, or reference links before their definition. An open display formula,
    comment or `<details>` is one open block until it is closed or `end` is called. The cost is linear.
    """

    def __init__(self) -> None:
        self._flow = Flow()
        self._findings = Findings()
        self._shared = Shared(self._findings.definitions)
        self._lines: list[str] = []  # of the source, from the first that no block has
        self._given = 0  # lines in finished blocks
        self._pieces: list[str] = []  # of the line that is not complete

    @property
    def tail(self) -> str:
        """The source that no finished block has."""
        return "".join((*self._lines, *self._pieces))

    def feed(self, delta: str) -> list[FinishedBlock]:
        """Take the next piece. Returns what it finishes, often nothing."""
        *ends, rest = delta.split("\n")
        if ends:
            ends[0] = "".join(self._pieces) + ends[0]
            self._pieces.clear()
        self._pieces.append(rest)
        return [block for line in ends for block in self._take(line)]

    def end(self) -> list[FinishedBlock]:
        """Give the rest, as one block. Nothing may be fed afterwards."""
        rest, self._lines, self._pieces = self.tail, [], []
        return [FinishedBlock(rest, self._shared)] if rest.strip() else []

    def _take(self, line: str) -> list[FinishedBlock]:
        for written in LINE.findall(f"{line}\n"):
            self._lines.append(written)
            self._flow.feed(cleaned(written).removesuffix("\n"))
        open_block = self._flow.open
        finished = self._flow.blocks[:-1] if open_block else self._flow.blocks
        if not finished:
            return []
        self._findings.take(finished)
        self._flow.blocks = [open_block] if open_block else []
        return [self._given_up_to(self._flow.start if open_block else self._flow.count)]

    def _given_up_to(self, end: int) -> FinishedBlock:
        count, self._given = end - self._given, end
        source, self._lines = "".join(self._lines[:count]), self._lines[count:]
        return FinishedBlock(source, self._shared)

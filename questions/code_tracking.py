"""Whether a tag in Markdown text is code: in a fenced block, or in inline code that is closed on its line."""

import re
from collections.abc import Iterable
from typing import Literal

Verdict = Literal["code", "call", "undecided"]
PIECES = re.compile(r"\n|`+|[^`\n]+")
# A quote or a list item may hold the fence, at any depth of indentation.
LEAD = r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?"
OPENING = re.compile(LEAD + r"(`{3,}(?=[^`]*$)|~{3,}).*", re.DOTALL)
CLOSING = re.compile(r"[ \t>]*+(`{3,}|~{3,})[ \t\r]*")


class CodeTracker:
    """Follows visible text as it comes in pieces of any size."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._fence = ""
        self._run = 0
        self._open_runs: list[int] = []
        self._opens_fence: bool | None = None

    @property
    def in_fence(self) -> bool:
        return bool(self._fence)

    @property
    def open_runs(self) -> frozenset[int]:
        """Lengths of the backtick runs on this line that still may begin inline code."""
        return frozenset(self._open_runs)

    def read(self, text: str) -> None:
        for piece in PIECES.findall(text):
            if piece[0] == "`":
                self._run += len(piece)
            else:
                self._finish_run()
            if piece == "\n":
                self._finish_line()
            else:
                self._line.append(piece)

    def at_tag(self) -> Verdict:
        """What a tag that begins here is, as far as the text before it tells."""
        self._finish_run()
        if self._opens_fence is None:
            self._opens_fence = OPENING.fullmatch("".join(self._line)) is not None
        if self.in_fence or self._opens_fence:
            return "code"
        return "undecided" if self._open_runs else "call"

    def give_up_runs(self) -> None:
        """The line's open backtick runs have turned out to begin nothing."""
        self._open_runs.clear()

    def _finish_run(self) -> None:
        if self._run in self._open_runs:
            del self._open_runs[self._open_runs.index(self._run) :]
        elif self._run:
            self._open_runs.append(self._run)
        self._run = 0

    def _finish_line(self) -> None:
        line = "".join(self._line)
        if not self._fence:
            opening = OPENING.fullmatch(line)
            self._fence = opening[1] if opening else ""
        elif (closing := CLOSING.fullmatch(line)) and closing[1].startswith(self._fence):
            self._fence = ""
        self._line.clear()
        self._open_runs.clear()
        self._opens_fence = None


class UndecidedTag:
    """A tag behind an open backtick run: code if the run is closed on the same line, else a call."""

    def __init__(self, name: str, open_runs: Iterable[int]) -> None:
        self._held = [name]
        self._open_runs = frozenset(open_runs)
        self._run = 0

    @property
    def held(self) -> str:
        return "".join(self._held)

    def read(self, text: str, at: int) -> tuple[Verdict, int]:
        """The verdict, and the offset up to which the text was read and is held."""
        for piece in PIECES.finditer(text, at):
            if piece[0][0] == "`":
                self._run += len(piece[0])
            elif (verdict := self._verdict(piece[0])) != "undecided":
                self._held.append(text[at : piece.start()])
                return verdict, piece.start()
        self._held.append(text[at:])
        return "undecided", len(text)

    def at_end(self) -> Verdict:
        return "code" if self._run in self._open_runs else "call"

    def _verdict(self, piece: str) -> Verdict:
        if self._run in self._open_runs:
            return "code"
        self._run = 0
        return "call" if piece == "\n" else "undecided"

"""`<ask_followup_question>` in a model's text, recognised while the text streams.

The call's XML is never part of the visible text. The first call counts; later ones are swallowed and only
reported. A tag in a fenced code block, or in inline code closed on its line, is text. Time is linear in the
text, however it is cut into chunks.
"""

from dataclasses import dataclass

from questions.call_scanning import CALL, CallScanner
from questions.code_tracking import CodeTracker, UndecidedTag
from questions.followup_xml import FollowupCall, FollowupFault, read_followup

OPENING = f"<{CALL}"
BEHIND_A_NAME = " \t\r\n/>"


@dataclass(frozen=True)
class Shown:
    """What may be shown in addition: visible text, and a piece of the question's preview.

    `withdrawn` says that the call proved bad, so that the whole preview is to be taken away.
    """

    text: str = ""
    question: str = ""
    withdrawn: bool = False


@dataclass(frozen=True)
class Outcome:
    """The end of a reply: the last of it to show, and its first call or why that is none.

    `raw` is the first call as written, None without a call; `later` are the others, to be answered "ask one
    at a time".
    """

    shown: Shown
    call: FollowupCall | None = None
    fault: FollowupFault | None = None
    raw: str | None = None
    later: tuple[str, ...] = ()


class FollowupReader:
    """Reads one reply: `feed` every chunk, then `end` once. No text makes it raise."""

    def __init__(self) -> None:
        self._code = CodeTracker()
        self._partial = ""
        self._undecided: UndecidedTag | None = None
        self._scanner: CallScanner | None = None
        self._raws: list[str] = []
        self._result: FollowupCall | FollowupFault | None = None
        self._text: list[str] = []
        self._question: list[str] = []
        self._previewed = False
        self._withdrawn = False

    def feed(self, chunk: str) -> Shown:
        self._read(chunk)
        return self._take_shown()

    def end(self) -> Outcome:
        """A call that isn't closed is malformed; a tag's unfinished name was text."""
        while self._partial or self._undecided:
            self._settle()
        if self._scanner:
            self._finish_call(self._scanner)
        return self._outcome()

    def _settle(self) -> None:
        if self._undecided:
            self._decide(self._undecided, self._undecided.at_end() == "code")
            return
        partial, self._partial = self._partial, ""
        if partial == OPENING:
            self._begin_tag(partial)
        else:
            self._show(partial)

    def _outcome(self) -> Outcome:
        result = self._result
        return Outcome(
            shown=self._take_shown(),
            call=result if isinstance(result, FollowupCall) else None,
            fault=result if isinstance(result, FollowupFault) else None,
            raw=self._raws[0] if self._raws else None,
            later=tuple(self._raws[1:]),
        )

    def _take_shown(self) -> Shown:
        shown = Shown("".join(self._text), "".join(self._question), self._withdrawn)
        self._text.clear()
        self._question.clear()
        self._withdrawn = False
        return shown

    def _read(self, text: str) -> None:
        at = 0
        while at < len(text):
            at = self._step(text, at)

    def _step(self, text: str, at: int) -> int:
        if self._scanner:
            return self._read_call(self._scanner, text, at)
        if self._undecided:
            return self._read_undecided(self._undecided, text, at)
        if self._partial:
            return self._read_name(text, at)
        return self._read_fenced(text, at) if self._code.in_fence else self._read_text(text, at)

    def _read_text(self, text: str, at: int) -> int:
        place = text.find("<", at)
        self._show(text[at : None if place < 0 else place])
        if place < 0 or self._code.in_fence:
            return len(text) if place < 0 else place
        self._partial = "<"
        return place + 1

    def _read_fenced(self, text: str, at: int) -> int:
        end = text.find("\n", at) + 1 or len(text)
        self._show(text[at:end])
        return end

    def _show(self, text: str) -> None:
        self._code.read(text)
        self._text.append(text)

    def _read_name(self, text: str, at: int) -> int:
        """Go on with what may become a call's opening tag, until the character behind its name."""
        needed = len(OPENING) - len(self._partial)
        piece = text[at : at + max(needed, 1)]
        grown = self._partial + piece
        if OPENING.startswith(grown):
            self._partial = grown
            return at + len(piece)
        name, self._partial = self._partial, ""
        if not needed and piece in BEHIND_A_NAME:
            self._begin_tag(name)
        else:
            self._show(name)
        return at

    def _begin_tag(self, name: str) -> None:
        verdict = self._code.at_tag()
        if verdict == "code":
            self._show(name)
        elif verdict == "undecided":
            self._undecided = UndecidedTag(name, self._code.open_runs)
        else:
            self._scanner = CallScanner()
            self._scanner.read(name, 0)

    def _read_undecided(self, tag: UndecidedTag, text: str, at: int) -> int:
        verdict, at = tag.read(text, at)
        if verdict != "undecided":
            self._decide(tag, verdict == "code")
        return at

    def _decide(self, tag: UndecidedTag, is_code: bool) -> None:
        self._undecided = None
        if is_code:
            self._show(tag.held)
            return
        self._code.give_up_runs()
        self._scanner = CallScanner()
        self._read(tag.held)

    def _read_call(self, scanner: CallScanner, text: str, at: int) -> int:
        at = scanner.read(text, at)
        if not self._raws:
            self._preview(scanner.take_preview())
        if scanner.closed:
            self._finish_call(scanner)
        return at

    def _preview(self, text: str) -> None:
        self._question.append(text)
        self._previewed = self._previewed or bool(text)

    def _finish_call(self, scanner: CallScanner) -> None:
        self._scanner = None
        self._raws.append(scanner.raw)
        if self._result is None:
            self._result = read_followup(scanner.raw)
            self._withdrawn = self._previewed and isinstance(self._result, FollowupFault)

"""Where a follow-up call in running text ends, and what of its question can be shown before it does."""

import re

from questions.question_preview import QuestionPreview

CALL = "ask_followup_question"
CDATA, COMMENT = "<![CDATA[", "<!--"
ANGLE = re.compile("[<>]")
TAG_NAME = re.compile(r"</?([^\s/>]+)")
HEAD_LENGTH = len(CALL) + 4


class CallScanner:
    """Reads from the call's `<` on; the XML need not be good, only calls within the call are counted."""

    def __init__(self) -> None:
        self.closed = False
        self._raw: list[str] = []
        self._depth = 0
        self._within = ""  # "" for text, "<" for a tag, else the mark that ends a comment or a CDATA section
        self._head = ""
        self._last = ""
        self._carry = ""
        self._in_question = False
        self._preview = QuestionPreview()

    @property
    def raw(self) -> str:
        """The call as written."""
        return "".join(self._raw)

    def read(self, text: str, at: int) -> int:
        """Read up to the call's end or the text's; the offset that was reached."""
        start = at
        while at < len(text) and not self.closed:
            at = self._step(text, at)
        self._raw.append(text[start:at])
        return at

    def take_preview(self) -> str:
        """What has become showable of the question since the last time."""
        return self._preview.take()

    def _step(self, text: str, at: int) -> int:
        if not self._within:
            return self._read_text(text, at)
        if self._within == "<":
            return self._read_head(text, at) if len(self._head) < len(CDATA) else self._read_tag(text, at)
        return self._read_section(text, at, self._within)

    def _read_text(self, text: str, at: int) -> int:
        place = text.find("<", at)
        end = len(text) if place < 0 else place
        if self._in_question:
            self._preview.add(text[at:end])
        if place >= 0:
            self._begin_tag()
        return end + (place >= 0)

    def _begin_tag(self) -> None:
        self._within = self._head = self._last = "<"

    def _read_head(self, text: str, at: int) -> int:
        # One by one, since a comment and CDATA may hold angles and must be known before the next one.
        character = text[at]
        if character in "<>":
            return self._read_tag(text, at)
        self._head += character
        self._last = character
        if self._head in (COMMENT, CDATA):
            self._within = "-->" if self._head == COMMENT else "]]>"
            self._carry = ""
        return at + 1

    def _read_tag(self, text: str, at: int) -> int:
        match = ANGLE.search(text, at)
        end = match.start() if match else len(text)
        if end > at:
            self._head += text[at : min(end, at + HEAD_LENGTH - len(self._head))]
            self._last = text[end - 1]
        if match and match[0] == "<":
            self._begin_tag()
        elif match:
            self._within = ""
            self._finish_tag()
        return end + (match is not None)

    def _finish_tag(self) -> None:
        name = TAG_NAME.match(self._head)
        opens, alone = self._head[1:2] != "/", self._last == "/"
        if name and name[1] == "question" and not alone:
            self._pass_question(opens)
        elif name and name[1] == CALL:
            self._depth += (not alone) if opens else -1
            self.closed = self._depth <= 0

    def _pass_question(self, opens: bool) -> None:
        if not opens and self._in_question:
            self._preview.finish()
        self._in_question = opens and not self._preview.finished

    def _read_section(self, text: str, at: int, mark: str) -> int:
        end = self._section_end(text, at, mark)
        inside = self._carry + text[at : len(text) if end is None else end]
        self._carry = inside[-2:] if end is None else ""
        if self._in_question and mark == "]]>":
            self._preview.add_verbatim(inside[: -2 if end is None else -3])
        if end is None:
            return len(text)
        self._within = ""
        return end

    def _section_end(self, text: str, at: int, mark: str) -> int | None:
        """The offset behind the mark, whose beginning may have come before this text."""
        early = (self._carry + text[at : at + 2]).find(mark)
        if early >= 0:
            return at + early + len(mark) - len(self._carry)
        place = text.find(mark, at)
        return None if place < 0 else place + len(mark)

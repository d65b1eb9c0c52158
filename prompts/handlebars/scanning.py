"""Cuts a template's text into text and tags, as Handlebars does, plus the `${path}` alias."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from prompts.handlebars.errors import MOST_FAULTS, Fault, ProblemError, Source
from prompts.handlebars.expressions import Reader
from prompts.handlebars.lexing import SPACES, Word, words_of_tag
from prompts.handlebars.tree import NO_STRIP, Strip

TagKind = Literal[
    "output",
    "open",
    "inverse",
    "else",
    "chain",
    "end",
    "partial",
    "partial_block",
    "inline",
    "decorator",
    "raw",
    "comment",
]
LONGEST_ALIAS = 200
_S = re.escape(SPACES)
_OPENING = re.compile(
    rf"\{{\{{~?(?:(?P<partial_block>\#>)|(?P<inline>\#\*)|(?P<open>\#)|(?P<partial>>)|(?P<end>/)"
    rf"|(?P<else>(?:\^|[{_S}]*else)[{_S}]*~?\}}\}})|(?P<inverse>\^)|(?P<chain>[{_S}]*else\b)"
    r"|(?P<triple>\{)|(?P<output>&)|(?P<decorator>\*))?",
    re.ASCII,
)
_LONG_COMMENT_END = re.compile(r"--~?\}\}")
_RAW_END = re.compile(rf"\{{\{{\{{\{{/([^{_S}!\"#%&'()*+,./;<=>@\[\\\]^`{{|}}~]+)\}}\}}\}}\}}")


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Tag:
    """`words` is empty for a faulty tag, a comment or a bare else; `raw` holds a raw block's text."""

    kind: TagKind
    words: list[Word]
    strip: Strip
    start: int
    close: str = "close"
    raw: TextPiece | None = None


class Scanner:
    """Reads one source into pieces, collecting faults and going on behind each."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self.pieces: list[TextPiece | Tag] = []
        self.faults: list[Fault] = []

    def scan(self) -> None:
        position = 0
        while position < len(self._text) and len(self.faults) < MOST_FAULTS:
            braces = self._text.find("{{", position)
            if braces < 0:
                self._add_text(position, len(self._text))
                return
            position = self._up_to(position, braces)

    def _up_to(self, position: int, braces: int) -> int:
        """The text before `braces` and what stands there; `\\{{` is text, `\\\\{{` a backslash and a tag."""
        if self._text.endswith("\\\\", position, braces):
            self._add_text(position, braces - 1)
            return self._tag(braces)
        if not self._text.endswith("\\", position, braces):
            self._add_text(position, braces)
            return self._tag(braces)
        self._add_text(position, braces - 1)
        following = self._text.find("{{", braces + 2)
        end = len(self._text) if following < 0 else following
        for _ in range(2):
            end -= following >= 0 and end > braces + 2 and self._text[end - 1] == "\\"
        self._add_text(braces, end)
        return end

    def _add_text(self, start: int, end: int) -> None:
        plain = start
        dollar = self._text.find("${", start, end)
        while dollar >= 0:
            tag, behind = self._alias(dollar, end)
            if tag is not None:
                slashes = 0 if dollar == start or self._text[dollar - 1] != "\\" else 1
                slashes += slashes and dollar - 1 > start and self._text[dollar - 2] == "\\"
                self._add_plain(plain, dollar - bool(slashes))
                plain = dollar
                if slashes != 1:
                    self.pieces.append(tag)
                    plain = behind
            dollar = self._text.find("${", behind, end)
        self._add_plain(plain, end)

    def _add_plain(self, start: int, end: int) -> None:
        if start < end:
            self.pieces.append(TextPiece(self._text[start:end], start))

    def _alias(self, dollar: int, end: int) -> tuple[Tag | None, int]:
        """`${path}` as a tag; None for anything else, such as `${x + 1}` in code, which stays text."""
        close = self._text.find("}", dollar + 2, min(end, dollar + LONGEST_ALIAS))
        inside = self._text[dollar + 2 : close] if close >= 0 else ""
        if not inside or "{" in inside or "\n" in inside:
            return None, dollar + 2
        try:
            words = [_moved(word, dollar + 2) for word in words_of_tag(inside + "}}", 0)]
            reader = Reader(self._source, words)
            reader.path()
            reader.end()
        except ProblemError:
            return None, dollar + 2
        return Tag("output", words, NO_STRIP, dollar), close + 1

    def _tag(self, start: int) -> int:
        if self._text.startswith("{{{{", start):
            return self._raw(start)
        if self._text.startswith(("{{!", "{{~!"), start):
            return self._comment(start)
        opening = _OPENING.match(self._text, start)
        if opening is None:  # pragma: no cover - the pattern always matches two braces
            raise AssertionError
        kind = opening.lastgroup or "output"
        left = self._text.startswith("~", start + 2)
        if kind == "else":
            strip = Strip(left, self._text.startswith("~", opening.end() - 3))
            self.pieces.append(Tag("else", [], strip, start))
            return opening.end()
        close = "close_triple" if kind == "triple" else "close"
        words, end = self._words(start, opening.end())
        strip = Strip(left, bool(words) and "~" in words[-1].text)
        self.pieces.append(Tag(_KINDS[kind], words, strip, start, close))
        return end

    def _words(self, start: int, inside: int) -> tuple[list[Word], int]:
        try:
            words = words_of_tag(self._text, inside)
        except ProblemError as problem:
            return [], self._recover(problem, start, inside)
        return words, words[-1].end

    def _recover(self, problem: ProblemError, start: int, inside: int) -> int:
        """Notes the problem; says where to read on: behind the tag, or at one that begins inside it."""
        offset = start if problem.code == "unclosed-tag" else problem.offset
        self.faults.append(self._source.fault(problem.code, problem.message, offset, problem.hint))
        if problem.code == "unclosed-tag":
            return max(problem.offset, inside)
        close = self._text.find("}}", problem.offset)
        if close < 0:
            return len(self._text)
        return close + 3 if self._text.startswith("}}}", close) else close + 2

    def _comment(self, start: int) -> int:
        bang = self._text.index("!", start)
        if self._text.startswith("--", bang + 1):
            match = _LONG_COMMENT_END.search(self._text, bang + 1)
            end = match.end() if match else -1
        else:
            close = self._text.find("}}", bang + 1)
            end = close + 2 if close >= 0 else -1
        if end < 0:
            hint = "a comment that begins with `{{!--` ends with `--}}`"
            self.faults.append(
                self._source.fault("unclosed-comment", "This comment is never closed", start, hint)
            )
            return len(self._text)
        strip = Strip(bang == start + 3, self._text[end - 3] == "~")
        self.pieces.append(Tag("comment", [], strip, start))
        return end

    def _raw(self, start: int) -> int:
        words, inside = self._words(start, start + 4)
        if not words:
            self.pieces.append(Tag("comment", [], NO_STRIP, start))
            return inside
        end = self._raw_end(inside)
        if end is None or words[-1].kind != "close_raw":
            name = words[0].text
            hint = f"a raw block looks like `{{{{{{{{{name}}}}}}}}} … {{{{{{{{/{name}}}}}}}}}`"
            self.faults.append(
                self._source.fault("unclosed-raw-block", "This raw block is never closed", start, hint)
            )
            return len(self._text) if words[-1].kind == "close_raw" else inside
        raw = TextPiece(self._text[inside : end.start()], inside)
        self.pieces.append(Tag("raw", words, NO_STRIP, start, "close_raw", raw))
        if end.group(1) != self._text[words[0].start : words[-2].end].split()[0]:
            message = f"`{end.group()}` does not close this raw block"
            self.faults.append(
                self._source.fault("mismatched-close", message, end.start(), "use the same name")
            )
        return end.end()

    def _raw_end(self, position: int) -> re.Match[str] | None:
        depth = 0
        braces = self._text.find("{{{{", position)
        while braces >= 0:
            end = _RAW_END.match(self._text, braces)
            if end and not depth:
                return end
            if end:
                depth -= 1
            elif not self._text.startswith("/", braces + 4):
                depth += 1
            braces = self._text.find("{{{{", end.end() if end else braces + 4)
        return None


_KINDS: dict[str, TagKind] = {
    "output": "output",
    "triple": "output",
    "open": "open",
    "inverse": "inverse",
    "chain": "chain",
    "end": "end",
    "partial": "partial",
    "partial_block": "partial_block",
    "inline": "inline",
    "decorator": "decorator",
}


def _moved(word: Word, by: int) -> Word:
    return word._replace(start=word.start + by, end=word.end + by)

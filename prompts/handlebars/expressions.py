"""From the words of one tag to paths, literals and calls."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prompts.handlebars.errors import ProblemError, Source
from prompts.handlebars.lexing import CLOSES, Word
from prompts.handlebars.tree import Call, Expression, Literal, Path

MOST_PARTS = 50
MOST_NESTING = 50
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "undefined": None}
_STARTS_PATH = {"name", "segment", "dots", "dot"}
Options = tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    operator: bool


class Reader:
    """Reads the words of one tag; raises ProblemError at the first word that cannot stand there."""

    def __init__(self, source: Source, words: list[Word]) -> None:
        self._source = source
        self._words = words
        self._next = 0
        self._nesting = 0

    @property
    def word(self) -> Word:
        return self._words[self._next]

    def call(self) -> Call:
        start = self.word.start
        head = as_path(self.head())
        args, options = self.arguments()
        return Call(head, args, options, self._source.place(start))

    def head(self) -> Path | Literal:
        literal = self._literal()
        return literal if literal is not None else self.path()

    def arguments(self) -> tuple[tuple[Expression, ...], Options]:
        args: list[Expression] = []
        while self._starts_value() and not self._starts_option():
            args.append(self.value())
        options: list[tuple[str, Expression]] = []
        while self._starts_option():
            name = _plain(self._take())
            self._take()
            options.append((name, self.value()))
        return tuple(args), tuple(options)

    def value(self) -> Expression:
        return self.subexpression() if self._is_mark("(") else self.head()

    def subexpression(self) -> Call:
        self._nesting += 1
        if self._nesting > MOST_NESTING:
            raise self._problem("too-deep", f"More than {MOST_NESTING} nested parentheses")
        self._take()
        call = self.call()
        if not self._is_mark(")"):
            raise self._unexpected("close the parenthesis: `)`")
        self._take()
        self._nesting -= 1
        return call

    def names(self) -> tuple[str, ...]:
        """Block parameters: `as |item index|`, or none."""
        if self.word.kind != "names":
            return ()
        self._take()
        found: list[str] = []
        while self.word.kind in {"name", "segment"}:
            found.append(_plain(self._take()))
        if self.word.kind != "bar" or not found:
            raise self._unexpected("block parameters look like `as |item index|`")
        self._take()
        return tuple(found)

    def path(self) -> Path:
        start = self.word.start
        data = self._is_mark("@")
        original = self._take().text if data else ""
        parts: list[_Part] = []
        while True:
            part = self._part(after=bool(parts))
            parts.extend(part)
            original += ".".join(each.text for each in part)
            if self.word.kind != "separator":
                break
            original += self._take().text
        return self._path(parts, data, original, start)

    def end(self, close: str = "close") -> None:
        """The tag must end here, with the braces it began with."""
        if self.word.kind == close:
            return
        if self.word.kind in CLOSES:
            message = f"`{self.word.text}` does not fit this tag's opening braces"
            hint = "begin with `{{{` and end with `}}}`, or `{{` and `}}`"
            raise self._problem("mismatched-braces", message, hint)
        raise self._unexpected()

    def _part(self, after: bool) -> list[_Part]:
        word = self.word
        if word.kind == "number" and after and not word.text.startswith("-"):
            return [_Part(digits, operator=False) for digits in self._take().text.split(".")]
        if word.kind not in _STARTS_PATH:
            raise self._unexpected("a path looks like `page.title`")
        if word.kind == "dot" and after:
            raise self._problem("bad-path", "`.` can only begin a path", "remove it")
        self._take()
        plain = _plain(word)
        return [_Part(plain, operator=plain == word.text and plain in {"..", ".", "this"})]

    def _path(self, parts: list[_Part], data: bool, original: str, start: int) -> Path:
        names: list[str] = []
        for part in parts:
            if part.operator and names:
                hint = f"`{part.text}` can only begin a path; a field of that name is written `[{part.text}]`"
                raise ProblemError("bad-path", f"Invalid path `{original}`", hint, start)
            if not part.operator:
                names.append(part.text)
        if len(parts) > MOST_PARTS:
            raise ProblemError("too-deep", f"A path has more than {MOST_PARTS} parts", "", start)
        if self.word.kind in {"dot", "dots"} and self.word.start == self._words[self._next - 1].end:
            raise ProblemError(
                "bad-path", f"Invalid path `{original}{self.word.text}`", "remove the dot", start
            )
        up = sum(part.operator and part.text == ".." for part in parts)
        scoped = parts[0].operator
        return Path(tuple(names), up, data, scoped, original, self._source.place(start))

    def _literal(self) -> Literal | None:
        word = self.word
        place = self._source.place(word.start)
        if word.kind == "string":
            quote = word.text[0]
            text = word.text[1:-1].replace("\\" + quote, quote)
            literal = Literal(text, text, place)
        elif word.kind == "number":
            number = _number(word.text)
            literal = Literal(number, str(number), place)
        elif word.kind == "word":
            literal = Literal(_WORDS[word.text], word.text, place)
        else:
            return None
        self._take()
        return literal

    def _starts_value(self) -> bool:
        return self.word.kind in _STARTS_PATH | {"string", "number", "word"} or self.word.text in {"(", "@"}

    def _starts_option(self) -> bool:
        following = self._words[self._next + 1] if self._next + 1 < len(self._words) else None
        return self.word.kind in {"name", "segment"} and following is not None and following.text == "="

    def _is_mark(self, text: str) -> bool:
        return self.word.kind == "mark" and self.word.text == text

    def _take(self) -> Word:
        word = self.word
        if word.kind in CLOSES:
            raise self._unexpected()
        self._next += 1
        return word

    def _unexpected(self, hint: str = "") -> ProblemError:
        if self.word.kind in CLOSES:
            return self._problem("unexpected-end", "The tag ends too early", hint)
        return self._problem("unexpected-word", f"`{self.word.text}` cannot stand here", hint)

    def _problem(self, code: str, message: str, hint: str = "") -> ProblemError:
        return ProblemError(code, message, hint, self.word.start)


def as_path(head: Path | Literal) -> Path:
    """A literal at the head of a tag names a field: `{{"a b"}}` is the field `a b`."""
    if isinstance(head, Path):
        return head
    return Path((head.original,), 0, False, False, head.original, head.place)


def _plain(word: Word) -> str:
    if word.kind != "segment":
        return word.text
    return re.sub(r"\\([\\\]])", r"\1", word.text[1:-1])


def _number(text: str) -> int | float:
    value = float(text)
    whole = value.is_integer() and abs(value) < 1e21
    return int(text.split(".")[0]) if whole and len(text) < 30 else value

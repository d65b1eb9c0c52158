"""White space: `~`, and that a block tag, comment or partial alone on its line takes the line with it.

Follows Handlebars 4.7 to the letter, its odd corners included, because templates were written against it.
"""

from __future__ import annotations

from collections.abc import Sequence

from prompts.handlebars.lexing import SPACES
from prompts.handlebars.tree import (
    Block,
    Comment,
    Inline,
    Output,
    Partial,
    Program,
    Statement,
    Strip,
    Text,
    Unit,
)

_BLANKS = " \t"
Body = Sequence[Statement]


def space(name: str, program: Program) -> Unit:
    """The unit with what is left of each text, and the indents to give to partials alone on their line."""
    spacer = _Spacer()
    spacer.program(program, root=True)
    return Unit(name, program, spacer.texts, spacer.indents)


class _Spacer:
    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.indents: dict[int, str] = {}
        self._left_done: set[int] = set()
        self._right_done: set[int] = set()

    def program(self, program: Program, root: bool = False) -> None:
        body = program.body
        for statement in body:
            if isinstance(statement, Text):
                self.texts[statement.slot] = statement.original
        for index, statement in enumerate(body):
            match statement:
                case Text():
                    pass
                case Output(strip=strip):
                    self._strip(body, index, strip)
                case Comment(strip=strip):
                    self._strip(body, index, strip)
                    self._alone(body, index, root)
                case Partial(block=None, open_strip=strip):
                    self._strip(body, index, strip)
                    self._alone(body, index, root)
                case _:
                    self._block(body, index, statement, root)

    def _strip(self, body: Body, index: int, strip: Strip) -> None:
        if strip.close:
            self._trim_start(body, index + 1, everything=True)
        if strip.open:
            self._trim_end(body, index - 1, everything=True)

    def _alone(self, body: Body, index: int, root: bool) -> None:
        if not (_line_starts_at(body, index, root) and _line_ends_at(body, index, root)):
            return
        self._trim_start(body, index + 1)
        statement = body[index]
        if self._trim_end(body, index - 1) and isinstance(statement, Partial):
            before = body[index - 1]
            if isinstance(before, Text):
                self.indents[statement.slot] = before.original[len(before.original.rstrip(_BLANKS)) :]

    def _block(self, body: Body, index: int, block: Block | Partial | Inline, root: bool) -> None:
        first, other = _halves(block)
        self.program(first)
        if other is not None:
            self.program(other)
        after_else = _first_else(other)
        last_else = _last_else(other)
        opens_alone = _line_ends_at(first.body, -1) and _line_starts_at(body, index, root)
        ending = (after_else or first).body
        ends_alone = _line_starts_at(ending, len(ending)) and _line_ends_at(body, index, root)
        self._inner_strips(block, first, after_else, last_else)
        self._strip(body, index, Strip(block.open_strip.open, block.close_strip.close))
        if opens_alone:
            self._trim_start(first.body, 0)
            self._trim_end(body, index - 1)
        if ends_alone:
            self._trim_start(body, index + 1)
            tail = (_last_half(block) or first).body
            self._trim_end(tail, len(tail) - 1)

    def _inner_strips(
        self,
        block: Block | Partial | Inline,
        first: Program,
        after_else: Program | None,
        last_else: Program | None,
    ) -> None:
        if block.open_strip.close:
            self._trim_start(first.body, 0, everything=True)
        if after_else is not None and last_else is not None:
            self._else_strips(block, first, after_else)
        if block.close_strip.open:
            tail = (last_else or first).body
            self._trim_end(tail, len(tail) - 1, everything=True)
        if after_else is None or not _line_starts_at(first.body, len(first.body)):
            return
        if _line_ends_at(after_else.body, -1):
            self._trim_end(first.body, len(first.body) - 1)
            self._trim_start(after_else.body, 0)

    def _else_strips(self, block: Block | Partial | Inline, first: Program, after_else: Program) -> None:
        strip = block.other_strip if isinstance(block, Block) else Strip(open=False, close=False)
        if strip.open:
            self._trim_end(first.body, len(first.body) - 1, everything=True)
        if strip.close:
            self._trim_start(after_else.body, 0, everything=True)

    def _trim_start(self, body: Body, index: int, everything: bool = False) -> None:
        text = _text_at(body, index)
        if text is None or (not everything and text.slot in self._right_done):
            return
        value = self.texts[text.slot]
        rest = value.lstrip(SPACES) if everything else _without_line_start(value)
        self.texts[text.slot] = rest
        _note(self._right_done, text.slot, rest != value)

    def _trim_end(self, body: Body, index: int, everything: bool = False) -> bool:
        text = _text_at(body, index)
        if text is None or (not everything and text.slot in self._left_done):
            return False
        value = self.texts[text.slot]
        rest = value.rstrip(SPACES if everything else _BLANKS)
        self.texts[text.slot] = rest
        _note(self._left_done, text.slot, rest != value)
        return rest != value


def _halves(block: Block | Partial | Inline) -> tuple[Program, Program | None]:
    """The half that spacing takes for the first, and the other one if there are two."""
    if isinstance(block, Inline):
        return block.body, None
    if isinstance(block, Partial):
        return block.block or Program(()), None
    if block.body is None:
        return block.other or Program(()), None
    return block.body, block.other


def _last_half(block: Block | Partial | Inline) -> Program | None:
    return block.other if isinstance(block, Block) else None


def _first_else(other: Program | None) -> Program | None:
    if other is None or not other.chained:
        return other
    inner = other.body[0]
    return inner.body if isinstance(inner, Block) else None


def _last_else(other: Program | None) -> Program | None:
    """The chain is walked through the bodies of its blocks, as Handlebars does, so it ends after one step."""
    while other is not None and other.chained:
        inner = other.body[-1]
        other = inner.body if isinstance(inner, Block) else None
    return other


def _line_starts_at(body: Body, index: int, root: bool = False) -> bool:
    """Whether only white space stands between the start of the line and the statement at `index`."""
    if index == 0:
        return root
    text = _text_at(body, index - 1)
    if text is None:
        return False
    blank = text.original[len(text.original.rstrip(SPACES)) :]
    return "\n" in blank or (root and index == 1 and blank == text.original)


def _line_ends_at(body: Body, index: int, root: bool = False) -> bool:
    """Whether only white space stands between the statement at `index` and the end of the line."""
    if index + 1 == len(body):
        return root
    text = _text_at(body, index + 1)
    if text is None:
        return False
    blank = text.original[: len(text.original) - len(text.original.lstrip(SPACES))]
    return "\n" in blank or (root and index + 2 == len(body) and blank == text.original)


def _text_at(body: Body, index: int) -> Text | None:
    statement = body[index] if 0 <= index < len(body) else None
    return statement if isinstance(statement, Text) else None


def _without_line_start(value: str) -> str:
    rest = value.lstrip(_BLANKS)
    if rest.startswith("\r\n"):
        return rest[2:]
    return rest[1:] if rest.startswith("\n") else rest


def _note(done: set[int], slot: int, changed: bool) -> None:
    if changed:
        done.add(slot)
    else:
        done.discard(slot)

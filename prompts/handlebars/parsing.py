"""Builds the tree from text and tags, matching every block with its end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from prompts.handlebars.errors import Fault, ProblemError, Source
from prompts.handlebars.expressions import Reader
from prompts.handlebars.scanning import Scanner, Tag, TextPiece
from prompts.handlebars.tree import (
    NO_STRIP,
    Block,
    Call,
    Comment,
    Expression,
    Inline,
    Literal,
    Output,
    Partial,
    Path,
    Program,
    Statement,
    Strip,
    Text,
)

DEEPEST = 50
# An `else if` is no deeper for a person, but it is for the code that walks the tree.
MOST_LEVELS = 150
_ELSE_HINT = "it belongs between `{{#if …}}` and `{{/if}}`"
_LAST_HINT = "only the last part of a block is a plain `else`"
_INLINE_HINT = 'partials are defined by `{{#*inline "name"}}…{{/inline}}`'


def parse(source: Source) -> tuple[Program, list[Fault]]:
    """The tree and every fault found; with faults the tree is what could be made out."""
    scanner = Scanner(source)
    scanner.scan()
    parser = _Parser(source, scanner.faults)
    for piece in scanner.pieces:
        parser.take(piece)
    return parser.finish(), parser.faults


@dataclass
class _Branch:
    """One part of an open block: what its tag said, and the statements read so far."""

    tag: Tag
    call: Call | None
    names: tuple[str, ...] = ()
    body: list[Statement] = field(default_factory=list)


@dataclass
class _Open:
    """A block waiting for its end. `name` is what the end must say; None where the opening tag was faulty."""

    tag: Tag
    name: str | None
    branches: list[_Branch]
    level: int
    partial: Partial | None = None
    inline: str | None = None

    @property
    def takes_else(self) -> bool:
        return self.partial is None and self.inline is None


class _Parser:
    def __init__(self, source: Source, faults: list[Fault]) -> None:
        self._source = source
        self.faults = faults
        self._root: list[Statement] = []
        self._open: list[_Open] = []
        self._slots = 0

    def take(self, piece: TextPiece | Tag) -> None:
        if isinstance(piece, TextPiece):
            self._body.append(self._text(piece))
            return
        try:
            self._take_tag(piece)
        except ProblemError as problem:
            self.faults.append(self._source.fault_of(problem))

    def finish(self) -> Program:
        while self._open:
            self._leave_open(self._open[-1])
        return Program(tuple(self._root))

    @property
    def _body(self) -> list[Statement]:
        return self._open[-1].branches[-1].body if self._open else self._root

    def _text(self, piece: TextPiece) -> Text:
        return Text(piece.text, self._slot(), self._source.place(piece.offset))

    def _slot(self) -> int:
        self._slots += 1
        return self._slots

    def _take_tag(self, tag: Tag) -> None:
        match tag.kind:
            case "comment":
                self._body.append(Comment(tag.strip, self._source.place(tag.start)))
            case "output":
                self._output(tag)
            case "partial":
                if tag.words:
                    self._body.append(self._partial(tag))
            case "else" | "chain":
                self._else(tag)
            case "end":
                self._end(tag)
            case "decorator":
                raise self._decorator(tag)
            case "raw":
                self._raw(tag)
            case "open" | "inverse" | "partial_block" | "inline":
                self._begin(tag)

    def _output(self, tag: Tag) -> None:
        if not tag.words:
            return
        reader = Reader(self._source, tag.words)
        call = reader.call()
        reader.end(tag.close)
        self._body.append(Output(call, tag.strip, self._source.place(tag.start)))

    def _partial(self, tag: Tag) -> Partial:
        reader = Reader(self._source, tag.words)
        dynamic = tag.words[0].text == "("
        name: str | Call = reader.subexpression() if dynamic else reader.head().original
        args, options = reader.arguments()
        reader.end()
        if len(args) > 1:
            hint = "name further values: `{{> name title=page.title}}`"
            raise ProblemError(
                "wrong-arguments", "A partial takes one context at most", hint, args[1].place.offset
            )
        context: Expression | None = args[0] if args else None
        place = self._source.place(tag.start)
        return Partial(name, context, options, None, tag.strip, NO_STRIP, self._slot(), place)

    def _begin(self, tag: Tag) -> None:
        """Opens a block even when its tag is faulty, so that its end still fits."""
        opened = _Open(tag, None, [_Branch(tag, None)], self._level() + 1)
        self._open.append(opened)
        if len(self._open) > DEEPEST or opened.level > MOST_LEVELS:
            raise ProblemError("too-deep", f"Blocks are nested more than {DEEPEST} deep", "", tag.start)
        if not tag.words:
            return
        if tag.kind == "partial_block":
            opened.partial = self._partial(tag)
            if not isinstance(opened.partial.name, str):
                raise ProblemError("bad-partial", "A partial with a block needs a plain name", "", tag.start)
            opened.name = opened.partial.name
        elif tag.kind == "inline":
            opened.inline = self._inline_name(tag)
            opened.name = "inline"
        else:
            opened.branches = [self._branch(tag)]
            call = opened.branches[0].call
            opened.name = call.head.original if call else None

    def _level(self) -> int:
        return self._open[-1].level if self._open else 0

    def _branch(self, tag: Tag) -> _Branch:
        reader = Reader(self._source, tag.words)
        call = reader.call()
        names = reader.names()
        reader.end()
        return _Branch(tag, call, names)

    def _inline_name(self, tag: Tag) -> str:
        reader = Reader(self._source, tag.words)
        head = reader.head()
        if head.original != "inline":
            raise self._decorator(tag)
        args, options = reader.arguments()
        reader.end()
        if (
            len(args) != 1
            or options
            or not isinstance(args[0], Literal)
            or not isinstance(args[0].value, str)
        ):
            raise ProblemError(
                "bad-partial", "An inline partial needs a quoted name", '`{{#*inline "name"}}`', tag.start
            )
        return args[0].value

    def _decorator(self, tag: Tag) -> ProblemError:
        return ProblemError("unknown-decorator", "Only `{{#*inline …}}` is known", _INLINE_HINT, tag.start)

    def _raw(self, tag: Tag) -> None:
        """A raw block is a section whose text is not read for tags."""
        reader = Reader(self._source, tag.words)
        call = reader.call()
        reader.end(tag.close)
        text = tag.raw
        body = Program((self._text(text),) if text and text.text else ())
        place = self._source.place(tag.start)
        self._body.append(Block(call, (), body, None, NO_STRIP, NO_STRIP, NO_STRIP, place))

    def _else(self, tag: Tag) -> None:
        if not self._open:
            raise ProblemError(
                "unexpected-else", "There is no block here for this `else`", _ELSE_HINT, tag.start
            )
        opened = self._open[-1]
        last = opened.branches[-1]
        if not opened.takes_else:
            raise ProblemError("unexpected-else", "A partial's block has no `else`", "", tag.start)
        if last.tag.kind == "else":
            line = self._source.place(last.tag.start).line
            raise ProblemError(
                "unexpected-else", f"This block's last `else` was in line {line}", _LAST_HINT, tag.start
            )
        if tag.kind == "chain" and opened.tag.kind == "inverse":
            hint = "begin with `{{#unless …}}`"
            raise ProblemError("unexpected-else", "`{{^…}}` has no `else if`, only `else`", hint, tag.start)
        opened.branches.append(_Branch(tag, None))
        if tag.kind == "chain":
            self._chain(opened, tag)

    def _chain(self, opened: _Open, tag: Tag) -> None:
        opened.level += 1
        if opened.level > MOST_LEVELS:
            raise ProblemError(
                "too-deep", f"More than {MOST_LEVELS} levels of blocks and `else if`", "", tag.start
            )
        if tag.words:
            opened.branches[-1] = self._branch(tag)

    def _end(self, tag: Tag) -> None:
        name = self._end_name(tag)
        if not self._open:
            message = f"`{{{{/{name or '…'}}}}}` closes nothing"
            raise ProblemError("unexpected-close", message, "remove it", tag.start)
        self._leave_unclosed_inside(name, tag)
        self._close(self._open.pop(), tag.strip)

    def _end_name(self, tag: Tag) -> str | None:
        """The name an end gives; a faulty one gives none and ends the innermost block."""
        if not tag.words:
            return None
        reader = Reader(self._source, tag.words)
        try:
            name = reader.head().original
            reader.end()
        except ProblemError as problem:
            self.faults.append(self._source.fault_of(problem))
            return None
        return name

    def _leave_unclosed_inside(self, name: str | None, tag: Tag) -> None:
        """A wrong end either belongs to a block further out, or is misspelt and ends the innermost."""
        inner = self._open[-1]
        if name is None or inner.name in {None, name}:
            return
        if any(opened.name == name for opened in self._open):
            while self._open[-1].name != name:
                self._leave_open(self._open[-1])
            return
        line = self._source.place(inner.tag.start).line
        hint = f"write `{{{{/{inner.name}}}}}`: it was opened in line {line}"
        message = f"`{{{{/{name}}}}}` does not close `{{{{#{inner.name}}}}}`"
        self.faults.append(self._source.fault("mismatched-close", message, tag.start, hint))

    def _leave_open(self, opened: _Open) -> None:
        name = opened.name or "…"
        sign = {"inverse": "^", "partial_block": "#> ", "inline": "#*"}.get(opened.tag.kind, "#")
        line = self._source.place(opened.tag.start).line
        hint = f"`{{{{{sign}{name}` opened in line {line} is never closed: add `{{{{/{name}}}}}`"
        message = f"`{{{{{sign}{name}` is never closed"
        self.faults.append(self._source.fault("unclosed-block", message, opened.tag.start, hint))
        self._close(self._open.pop(), NO_STRIP)

    def _close(self, opened: _Open, strip: Strip) -> None:
        first = Program(tuple(opened.branches[0].body))
        place = self._source.place(opened.tag.start)
        if opened.partial is not None:
            self._body.append(replace(opened.partial, block=first, close_strip=strip))
        elif opened.inline is not None:
            self._body.append(Inline(opened.inline, first, opened.tag.strip, strip, place))
        elif opened.branches[0].call is not None:
            self._body.append(self._block(opened, strip))

    def _block(self, opened: _Open, strip: Strip) -> Block:
        """Folds the branches from the last: an `else if` is a block in the `else` of the one before.

        Handlebars gives such a block its own tag's strip as the strip of its end, except the first one.
        """
        other: Program | None = None
        other_strip = NO_STRIP
        for index in range(len(opened.branches) - 1, 0, -1):
            branch = opened.branches[index]
            other_strip_here = branch.tag.strip
            if branch.call is None:
                other = Program(tuple(branch.body))
            else:
                close = strip if index == 1 else branch.tag.strip
                block = self._fold(branch, other, other_strip, close)
                other = Program((block,), chained=True)
            other_strip = other_strip_here
        return self._fold(opened.branches[0], other, other_strip, strip)

    def _fold(self, branch: _Branch, other: Program | None, other_strip: Strip, close: Strip) -> Block:
        body: Program | None = Program(tuple(branch.body))
        if branch.tag.kind == "inverse":
            body, other = other, body
        call = branch.call or _nothing(self._source, branch.tag)
        place = self._source.place(branch.tag.start)
        return Block(call, branch.names, body, other, branch.tag.strip, other_strip, close, place)


def _nothing(source: Source, tag: Tag) -> Call:
    place = source.place(tag.start)
    return Call(Path(("",), 0, False, True, "", place), (), (), place)

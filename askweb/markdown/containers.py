"""Blocks that hold blocks, and the flow of blocks in each. A line is given to the outermost flow, once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from askweb.markdown.cells import alignments_of, cells_of
from askweb.markdown.leaves import Block, Fence, Heading, Indented, Leaf, Paragraph, Rule, Table
from askweb.markdown.limits import CONTAINERS
from askweb.markdown.lines import (
    CODE_INDENT,
    DETAILS,
    NOTE,
    QUOTE,
    RULE,
    Marker,
    begins_with_sign,
    dedent,
    ends_laziness,
    fence_of,
    heading_of,
    indent_of,
    is_blank,
    marker_of,
)
from askweb.markdown.spans import DETAILS as DETAILS_TAG
from askweb.markdown.spans import EVERY_SPAN

SUMMARY = re.compile(r"[ \t]*<summary[ \t]*>", re.IGNORECASE)
SUMMARY_END = re.compile(r"</summary[ \t]*>", re.IGNORECASE)
DETAILS_END = re.compile(r"(?<!`)</details[ \t]*>", re.IGNORECASE)
NOTE_INDENT = 2


class Flow:
    """The blocks of one container, or of the whole text.

    `feed` takes line after line, `end` says that there are no more. Blocks before `open` are finished: no
    further line changes them. `start` is the number of the line at which `open` begins.
    """

    def __init__(self, depth: int = 0, may_open: frozenset[str] = EVERY_SPAN) -> None:
        self.blocks: list[Block] = []
        self.open: Block | None = None
        self.depth = depth
        self.may_open = may_open
        self.start = self.count = 0
        self.loose = False
        self.after_blank = False

    def feed(self, line: str) -> None:
        if not self._became_table(line) and not (self.open and self.open.takes(line)):
            self._close()
            if not is_blank(line):
                self._begin(opened(line, self), self.count)
        self.count += 1
        self.after_blank = is_blank(line)
        if self.open and self.open.done:
            self._close()

    def end(self) -> None:
        """Close everything. What needs a closer and has none is read again, literally."""
        while self.open and (opener := self.open.unclosed):
            self.may_open -= {opener}
            self.after_blank = False
            block, self.open = self.blocks.pop(), None
            for line in block.raw:
                self.feed(line)
        self._close()

    def last(self) -> Block | None:
        """The innermost block that is open at the end."""
        block = self.open
        return block.inner.last() if isinstance(block, Container) else block

    def takes_lazily(self, line: str) -> bool:
        """Take a line that lacks its container's mark, if the paragraph at the end simply goes on."""
        last = self.last()
        if not isinstance(last, Paragraph) or is_blank(line) or (not last.opener and ends_laziness(line)):
            return False
        last.add(line)
        last.lazy_in = self.depth - 1
        return True

    def inside(self) -> Flow:
        return Flow(self.depth + 1, self.may_open)

    def _begin(self, block: Block, start: int) -> None:
        self.loose = self.loose or (self.after_blank and bool(self.blocks))
        self.blocks.append(block)
        self.open, self.start = block, start

    def _close(self) -> None:
        if self.open:
            self.open.close()
            self.open = None

    def _became_table(self, line: str) -> bool:
        """Make a table of a paragraph's last line, if this is the delimiter row below it.

        Models write tables right behind a list: the line may have gone to its last item, for want of a mark.
        """
        alignments = alignments_of(line)
        paragraph = self._paragraph_before() if alignments else None
        if not alignments or paragraph is None:
            return False
        line_before = paragraph.raw[-1]
        if len(cells_of(line_before, len(alignments) + 1)) != len(alignments):
            return False
        if indent_of(line_before) >= CODE_INDENT or marker_of(line_before):
            return False  # without the paragraph before it that line would be no text
        head = cells_of(paragraph.raw.pop(), len(alignments))
        if not paragraph.raw:
            self.blocks.pop()
        elif paragraph is not self.open:
            self._close()
        self._begin(Table(head=head, alignments=alignments), self.count - 1)
        return True

    def _paragraph_before(self) -> Paragraph | None:
        """The paragraph that took the line before, be it within a list or quote."""
        last = self.last()
        if not isinstance(last, Paragraph) or last.opener:
            return None
        return last if last is self.open or last.lazy_in == self.depth else None


def opened(line: str, flow: Flow) -> Block:
    """The block that begins with this line."""
    if indent_of(line) >= CODE_INDENT:
        return Indented(raw=[dedent(line, CODE_INDENT, keep_tabs=True)])
    if not begins_with_sign(line):
        return _paragraph(line, flow)
    if fence := fence_of(line):
        return Fence(opening=fence)
    if heading := heading_of(line):
        return Heading(level=heading.level, text=heading.text)
    if RULE.match(line):
        return Rule()
    return (_container(line, flow) if flow.depth < CONTAINERS else None) or _paragraph(line, flow)


def _container(line: str, flow: Flow) -> Block | None:
    if QUOTE.match(line):
        return Quote.begun(line, flow.inside())
    if marker := marker_of(line):
        return List.begun(marker, flow)
    if note := NOTE.match(line):
        return Note.begun(note[1], note[2], flow.inside())
    if DETAILS_TAG in flow.may_open and (details := DETAILS.match(line)):
        return Details.begun(line, details[1], flow.inside())
    return None


def _paragraph(line: str, flow: Flow) -> Paragraph:
    paragraph = Paragraph(may_open=flow.may_open)
    paragraph.add(line)
    return paragraph


@dataclass(kw_only=True)
class Container(Leaf):
    inner: Flow

    def close(self) -> None:
        self.inner.end()


@dataclass(kw_only=True)
class Quote(Container):
    @classmethod
    def begun(cls, line: str, inner: Flow) -> Quote:
        quote = cls(inner=inner)
        quote.takes(line)
        return quote

    def takes(self, line: str) -> bool:
        if not (mark := QUOTE.match(line)):
            return self.inner.takes_lazily(line)
        keep = isinstance(self.inner.last(), Fence)
        self.inner.feed(dedent(line[mark.end() :], 1, mark.end(), keep_tabs=keep))
        return True


@dataclass(kw_only=True)
class Item(Container):
    """A list item: lines indented by `need` belong to it and lose `offset` columns.

    Models indent by two whatever the marker's width, so the first indented line settles the offset.
    """

    need: int
    offset: int
    settled: bool = False

    @classmethod
    def begun(cls, marker: Marker, inner: Flow) -> Item:
        item = cls(inner=inner, need=min(marker.offset, marker.indent + 2), offset=marker.offset)
        if marker.content:
            inner.feed(marker.content)
        return item

    def takes(self, line: str) -> bool:
        if is_blank(line):
            last = self.inner.last()
            if last or not self.inner.after_blank:
                self.inner.feed(dedent(line, self.offset) if isinstance(last, Fence) else "")
            return True
        if (indent := indent_of(line)) < self.need:
            return False
        if not self.settled:
            self.offset, self.settled = min(self.offset, indent), True
        keep = isinstance(self.inner.last(), Fence)
        self.inner.feed(dedent(line, self.offset, keep_tabs=keep))
        return True


@dataclass(kw_only=True)
class List(Container):
    """Items whose markers are of one kind. `inner` is the last item's."""

    marker: Marker
    flow: Flow
    items: list[Item] = field(default_factory=list)
    loose: bool = False
    after_blank: bool = False

    @classmethod
    def begun(cls, marker: Marker, flow: Flow) -> List:
        block = cls(inner=flow.inside(), marker=marker, flow=flow)
        block._add(marker)
        return block

    def takes(self, line: str) -> bool:
        taken = self.items[-1].takes(line) or self._takes_sibling(line) or self._takes_unindented(line)
        self.after_blank = is_blank(line)
        return taken

    def close(self) -> None:
        super().close()
        self.loose = self.loose or any(item.inner.loose for item in self.items)

    def _takes_sibling(self, line: str) -> bool:
        marker = marker_of(line)
        if not marker or marker.kind != self.marker.kind or RULE.match(line):
            return False
        self.inner.end()
        self.loose = self.loose or self.after_blank
        self._add(marker)
        return True

    def _takes_unindented(self, line: str) -> bool:
        if self.after_blank:
            return False
        last = self.inner.last()
        # models often leave out the indentation of code inside an item
        return last.takes(line) if isinstance(last, Fence) else self.inner.takes_lazily(line)

    def _add(self, marker: Marker) -> None:
        self.items.append(Item.begun(marker, self.flow.inside()))
        self.inner = self.items[-1].inner


@dataclass(kw_only=True)
class Note(Container):
    """A footnote's text."""

    label: str
    after_blank: bool = False

    @classmethod
    def begun(cls, label: str, text: str, inner: Flow) -> Note:
        inner.feed(text)
        return cls(label=label, inner=inner)

    def takes(self, line: str) -> bool:
        if is_blank(line) or indent_of(line) >= NOTE_INDENT:
            self.inner.feed(dedent(line, CODE_INDENT))
            self.after_blank = is_blank(line)
            return True
        return not self.after_blank and self.inner.takes_lazily(line)


@dataclass(kw_only=True)
class Details(Container):
    """`<details>` up to its `</details>`; `trailing` is the text after that on its line."""

    summary: str | None = None
    trailing: str = ""
    heading: list[str] = field(default_factory=list)
    in_heading: bool = False

    @property
    def unclosed(self) -> str:
        return "" if self.done else DETAILS_TAG

    @classmethod
    def begun(cls, line: str, rest: str, inner: Flow) -> Details:
        details = cls(inner=inner, raw=[line])
        if not is_blank(rest):
            details._read(rest)
        return details

    def takes(self, line: str) -> bool:
        self.raw.append(line)
        self._read(line)
        return True

    def close(self) -> None:
        for line in self.heading:
            self.inner.feed(line)
        self.inner.end()

    def _read(self, line: str) -> None:
        closer = DETAILS_END.search(line)
        if not closer or isinstance(self.inner.last(), Fence):
            self._read_content(line)
        elif isinstance(self.inner.open, Details) or DETAILS.match(line):
            self._read_nested(line)
        else:
            if not is_blank(before := line[: closer.start()]):
                self._read_content(before)
            self.trailing, self.done = line[closer.end() :], True

    def _read_nested(self, line: str) -> None:
        self._read_content(line)
        nested = self.inner.blocks[-1] if self.inner.blocks else None
        if isinstance(nested, Details) and DETAILS_END.match(nested.trailing):
            trailing, nested.trailing = nested.trailing, ""
            self._read(trailing)

    def _read_content(self, line: str) -> None:
        if self.summary is None and not self.inner.blocks and SUMMARY.match(line):
            self.in_heading = True
        if not self.in_heading:
            self.inner.feed(line)
            return
        self.heading.append(line)
        if end := SUMMARY_END.search(line):
            self._end_heading(line[end.end() :])

    def _end_heading(self, rest: str) -> None:
        text = SUMMARY.sub("", "\n".join(self.heading), count=1)
        self.summary = SUMMARY_END.split(text, maxsplit=1)[0].strip()
        self.heading, self.in_heading = [], False
        if not is_blank(rest):
            self.inner.feed(rest)

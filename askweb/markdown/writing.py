"""Blocks as elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, SubElement

from askweb.markdown.containers import Details, List, Quote
from askweb.markdown.filling import fill, math
from askweb.markdown.finding import Findings
from askweb.markdown.highlighting import language_of
from askweb.markdown.inline import Reader
from askweb.markdown.leaves import Block, Fence, Heading, Indented, Paragraph, Rule, Table
from askweb.markdown.math import Math
from askweb.markdown.noting import Notes
from askweb.markdown.parts import Part
from askweb.markdown.sharing import Shared

AUTO = {"dir": "auto"}
TASK = re.compile(r"\[([ xX])\][ \t]+(?=\S)")


class Writer:
    """Writes the blocks of one text."""

    def __init__(self, found: Findings, prefix: str, shared: Shared) -> None:
        self.found = found
        self.notes = Notes(found.notes, prefix)
        self.shared = shared

    def write(self, root: Element, blocks: Sequence[Block]) -> None:
        self._blocks(root, blocks)
        self.notes.write(root, self._blocks)

    def _blocks(self, parent: Element, blocks: Sequence[Block], *, tight: bool = False) -> None:
        for block in blocks:
            if tight and isinstance(block, Paragraph) and not block.level:
                self._fill(parent, "\n".join(block.lines))
            elif handle := self.HANDLERS.get(type(block)):
                handle(self, parent, block)

    def _parts(self, text: str) -> list[Part]:
        return Reader(text, self.found.definitions, self.found.notes).read()

    def _fill(self, element: Element, text: str) -> None:
        fill(element, self._parts(text), self.notes.mark)

    def _heading(self, parent: Element, block: Heading) -> None:
        self._fill(SubElement(parent, f"h{block.level}", AUTO), block.text)

    def _paragraph(self, parent: Element, block: Paragraph) -> None:
        parts = self._parts("\n".join(block.lines))
        said = [part for part in parts if part != ""]
        if len(said) == 1 and isinstance(said[0], Math) and said[0].display:
            parent.append(math(said[0], "div"))
            return
        element = Element(f"h{block.level}" if block.level else "p", AUTO)
        fill(element, parts, self.notes.mark)
        if len(element) or (element.text or "").strip():
            parent.append(element)

    def _rule(self, parent: Element, block: Rule) -> None:
        SubElement(parent, "hr")

    def _fence(self, parent: Element, block: Fence) -> None:
        parent.append(self.shared.painter.code_block(_text(block.raw), language_of(block.opening.info)))

    def _indented(self, parent: Element, block: Indented) -> None:
        parent.append(self.shared.painter.code_block(_text(block.raw)))

    def _quote(self, parent: Element, block: Quote) -> None:
        self._blocks(SubElement(parent, "blockquote", AUTO), block.inner.blocks)

    def _list(self, parent: Element, block: List) -> None:
        number = block.marker.number
        start = {} if number in (None, 1) else {"start": str(number)}
        element = SubElement(parent, "ul" if number is None else "ol", start)
        for item in block.items:
            entry = SubElement(element, "li", AUTO)
            is_task = self._task(entry, item.inner.blocks)
            self._blocks(entry, item.inner.blocks[is_task:], tight=not block.loose)

    def _task(self, entry: Element, blocks: Sequence[Block]) -> bool:
        """Write a task's box and words, which are its label; return whether it is a task."""
        first = blocks[0] if blocks else None
        task = TASK.match(first.lines[0]) if isinstance(first, Paragraph) and first.raw else None
        if not task or not isinstance(first, Paragraph):
            return False
        first.raw[0] = first.lines[0][task.end() :]
        checked = {} if task[1] == " " else {"checked": ""}
        entry.set("class", "task")
        label = SubElement(entry, "label")
        SubElement(label, "input", {"type": "checkbox", "disabled": "", **checked}).tail = " "
        self._fill(label, "\n".join(first.lines))
        return True

    def _details(self, parent: Element, block: Details) -> None:
        element = SubElement(parent, "details")
        if block.summary is not None:
            self._fill(SubElement(element, "summary", AUTO), block.summary)
        self._blocks(element, block.inner.blocks)
        if block.trailing.strip():
            self._fill(SubElement(parent, "p", AUTO), block.trailing.strip())

    def _table(self, parent: Element, block: Table) -> None:
        table = SubElement(parent, "table")
        self._row(SubElement(table, "thead"), "th", block, block.head)
        body = SubElement(table, "tbody") if block.rows else table
        for row in block.rows:
            self._row(body, "td", block, row + [""] * self._missing(block, row))

    def _missing(self, block: Table, row: list[str]) -> int:
        missing = min(len(block.head) - len(row), self.shared.padding)
        self.shared.padding -= missing
        return missing

    def _row(self, parent: Element, tag: str, block: Table, cells: list[str]) -> None:
        row = SubElement(parent, "tr")
        for text, alignment in zip(cells, block.alignments, strict=False):
            self._fill(SubElement(row, tag, AUTO | ({"align": alignment} if alignment else {})), text)

    HANDLERS: ClassVar[dict[type[Any], Callable[[Writer, Element, Any], None]]] = {
        Heading: _heading,
        Paragraph: _paragraph,
        Rule: _rule,
        Fence: _fence,
        Indented: _indented,
        Quote: _quote,
        List: _list,
        Details: _details,
        Table: _table,
    }


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)

"""Footnotes: marks in the text, and the notes at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

from askweb.markdown.containers import Note
from askweb.markdown.leaves import Block


class Notes:
    """Numbers notes in the order of their marks; notes without a mark come last. Ids begin with `prefix`."""

    def __init__(self, notes: Mapping[str, Note], prefix: str) -> None:
        self.notes = notes
        self.prefix = prefix
        self.numbers: dict[str, int] = {}

    def mark(self, label: str) -> Element:
        is_first = label not in self.numbers
        number = self._number(label)
        mark = Element("sup", {"id": f"{self.prefix}-mark-{number}"} if is_first else {})
        SubElement(mark, "a", {"href": f"#{self.prefix}-{number}"}).text = str(number)
        return mark

    def write(self, root: Element, blocks: Callable[[Element, Sequence[Block]], None]) -> None:
        """Write all notes; a note's own marks may number further notes meanwhile."""
        if not self.notes:
            return
        entries = SubElement(SubElement(root, "section", {"class": "footnotes"}), "ol")
        written: set[str] = set()
        while label := self._next(written):
            written.add(label)
            entry = SubElement(entries, "li", {"id": f"{self.prefix}-{self._number(label)}", "dir": "auto"})
            blocks(entry, self.notes[label].inner.blocks)

    def _number(self, label: str) -> int:
        return self.numbers.setdefault(label, len(self.numbers) + 1)

    def _next(self, written: set[str]) -> str | None:
        number = len(written)
        if number < len(self.numbers):
            return list(self.numbers)[number]
        return next((label for label in self.notes if label not in self.numbers), None)

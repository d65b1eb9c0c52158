"""Parts of running text as elements inside a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, SubElement

from askweb.markdown.emphasis import Run
from askweb.markdown.limits import INLINE_DEPTH
from askweb.markdown.math import Math
from askweb.markdown.parts import Closing, NoteMark, Opening, Part

SIGNS = {"em": 1, "strong": 2, "del": 2}


def fill(element: Element, parts: Sequence[Part], note: Callable[[str], Element]) -> None:
    """Append parts to what the element holds. `note` makes the mark of a footnote."""
    filler = Filler(element, note)
    for part in _without_idle_breaks(parts):
        filler.add(part)
    filler.flush()


def math(part: Math, tag: str = "span") -> Element:
    element = Element(tag, {"class": "math display" if part.display else "math inline"})
    element.text = part.tex
    return element


class Filler:
    def __init__(self, element: Element, note: Callable[[str], Element]) -> None:
        self.stack = [element]
        self.begun: list[bool] = []  # whether each open part is an element, or is shown as written
        self.links = 0
        self.text: list[str] = []
        self.note = note

    def add(self, part: Part) -> None:
        match part:
            case str():
                self.text.append(part)
            case Run():
                self._add_run(part)
            case Opening():
                self._open(part)
            case Closing():
                self._close(part.written)
            case _:
                self._append(self._element(part))

    def flush(self) -> None:
        """Put the text gathered so far where it belongs: behind the last child, or before any."""
        text, parent = "".join(self.text), self.stack[-1]
        self.text.clear()
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + text
        else:
            parent.text = (parent.text or "") + text

    def _element(self, part: Element | Math | NoteMark) -> Element:
        if isinstance(part, Math):
            return math(part)
        return self.note(part.label) if isinstance(part, NoteMark) else part

    def _append(self, element: Element) -> None:
        self.flush()
        self.stack[-1].append(element)

    def _add_run(self, run: Run) -> None:
        for tag in run.closes:
            self._close(run.sign * SIGNS[tag])
        self.text.append(run.sign * run.left)
        for tag in reversed(run.opens):
            self._open(Opening(tag, run.sign * SIGNS[tag]))

    def _open(self, part: Opening) -> None:
        is_element = len(self.stack) <= INLINE_DEPTH and not (part.tag == "a" and self.links)
        self.begun.append(is_element)
        if not is_element:
            self.text.append(part.written)
            return
        self.flush()
        self.stack.append(SubElement(self.stack[-1], part.tag, dict(part.attributes)))
        self.links += part.tag == "a"

    def _close(self, written: str) -> None:
        if not self.begun.pop():
            self.text.append(written)
            return
        self.flush()
        self.links -= self.stack.pop().tag == "a"


def _without_idle_breaks(parts: Sequence[Part]) -> list[Part]:
    """Leave out line breaks at either end and beside display math, which has lines of its own."""
    kept: list[Part] = []
    after_line_end = True
    for part in parts:
        if part == "":
            continue
        is_display = isinstance(part, Math) and part.display
        if is_display:
            _drop_breaks(kept)
        if not (after_line_end and is_break(part)):
            kept.append(part)
            after_line_end = is_display
    _drop_breaks(kept)
    return kept


def _drop_breaks(parts: list[Part]) -> None:
    while parts and is_break(parts[-1]):
        parts.pop()


def is_break(part: Part) -> bool:
    return isinstance(part, Element) and part.tag == "br"

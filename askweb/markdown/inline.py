"""Running text into parts: one walk from left to right, in which code, math, tags and addresses come first."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar
from xml.etree.ElementTree import Element

from askweb.markdown.ahead import Ahead
from askweb.markdown.emphasis import Run, pair, run_at
from askweb.markdown.limits import LABEL
from askweb.markdown.links import (
    ENTITY,
    Target,
    bare_address,
    entity,
    label_of,
    plain,
    safe_address,
    target_at,
    without_entities,
)
from askweb.markdown.math import DOLLARS, bracket_math_at, dollar_math_at
from askweb.markdown.parts import Closing, NoteMark, Opening, Part, code, link
from askweb.markdown.tags import BREAK, CODE, CODE_END, COMMENT, COMMENT_END, address_at, tag_at

SPECIAL = re.compile(
    r"[\\`$<&\[\]*_~\n]|!\[|(?<![A-Za-z0-9])(?:https?://(?=[A-Za-z0-9])|www\.(?=[A-Za-z0-9-]+\.[A-Za-z]))",
    re.IGNORECASE,
)
TICKS = re.compile(r"`+")
ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
NOTE = re.compile(rf"\[\^([^\]\s]{{1,{LABEL}}})\]")
REFERENCE = re.compile(rf"\[([^\[\]]{{0,{LABEL}}})\]")


@dataclass(frozen=True)
class Start:
    """An opening bracket or tag that may still find its end: its place among parts, runs and characters."""

    part: int
    runs: int
    written: str
    position: int

    @property
    def is_image(self) -> bool:
        return self.written == "!["


class Reader:
    """Reads one text into parts. What finds no end stays text."""

    def __init__(self, text: str, definitions: Mapping[str, Target], notes: Collection[str]) -> None:
        self.text = text
        self.ahead = Ahead(text)
        self.definitions = definitions
        self.notes = notes
        self.parts: list[Part] = []
        self.runs: list[Run] = []
        self.brackets: list[Start] = []
        self.around_link = 0  # so many of the brackets have a link inside and can't become one
        self.tags: dict[str, list[Start]] = defaultdict(list)
        self.ticks: dict[int, list[int]] = defaultdict(list)

    def read(self) -> list[Part]:
        for ticks in TICKS.finditer(self.text):
            self.ticks[len(ticks[0])].append(ticks.start())
        position = 0
        while found := SPECIAL.search(self.text, position):
            self.parts.append(self.text[position : found.start()])
            handle = self.HANDLERS.get(found[0], Reader._bare_address)
            position = handle(self, found.start())
        self.parts.append(self.text[position:])
        pair(self.runs, 0)
        return self.parts

    # Each of these reads what begins at `start` and returns the position after it.

    def _put(self, part: Part, end: int) -> int:
        self.parts.append(part)
        return end

    def _literal(self, start: int) -> int:
        return self._put(self.text[start], start + 1)

    def _newline(self, start: int) -> int:
        return self._put(Element("br"), start + 1)

    def _escape(self, start: int) -> int:
        sign = self.text[start + 1 : start + 2]
        if sign in ("(", "[") and (math := bracket_math_at(self.text, start)):
            return self._put(math, math.end)
        if sign == "\n":
            return start + 1
        return self._put(sign, start + 2) if sign in ESCAPABLE else self._literal(start)

    def _code(self, start: int) -> int:
        ticks = TICKS.match(self.text, start)
        length = len(ticks[0]) if ticks else 1
        begin = start + length
        places = self.ticks[length]
        following = bisect_right(places, start)
        if following == len(places):
            return self._put(self.text[start:begin], begin)
        text = self.text[begin : places[following]].replace("\n", " ")
        if text.strip(" ") and text[0] == text[-1] == " ":
            text = text[1:-1]
        return self._put(code(text), places[following] + length)

    def _dollar(self, start: int) -> int:
        if math := dollar_math_at(self.ahead, start):
            return self._put(math, math.end)
        signs = DOLLARS.match(self.text, start)
        end = signs.end() if signs else start + 1
        return self._put(self.text[start:end], end)

    def _entity(self, start: int) -> int:
        found = ENTITY.match(self.text, start)
        return self._put(entity(found[0]), found.end()) if found else self._literal(start)

    def _run(self, start: int) -> int:
        run = run_at(self.text, start)
        self.runs.append(run)
        return self._put(run, start + run.length)

    def _angle(self, start: int) -> int:
        if COMMENT.match(self.text, start) and (end := self.ahead.search(COMMENT_END, start + 2)):
            return end.end()
        if address := address_at(self.text, start):
            self._put_link(safe_address(address[0]), address[1])
            return address[2]
        if begin := CODE.match(self.text, start):
            return self._code_tag(start, begin.end())
        if found := BREAK.match(self.text, start):
            return self._put(Element("br"), found.end())
        return self._tag(start)

    def _code_tag(self, start: int, begin: int) -> int:
        end = self.ahead.search(CODE_END, begin)
        if end is None:
            return self._literal(start)
        return self._put(code(plain(self.text[begin : end.start()])), end.end())

    def _tag(self, start: int) -> int:
        tag = tag_at(self.text, start)
        if tag is None:
            return self._literal(start)
        written, starts = self.text[start : tag.end], self.tags[tag.name]
        if tag.closes and starts:
            begun = starts.pop()
            self._enclose(begun, Opening(tag.name, begun.written), Closing(written))
            return tag.end
        if not tag.closes:
            starts.append(self._start(written, start))
        return self._put(written, tag.end)

    def _bracket(self, start: int) -> int:
        note = NOTE.match(self.text, start)
        if note and (label := label_of(note[1])) in self.notes:
            return self._put(NoteMark(label), note.end())
        self.brackets.append(self._start("[", start))
        return self._literal(start)

    def _image(self, start: int) -> int:
        self.brackets.append(self._start("![", start))
        return self._put("![", start + 2)

    def _start(self, written: str, start: int) -> Start:
        return Start(len(self.parts), len(self.runs), written, start + len(written))

    def _bracket_end(self, start: int) -> int:
        if not self.brackets:
            return self._literal(start)
        begun = self.brackets.pop()
        may_link = begun.is_image or len(self.brackets) >= self.around_link
        self.around_link = min(self.around_link, len(self.brackets))
        target = self._target(begun, start) if may_link else None
        if target is None:
            return self._literal(start)
        self._link(begun, target, is_empty=start == begun.position)
        return target.end

    def _target(self, begun: Start, end: int) -> Target | None:
        """Where the brackets' text leads: by the address after it, by a label, or by being a label itself."""
        if self.text.startswith("(", end + 1) and (target := target_at(self.text, end + 1)):
            return target
        named = REFERENCE.match(self.text, end + 1) if self.definitions else None
        own = self.text[begun.position : min(end, begun.position + LABEL)]
        label = named[1] if named and named[1] else own
        known = self.definitions.get(label_of(label))
        return Target(known.address, known.title, named.end() if named else end + 1) if known else None

    def _link(self, begun: Start, target: Target, *, is_empty: bool) -> None:
        """Make a link of all since the bracket; of an image as well, since nothing is to load unasked."""
        address = safe_address(target.address)
        if address and is_empty:
            self.parts.append(address)
        opening = link(address, target.title, "image" if begun.is_image else "") if address else ""
        self._enclose(begun, opening, Closing() if address else "")
        if address and not begun.is_image:
            self.around_link = len(self.brackets)

    def _enclose(self, begun: Start, opening: Part, closing: Part) -> None:
        """Put two parts around all since `begun`. Nothing that began inside can end outside."""
        pair(self.runs, begun.runs)
        self.parts[begun.part] = opening
        self.parts.append(closing)
        for starts in (self.brackets, *self.tags.values()):
            while starts and starts[-1].part > begun.part:
                starts.pop()
        self.around_link = min(self.around_link, len(self.brackets))

    def _bare_address(self, start: int) -> int:
        written = bare_address(self.text, start, in_brackets=bool(self.brackets))
        address = without_entities(written)
        whole = address if address[:4].lower() == "http" else f"http://{address}"
        self._put_link(safe_address(whole), address)
        return start + len(written)

    def _put_link(self, address: str | None, text: str) -> None:
        self.parts += [link(address), text, Closing()] if address else [text]

    HANDLERS: ClassVar[dict[str, Callable[[Reader, int], int]]] = {
        "\\": _escape,
        "\n": _newline,
        "`": _code,
        "$": _dollar,
        "&": _entity,
        "<": _angle,
        "*": _run,
        "_": _run,
        "~": _run,
        "[": _bracket,
        "![": _image,
        "]": _bracket_end,
    }

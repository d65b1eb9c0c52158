"""Turns a checked tree into a program of pybars3.

Nothing a person wrote reaches the generated Python: it holds the fixed names below and indexes into a table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from pybars._compiler import CodeBuilder

from prompts.handlebars.errors import Place
from prompts.handlebars.tree import Block, Comment, Inline, Output, Partial, Program, Statement, Text, Unit

Render = Callable[..., Sequence[str]]
LONGEST_RUN = 200
# pybars3 says its code builder is not safe for threads; compiling is rare enough for one lock.
_compiling = threading.Lock()


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A partial's call with the indent its lines get."""

    partial: Partial
    indent: str


Entry = str | Output | Block | Inline | Inclusion


class Table:
    """What generated code refers to by number, with the places for errors."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.places: list[Place] = []

    def add(self, entry: Entry, place: Place) -> str:
        """The new entry's index, as Python source."""
        self.entries.append(entry)
        self.places.append(place)
        return str(len(self.entries) - 1)


def build(units: Iterable[Unit]) -> tuple[dict[str, Render], Table]:
    """A runnable program for each unit, by name, and the table they share."""
    table = Table()
    with _compiling:
        return {unit.name: _load(python_source(unit, table)) for unit in units}, table


def python_source(unit: Unit, table: Table) -> str:
    """The generated Python of one unit; what it refers to is added to the table."""
    builder = CodeBuilder()
    return str(_Emitter(builder, unit, table).program(unit.program).full_code)


def _load(code: str) -> Render:
    """Runs the definitions in their own namespace; pybars3 would keep them in sys.modules for ever."""
    namespace: dict[str, object] = {"__name__": "prompts.handlebars.program"}
    exec(compile(code, "<template program>", "exec", dont_inherit=True), namespace)  # noqa: S102 - see above
    return cast("Render", namespace["render"])


class _Emitter:
    def __init__(self, builder: CodeBuilder, unit: Unit, table: Table) -> None:
        self._builder = builder
        self._unit = unit
        self._table = table

    def program(self, program: Program | None, inlines: bool = True) -> CodeBuilder:
        """Inline partials come first: they are known in the whole block they stand in."""
        body = program.body if program else ()
        self._builder.start()
        for inline in _inlines(body) if inlines else ():
            self._inline("define", inline)
        if len(body) <= LONGEST_RUN:
            self._run(body)
        else:
            self._parts(body)
        return self._builder.finish()

    def _parts(self, body: Sequence[Statement]) -> None:
        """A long body becomes several functions: Python takes much longer to compile one of the same length."""
        for start in range(0, len(body), LONGEST_RUN):
            part = self.program(Program(tuple(body[start : start + LONGEST_RUN])), inlines=False)
            self._builder.add_block("part", [], part, None)

    def _run(self, body: Sequence[Statement]) -> None:
        start = len(self._table.entries)
        for statement in body:
            if not self._leaf(statement):
                self._show(start)
                self._nested(statement)
                start = len(self._table.entries)
        self._show(start)

    def _leaf(self, statement: Statement) -> bool:
        """Puts what has no program of its own into the table; False for what has one."""
        match statement:
            case Text(slot=slot, place=place):
                if text := self._unit.texts[slot]:
                    self._table.add(text, place)
            case Output(place=place):
                self._table.add(statement, place)
            case Partial(block=None, place=place):
                self._table.add(self._inclusion(statement), place)
            case Block() | Partial():
                return False
            case Comment() | Inline():
                pass
        return True

    def _show(self, start: int) -> None:
        """One call for a run of neighbours, from its first index to behind its last."""
        stop = len(self._table.entries)
        if start < stop:
            self._builder.add_expand(("simple", "show"), [str(start), str(stop)])

    def _nested(self, statement: Statement) -> None:
        if isinstance(statement, Block):
            self._block("open", statement)
        elif isinstance(statement, Partial):
            self._wrap(statement)

    def _block(self, helper: str, block: Block) -> None:
        """An `else` follows its block as a neighbour, so a long chain of `else if` runs flat."""
        index = self._table.add(block, block.place)
        self._builder.add_block(helper, [index], self.program(block.body), None)
        other = block.other
        if other is None:
            return
        chained = other.body[0] if other.chained else None
        if isinstance(chained, Block):
            self._block("link", chained)
        else:
            self._builder.add_block("rest", [], self.program(other), None)

    def _inline(self, helper: str, inline: Inline) -> None:
        index = self._table.add(inline, inline.place)
        self._builder.add_block(helper, [index], self.program(inline.body), None)

    def _wrap(self, partial: Partial) -> None:
        block = partial.block or Program(())
        for inline in _inlines(block.body):
            self._inline("prepare", inline)
        index = self._table.add(self._inclusion(partial), partial.place)
        self._builder.add_block("wrap", [index], self.program(block, inlines=False), None)

    def _inclusion(self, partial: Partial) -> Inclusion:
        return Inclusion(partial, self._unit.indents.get(partial.slot, ""))


def _inlines(body: Iterable[Statement]) -> list[Inline]:
    return [statement for statement in body if isinstance(statement, Inline)]

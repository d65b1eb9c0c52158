"""Which variables a template reads, from its tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prompts.handlebars.errors import Place
from prompts.handlebars.tree import (
    Block,
    Call,
    Expression,
    Inline,
    Literal,
    Output,
    Partial,
    Path,
    Program,
    Statement,
)

# Partials that call partials can multiply; what so many visits have not shown is left out.
MOST_VISITS = 2_000
Base = tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Read:
    """A variable and where it is first read."""

    path: str
    place: Place


def reads(programs: Mapping[str, Program]) -> tuple[Read, ...]:
    """The variables in the order they are first read, each once, as dotted paths from the root.

    A list's items go by the list's name: `{{#each quotes}}{{text}}{{/each}}` reads `quotes` and
    `quotes.text`. Best effort: a path inside a loop over a helper's result and a `lookup` with a computed
    key are left out, and an inline partial counts where it is written.
    """
    walker = _Walker(programs)
    walker.program(programs[""], _View((), None))
    return tuple(Read(path, place) for path, place in walker.found.items())


@dataclass(frozen=True, slots=True)
class _View:
    """What `this` is: a path from the root, or None; `names` are block parameters, `own` a partial's."""

    base: Base
    outer: _View | None
    names: dict[str, Base] = field(default_factory=dict)
    own: dict[str, Base] = field(default_factory=dict)

    def inside(self, base: Base, names: dict[str, Base]) -> _View:
        names = {**self.names, **names}
        return _View(base, self.outer if base == self.base else self, names)

    def base_of(self, path: Path) -> Base:
        if path.data:
            return path.parts[1:] if path.parts[:1] == ("root",) and not path.up else None
        view: _View | None = self
        for _ in range(path.up):
            view = view.outer if view else None
        if view is None:
            return None
        first = path.parts[0] if path.parts else ""
        if not (path.up or path.scoped) and first in view.names:
            return _joined(view.names[first], path.parts[1:])
        if first in view.own:
            return _joined(view.own[first], path.parts[1:])
        return _joined(view.base, path.parts)


class _Walker:
    def __init__(self, programs: Mapping[str, Program]) -> None:
        self._programs = programs
        self._visited: set[object] = set()
        self.found: dict[str, Place] = {}

    def program(self, program: Program | None, view: _View) -> None:
        for statement in program.body if program else ():
            self._statement(statement, view)

    def _statement(self, statement: Statement, view: _View) -> None:
        match statement:
            case Output(call=call):
                self._value(call, view)
            case Block():
                self._block(statement, view)
            case Partial():
                self._partial(statement, view)
            case Inline(body=body):
                self.program(body, view)
            case _:
                pass

    def _block(self, block: Block, view: _View) -> None:
        call = block.call
        base = self._value(call if call.bare else call.args[0], view)
        for _, option in call.options:
            self._value(option, view)
        inner = view
        if call.bare or call.head.parts[0] in {"each", "with"}:
            names = dict.fromkeys(block.names)
            first = {block.names[0]: base} if block.names else {}
            inner = view.inside(base, {**names, **first})
        self.program(block.body, inner)
        self.program(block.other, view)

    def _partial(self, partial: Partial, view: _View) -> None:
        base = view.base if partial.context is None else self._value(partial.context, view)
        own = {name: self._value(option, view) for name, option in partial.options}
        if isinstance(partial.name, Call):
            self._value(partial.name, view)
        self.program(partial.block, view)
        own = {**view.own, **own} if partial.context is None else own
        names = [partial.name] if isinstance(partial.name, str) else [name for name in self._programs if name]
        for name in names:
            visit = (name, base, tuple(sorted(own.items(), key=lambda item: item[0])))
            if name in self._programs and visit not in self._visited and len(self._visited) < MOST_VISITS:
                self._visited.add(visit)
                self.program(self._programs[name], _View(base, None, {}, own))

    def _value(self, value: Expression, view: _View) -> Base:
        """Notes what is read, and gives the path of the value if it has one."""
        if isinstance(value, Literal):
            return None
        if isinstance(value, Path):
            return self._note(view.base_of(value), value.place)
        if value.bare:
            return self._note(view.base_of(value.head), value.place)
        bases = [self._value(arg, view) for arg in value.args]
        if value.head.parts[0] == "lookup" and isinstance(value.args[1], Literal):
            return self._note(_joined(bases[0], (value.args[1].original,)), value.place)
        return bases[0] if value.head.parts[0] == "default" else None

    def _note(self, base: Base, place: Place) -> Base:
        if base:
            self.found.setdefault(".".join(base), place)
        return base


def _joined(base: Base, parts: tuple[str, ...]) -> Base:
    """An index is no part of a variable's name."""
    return None if base is None else base + tuple(part for part in parts if not part.isdigit())

"""What a running program can see: values, loop variables, block parameters, partials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pybars

from prompts.handlebars.budget import Budget
from prompts.handlebars.tree import Path
from prompts.handlebars.values import field


@dataclass(frozen=True, slots=True)
class Level:
    """A value and the level `../` leads to."""

    value: object
    outer: Level | None


@dataclass(frozen=True, slots=True)
class Loop:
    """The variables of one loop, `@index` and the like, and the loop around it."""

    variables: dict[str, object]
    outer: Loop | None

    def deeper(self) -> Loop:
        """A partial with a block counts as one level for `@../`, with the same variables."""
        return Loop(self.variables, self)


@dataclass(frozen=True, slots=True)
class Closure:
    """A block's text together with the scope it was written in: an inline partial, or a partial's block."""

    program: Callable[[object], Sequence[str]]
    scope: Scope
    is_block: bool = False


@dataclass(slots=True)
class View:
    """The fields of a scope; a class of its own because pybars3's Scope keeps a mutable layout of its own."""

    level: Level
    loop: Loop
    names: dict[str, object]
    partials: dict[str, Closure]
    block: Closure | None
    unit: str


class Scope(pybars.Scope):  # type: ignore[misc]
    """pybars3's programs hand a Scope on unopened; anything else they wrap in theirs, which reads attributes.

    So this is one by type only: `get` sees nothing, and the values are read through `view` and `resolve`.
    """

    def __init__(self, view: View) -> None:
        self.view = view

    def get(self, name: object, default: object = None) -> object:
        return default

    __getitem__ = get

    def __len__(self) -> int:
        return 1

    def __str__(self) -> str:
        return ""

    @property
    def value(self) -> object:
        return self.view.level.value

    def inside(
        self, value: object, loop: Loop | None = None, names: dict[str, object] | None = None
    ) -> Scope:
        """The scope of a block about `value`; the same value again is no new level for `../`."""
        view = self.view
        level = view.level if _is_same(value, view.level.value) else Level(value, view.level)
        known = view.names | names if names else view.names
        return Scope(View(level, loop or view.loop, known, view.partials, view.block, view.unit))

    def resolve(self, path: Path, budget: Budget) -> object:
        """The value a path leads to; None where it leads nowhere."""
        parts = path.parts
        if path.data:
            value = self._data(path)
        elif not (path.up or path.scoped) and parts[0] in self.view.names:
            value = self.view.names[parts[0]]
        else:
            value = self._outer(path.up)
            value = field(value, parts[0], budget) if parts else value
        for part in parts[1:]:
            if value is None:
                return None
            value = field(value, part, budget)
        return value

    def _data(self, path: Path) -> object:
        loop: Loop | None = self.view.loop
        for _ in range(path.up):
            loop = loop.outer if loop else None
        return loop.variables.get(path.parts[0]) if loop and path.parts else None

    def _outer(self, up: int) -> object:
        level: Level | None = self.view.level
        for _ in range(up):
            level = level.outer if level else None
        return level.value if level else None


def _is_same(left: object, right: object) -> bool:
    if left is right:
        return True
    simple = (str, int, float)
    return type(left) is type(right) and isinstance(left, simple) and left == right

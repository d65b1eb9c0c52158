"""The tree of a parsed template: plain frozen data, every node with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from prompts.handlebars.errors import Place


class Strip(NamedTuple):
    """Whether a tag has `~` at its left (`open`) and at its right (`close`)."""

    open: bool
    close: bool


NO_STRIP = Strip(open=False, close=False)


@dataclass(frozen=True, slots=True)
class Path:
    """`../a.b`: `up` counts `..`; `data` marks `@`; `scoped` marks `this.`, `./`, `..`: never a helper."""

    parts: tuple[str, ...]
    up: int
    data: bool
    scoped: bool
    original: str
    place: Place

    @property
    def simple(self) -> bool:
        return len(self.parts) == 1 and not (self.up or self.scoped)


@dataclass(frozen=True, slots=True)
class Literal:
    value: str | int | float | bool | None
    original: str
    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """A head with positional arguments and `name=value` options; without both it is just the head's value."""

    head: Path
    args: tuple[Expression, ...]
    options: tuple[tuple[str, Expression], ...]
    place: Place

    @property
    def bare(self) -> bool:
        return not (self.args or self.options)


Expression = Path | Literal | Call


@dataclass(frozen=True, slots=True)
class Text:
    """Text outside tags; `slot` is its number in its unit, by which spacing keeps what is left of it."""

    original: str
    slot: int
    place: Place


@dataclass(frozen=True, slots=True)
class Comment:
    strip: Strip
    place: Place


@dataclass(frozen=True, slots=True)
class Output:
    call: Call
    strip: Strip
    place: Place


@dataclass(frozen=True, slots=True)
class Block:
    """`{{#…}}`: `body` runs when the condition holds, `other` when not; `{{^…}}` has its text in `other`."""

    call: Call
    names: tuple[str, ...]
    body: Program | None
    other: Program | None
    open_strip: Strip
    other_strip: Strip
    close_strip: Strip
    place: Place


@dataclass(frozen=True, slots=True)
class Partial:
    """`{{> name}}`, or with a `block` `{{#> name}}…{{/name}}`; a Call as `name` gives it while rendering."""

    name: str | Call
    context: Expression | None
    options: tuple[tuple[str, Expression], ...]
    block: Program | None
    open_strip: Strip
    close_strip: Strip
    slot: int
    place: Place


@dataclass(frozen=True, slots=True)
class Inline:
    """`{{#*inline "name"}}…{{/inline}}`."""

    name: str
    body: Program
    open_strip: Strip
    close_strip: Strip
    place: Place


Statement = Text | Comment | Output | Block | Partial | Inline


@dataclass(frozen=True, slots=True)
class Program:
    """A run of statements; `chained` marks the one block an `{{else if}}` stands for."""

    body: tuple[Statement, ...]
    chained: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A template or partial: its tree, per text slot what spacing left, and lone partials' indents."""

    name: str
    program: Program
    texts: dict[int, str]
    indents: dict[int, str]

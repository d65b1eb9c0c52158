"""What a compiled program calls while it renders: it passes indexes into the table of names and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypedDict, TypeVar

from prompts.handlebars.budget import Budget
from prompts.handlebars.emitting import Entry, Inclusion, Render
from prompts.handlebars.errors import ProblemError
from prompts.handlebars.library import HELPERS
from prompts.handlebars.scopes import Closure, Level, Loop, Scope, View
from prompts.handlebars.tree import Block, Expression, Inline, Literal, Output, Partial, Path
from prompts.handlebars.values import is_blank, is_empty, seen, text_of

E = TypeVar("E")


class Options(TypedDict):
    """What pybars3 gives a block's helper; `fn` is the program of the block's text."""

    fn: Callable[[object], Sequence[str]]


class Run:
    """One rendering: its budget, and what neighbouring parts of a program leave for each other."""

    def __init__(self, entries: Sequence[Entry], programs: Mapping[str, Render]) -> None:
        self.current = 0
        self._entries = entries
        self._programs = programs
        self._budget = Budget()
        self._taken = False
        self._waiting: dict[str, Closure] = {}
        self._helpers = {
            "show": self.show,
            "part": self.part,
            "open": self.open,
            "link": self.link,
            "rest": self.rest,
            "define": self.define,
            "prepare": self.prepare,
            "wrap": self.wrap,
        }

    def render(self, context: object) -> str:
        value = seen(dict(context) if isinstance(context, Mapping) else context)
        view = View(Level(value, None), Loop({"root": value}, None), {}, {}, None, "")
        return self._unit("", Scope(view))

    def show(self, scope: Scope, start: int, stop: int) -> str:
        """The texts, values and partials with these indexes, one after the other."""
        return "".join([self._shown(scope, index) for index in range(start, stop)])

    def part(self, scope: Scope, options: Options) -> str:
        """A piece of a long body, which only the generated code has in pieces."""
        return "".join(options["fn"](scope))

    def open(self, scope: Scope, options: Options, index: int) -> str:
        """A block's own text, as often as its condition says."""
        block = self._entry(index, Block)
        parts = [self._body(options["fn"], inner) for inner in self._scopes(block, scope)]
        self._taken = bool(parts)
        return "".join(parts)

    def link(self, scope: Scope, options: Options, index: int) -> str:
        """An `else if`. It follows its `if` at once in the program, so `_taken` is what that one left."""
        return "" if self._taken else self.open(scope, options, index)

    def rest(self, scope: Scope, options: Options) -> str:
        return "" if self._taken else self._body(options["fn"], scope.inside(scope.value))

    def define(self, scope: Scope, options: Options, index: int) -> str:
        """An inline partial, known in the whole block it stands in."""
        inline = self._entry(index, Inline)
        scope.view.partials = {**scope.view.partials, inline.name: Closure(options["fn"], scope)}
        return ""

    def prepare(self, scope: Scope, options: Options, index: int) -> str:
        """An inline partial inside a partial's block, for the `wrap` that follows at once."""
        inline = self._entry(index, Inline)
        self._waiting[inline.name] = Closure(options["fn"], scope)
        return ""

    def wrap(self, scope: Scope, options: Options, index: int) -> str:
        """A partial with a block: its `@partial-block`, or what is shown if there is no such partial."""
        inclusion = self._entry(index, Inclusion)
        waiting, self._waiting = self._waiting, {}
        inner = scope.inside(scope.value)
        inner.view.partials = {**scope.view.partials, **waiting}
        block = Closure(options["fn"], inner, is_block=True)
        caller = inner.inside(inner.value)
        caller.view.block = block
        caller.view.loop = scope.view.loop.deeper()
        context = self._context(inclusion.partial, scope)
        name = self._name(inclusion.partial, scope)
        text = self._called(name, context, caller, scope)
        return self._closure(block, context, inner) if text is None else text

    def _shown(self, scope: Scope, index: int) -> str:
        entry = self._entry(index, object)
        if isinstance(entry, Inclusion):
            return self._included(entry, scope)
        text = entry if isinstance(entry, str) else self._printed(entry, scope)
        self._budget.write(text)
        return text

    def _printed(self, entry: object, scope: Scope) -> str:
        return text_of(self._value(entry.call, scope), self._budget) if isinstance(entry, Output) else ""

    def _included(self, inclusion: Inclusion, scope: Scope) -> str:
        name = self._name(inclusion.partial, scope)
        text = self._called(name, self._context(inclusion.partial, scope), scope, scope)
        if text is None:
            hint = "it stands for the text of `{{#> name}}…{{/name}}`" if name == "@partial-block" else ""
            raise ProblemError("unknown-partial", f"There is no partial `{name}` here", hint)
        return self._indented(text, inclusion.indent)

    def _entry(self, index: int, kind: type[E]) -> E:
        self.current = index
        self._budget.spend()
        entry = self._entries[index]
        if not isinstance(entry, kind):
            raise TypeError(f"entry {index} is no {kind.__name__}")
        return entry

    def _body(self, program: Callable[[object], Sequence[str]], scope: Scope) -> str:
        self._budget.enter()
        text = "".join(program(scope))
        self._budget.leave()
        return text

    def _value(self, expression: Expression, scope: Scope) -> object:
        self._budget.spend()
        if isinstance(expression, Literal):
            return expression.value
        if isinstance(expression, Path):
            return scope.resolve(expression, self._budget)
        if expression.bare:
            return scope.resolve(expression.head, self._budget)
        return self._helped(expression.head.parts[0], [self._value(arg, scope) for arg in expression.args])

    def _helped(self, name: str, values: list[object]) -> object:
        for value in values:
            if isinstance(value, str):
                self._budget.spend_on(value)
        result = HELPERS[name].function(values, self._budget)
        if isinstance(result, str):
            self._budget.check_size(len(result))
        return result

    def _scopes(self, block: Block, scope: Scope) -> Iterator[Scope]:
        """One scope for each time the block's own text is to run."""
        call = block.call
        value = self._value(call if call.bare else call.args[0], scope)
        match "" if call.bare else call.head.parts[0]:
            case "if" | "unless" as name:
                if self._is_no(block, value, scope) == (name == "unless"):
                    yield scope.inside(scope.value)
            case "with":
                if not is_blank(value):
                    yield scope.inside(value, names=_named(block, value))
            case "each":
                yield from self._turns(block, value, scope)
            case _:
                yield from self._section(block, value, scope)

    def _is_no(self, block: Block, value: object, scope: Scope) -> bool:
        """`includeZero=true` makes 0 a yes."""
        options = dict(block.call.options)
        include_zero = options.get("includeZero")
        if include_zero is not None and not is_empty(self._value(include_zero, scope)):
            return is_blank(value)
        return is_empty(value)

    def _section(self, block: Block, value: object, scope: Scope) -> Iterator[Scope]:
        """`{{#name}}` loops over a list, keeps the current value for true, else makes the value current."""
        if isinstance(value, (list, tuple)):
            yield from self._turns(block, value, scope)
        elif value is True:
            yield scope.inside(scope.value, names=_named(block))
        elif value is not None and value is not False:
            yield scope.inside(value, names=_named(block))

    def _turns(self, block: Block, value: object, scope: Scope) -> Iterator[Scope]:
        if isinstance(value, dict):
            pairs: Iterator[tuple[object, object]] = iter(dict.items(value))
        elif isinstance(value, (list, tuple)):
            pairs = iter(enumerate(value))
        else:
            return
        last = len(value) - 1
        outer = scope.view.loop
        for index, (key, item) in enumerate(pairs):
            self._budget.spend()
            item = seen(item)
            turn = {"key": seen(key), "index": index, "first": index == 0, "last": index == last}
            loop = Loop({"root": outer.variables["root"], **turn}, outer)
            yield scope.inside(item, loop, _named(block, item, key))

    def _name(self, partial: Partial, scope: Scope) -> str:
        if isinstance(partial.name, str):
            return partial.name
        return text_of(self._value(partial.name, scope), self._budget)

    def _context(self, partial: Partial, scope: Scope) -> object:
        value = scope.value if partial.context is None else self._value(partial.context, scope)
        if not partial.options:
            return value
        named = {name: self._value(option, scope) for name, option in partial.options}
        return {**value, **named} if isinstance(value, dict) else named

    def _called(self, name: str, context: object, caller: Scope, finder: Scope) -> str | None:
        """The partial's text; None if there is no such partial. It is looked for as `finder` sees it."""
        view = caller.view
        closure = finder.view.block if name == "@partial-block" else finder.view.partials.get(name)
        if closure is not None:
            return self._closure(closure, context, caller)
        if name not in self._programs or not name:
            return None
        return self._unit(
            name, Scope(View(Level(context, None), view.loop, {}, view.partials, view.block, name))
        )

    def _closure(self, closure: Closure, context: object, caller: Scope) -> str:
        """Runs it where it was written. It knows the partials from there, and the caller's behind those."""
        loop = caller.view.loop
        inner = closure.scope.inside(context, loop.deeper() if closure.is_block else loop)
        if caller.view.unit == inner.view.unit:
            inner.view.partials = caller.view.partials
        else:
            inner.view.partials = {**caller.view.partials, **inner.view.partials}
        inner.view.block = closure.scope.view.block if closure.is_block else caller.view.block
        return self._body(closure.program, inner)

    def _unit(self, name: str, scope: Scope) -> str:
        program = self._programs[name]
        # With a root given it returns its parts, as block programs do, and not the text.
        return self._body(lambda inner: program(inner, helpers=self._helpers, root=inner), scope)

    def _indented(self, text: str, indent: str) -> str:
        if not indent or not text:
            return text
        last = "\n" if text.endswith("\n") else ""
        lines = text.removesuffix("\n").count("\n") + 1
        self._budget.spend_on(text)
        self._budget.write_more(len(indent) * lines)
        return indent + text.removesuffix("\n").replace("\n", "\n" + indent) + last


def _named(block: Block, *values: object) -> dict[str, object]:
    """Block parameters with their values; one too many is missing, but still hides a field of its name."""
    return {name: values[index] if index < len(values) else None for index, name in enumerate(block.names)}

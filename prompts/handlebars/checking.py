"""What a well-formed template can still get wrong: helpers, their arguments, partials."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches

from prompts.handlebars.errors import MOST_FAULTS
from prompts.handlebars.library import HELPERS
from prompts.handlebars.tree import Block, Call, Expression, Inline, Output, Partial, Program, Statement

BLOCK_HELPERS = ("if", "unless", "each", "with")
# Names Handlebars keeps for itself; as fields they would always fail there.
_RESERVED = ("helperMissing", "blockHelperMissing")
_PARTIAL_BLOCK = "@partial-block"
Report = Callable[[str, str, int, str], None]
Names = frozenset[str]


class Checker:
    """Checks one unit; reports faults as (code, message, offset, hint). `inline`: all inline partials."""

    def __init__(self, report: Report, partials: Collection[str], inline: Names, is_partial: bool) -> None:
        self._report = report
        self._partials = partials
        self._inline = inline
        self._has_block = is_partial
        self._faults = 0

    def program(self, program: Program | None, names: Names = frozenset()) -> None:
        for statement in program.body if program else ():
            if self._faults < MOST_FAULTS:
                self._statement(statement, names)

    def _statement(self, statement: Statement, names: Names) -> None:
        match statement:
            case Output(call=call):
                self._call(call, names, value=False)
            case Block():
                self._block(statement, names)
            case Partial():
                self._partial(statement, names)
            case Inline():
                self._inline_body(statement, names)
            case _:
                pass

    def _block(self, block: Block, names: Names) -> None:
        call = block.call
        name = call.head.parts[0] if call.head.simple and not call.head.data else ""
        if name in BLOCK_HELPERS and not (call.bare and name in names):
            self._block_helper(block, name)
            self._values(call, names)
        elif not call.bare and name in HELPERS and name not in names:
            hint = f"use its value: `{{{{#if ({call.head.original} …)}}}}`"
            self._fault("not-a-block", f"`{name}` cannot be a block", call, hint)
        else:
            self._call(call, names, value=False)
        self.program(block.body, names | set(block.names))
        self.program(block.other, names)

    def _block_helper(self, block: Block, name: str) -> None:
        call = block.call
        if len(call.args) != 1:
            self._wrong_arguments(call, f"{{{{#{name} page.selection}}}}")
        for option, value in call.options:
            if name not in {"if", "unless"} or option != "includeZero":
                self._fault("unknown-option", f"`{name}` has no option `{option}`", value, "remove it")
        if block.names and name in {"if", "unless"}:
            self._fault("wrong-arguments", f"`{name}` has no block parameters", call, "use `with` or `each`")

    def _partial(self, partial: Partial, names: Names) -> None:
        for value in (partial.context, *(option for _, option in partial.options)):
            self._value(value, names)
        if isinstance(partial.name, Call):
            self._value(partial.name, names)
        elif partial.name == _PARTIAL_BLOCK:
            if not self._has_block:
                hint = "it stands for the text of `{{#> name}}…{{/name}}` inside that partial"
                self._fault("unknown-partial", "There is no partial block here", partial, hint)
        else:
            self._named_partial(partial, partial.name)
        self.program(partial.block, names)

    def _named_partial(self, partial: Partial, name: str) -> None:
        if name not in self._partials and name not in self._inline and partial.block is None:
            hint = did_you_mean(name, [*self._partials, *self._inline])
            self._fault("unknown-partial", f"There is no partial `{name}`", partial, hint)

    def _inline_body(self, inline: Inline, names: Names) -> None:
        has_block, self._has_block = self._has_block, True
        self.program(inline.body, names)
        self._has_block = has_block
        again = next((each for each in partials_in(inline.body) if each.name == inline.name), None)
        if again is not None:
            self._fault("recursive-partial", f"The partial `{inline.name}` calls itself", again, "")

    def _values(self, call: Call, names: Names) -> None:
        for value in (*call.args, *(option for _, option in call.options)):
            self._value(value, names)

    def _value(self, value: Expression | None, names: Names) -> None:
        if isinstance(value, Call):
            self._call(value, names, value=True)

    def _call(self, call: Call, names: Names, value: bool) -> None:
        """A call as a value (in parentheses) is always a helper's; a lone name in braces may be a field."""
        head = call.head
        name = head.parts[0] if head.simple and not head.data else ""
        if name in names or not name:
            if not call.bare or value:
                self._unknown_helper(call)
        elif name in BLOCK_HELPERS:
            self._fault("needs-block", f"`{name}` is a block", call, f"`{{{{#{name} …}}}}…{{{{/{name}}}}}`")
        elif name in HELPERS:
            self._helper(call, name)
        elif not call.bare or value or name in _RESERVED:
            self._unknown_helper(call)
        self._values(call, names)

    def _helper(self, call: Call, name: str) -> None:
        helper = HELPERS[name]
        for option, value in call.options:
            self._fault("unknown-option", f"`{name}` has no option `{option}`", value, f"`{helper.usage}`")
        if not helper.accepts(len(call.args)):
            self._wrong_arguments(call, helper.usage)

    def _wrong_arguments(self, call: Call, usage: str) -> None:
        name = call.head.original
        count = len(call.args)
        hint = f"write `{usage}`" + (f"; the field is `this.{name}`" if call.bare else "")
        self._fault("wrong-arguments", f"`{name}` does not take {count} arguments", call, hint)

    def _unknown_helper(self, call: Call) -> None:
        name = call.head.original
        hint = did_you_mean(name, [*HELPERS, *BLOCK_HELPERS])
        self._fault("unknown-helper", f"There is no helper `{name}`", call, hint)

    def _fault(self, code: str, message: str, node: Expression | Partial, hint: str) -> None:
        self._faults += 1
        self._report(code, message, node.place.offset, hint)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name[:100], list(known), n=1)
    return f"did you mean `{close[0]}`?" if close else ""


def inline_names(program: Program | None) -> set[str]:
    """The names of all inline partials anywhere in the tree."""
    return {inline.name for inline in _nodes(program) if isinstance(inline, Inline)}


def partials_in(program: Program | None) -> list[Partial]:
    """Every call of a partial anywhere in the tree."""
    return [node for node in _nodes(program) if isinstance(node, Partial)]


def _nodes(program: Program | None) -> list[Statement]:
    found: list[Statement] = []
    waiting = [program]
    while waiting:
        current = waiting.pop()
        for statement in current.body if current else ():
            found.append(statement)
            match statement:
                case Block(body=body, other=other):
                    waiting += [body, other]
                case Partial(block=block):
                    waiting.append(block)
                case Inline(body=body):
                    waiting.append(body)
                case _:
                    pass
    return found

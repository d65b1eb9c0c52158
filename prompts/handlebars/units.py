"""A template and the partials it can reach, parsed, checked and spaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prompts.handlebars.checking import Checker, inline_names, partials_in
from prompts.handlebars.errors import MOST_FAULTS, Fault, Source, TemplateError
from prompts.handlebars.parsing import parse
from prompts.handlebars.spacing import space
from prompts.handlebars.tree import Call, Partial, Program, Unit

MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Parsed:
    source: Source
    program: Program


def read_units(text: str, partials: Mapping[str, str]) -> tuple[dict[str, Parsed], list[Unit]]:
    """Everything that can run, the template itself under "". Raises TemplateError with all faults."""
    reading = _Reading(text, partials)
    reading.reach()
    reading.check()
    if reading.faults:
        raise TemplateError(sorted(reading.faults, key=_order)[:MOST_FAULTS])
    return reading.units, [space(name, parsed.program) for name, parsed in reading.units.items()]


def _order(fault: Fault) -> tuple[str, int, int]:
    return fault.unit, fault.line, fault.column


class _Reading:
    def __init__(self, text: str, partials: Mapping[str, str]) -> None:
        self._partials = partials
        self._texts = {"": text}
        self._bytes = 0
        self.units: dict[str, Parsed] = {}
        self.faults: list[Fault] = []

    def reach(self) -> None:
        waiting = [""]
        while waiting:
            name = waiting.pop()
            if name in self.units:
                continue
            source = Source(self._partials[name] if name else self._texts[""], name)
            self._weigh(source)
            program, faults = parse(source)
            self.units[name] = Parsed(source, program)
            self.faults += faults
            waiting += reversed(self._wanted(program))

    def check(self) -> None:
        inline = frozenset(name for parsed in self.units.values() for name in inline_names(parsed.program))
        for name, parsed in self.units.items():

            def report(
                code: str, message: str, offset: int, hint: str, source: Source = parsed.source
            ) -> None:
                self.faults.append(source.fault(code, message, offset, hint))

            Checker(report, self._partials, inline, is_partial=bool(name)).program(parsed.program)
        self._check_recursion(inline)

    def _weigh(self, source: Source) -> None:
        self._bytes += len(source.text.encode("utf-8", "surrogatepass"))
        if self._bytes > MOST_BYTES:
            message = f"The template and its partials are larger than {MOST_BYTES // 1024} KB"
            raise TemplateError(
                [source.fault("too-large", message, 0, "shorten it; long texts belong in the context")]
            )

    def _wanted(self, program: Program) -> list[str]:
        """The partials called; a name that is only known while rendering may be any of them."""
        calls = partials_in(program)
        if any(isinstance(call.name, Call) for call in calls):
            return list(self._partials)
        return list(dict.fromkeys(str(call.name) for call in calls if call.name in self._partials))

    def _check_recursion(self, inline: frozenset[str]) -> None:
        """Walks the calls from the template; a call of a partial that is still being walked is refused."""
        open_calls = {"": self._calls("", inline)}
        done: set[str] = set()
        while open_calls:
            name, calls = next(reversed(open_calls.items()))
            call = next(calls, None)
            if call is None:
                done.add(name)
                del open_calls[name]
            elif call.name in open_calls:
                source = self.units[name].source
                message = f"The partial `{call.name}` calls itself"
                self.faults.append(
                    source.fault("recursive-partial", message, call.place.offset, "use a loop")
                )
            elif call.name not in done:
                open_calls[str(call.name)] = self._calls(str(call.name), inline)

    def _calls(self, name: str, inline: frozenset[str]) -> Iterator[Partial]:
        calls = partials_in(self.units[name].program)
        return iter(
            [call for call in calls if call.name in self.units and call.name not in inline and call.name]
        )

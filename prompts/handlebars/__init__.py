"""Handlebars templates for prompts: strict, safe, never escaping for HTML.

`compile` checks a template and makes it ready, `Template.render` fills it in; both raise only TemplateError.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from prompts.handlebars.checking import did_you_mean
from prompts.handlebars.errors import MOST_FAULTS, Fault, ProblemError, TemplateError
from prompts.handlebars.library import HELPERS
from prompts.handlebars.tree import Unit
from prompts.handlebars.units import Parsed, read_units
from prompts.handlebars.variables import Read, reads

__all__ = ["HELPERS", "Fault", "Template", "TemplateError", "compile", "load_engine"]

_NO_PARTIALS: Mapping[str, str] = MappingProxyType({})


def compile(  # noqa: A001 - the word the language uses
    source: str, partials: Mapping[str, str] = _NO_PARTIALS, known: frozenset[str] = frozenset()
) -> Template:
    """A template ready to render, safe to share between threads.

    `partials` are named snippets; only those the template reaches are read. With `known` root
    variables given, reading another one is a warning. At most 64 KB (65,536 bytes of UTF-8) with
    partials, blocks nested at most 50 deep. Raises TemplateError with every fault found.
    """
    try:
        return Template(*read_units(source, partials), known=known)
    except RecursionError:
        raise _too_deep() from None


def load_engine() -> None:
    """Load pybars3 now rather than with the first template: its own grammar, which is never used, takes a second."""
    from prompts.handlebars import emitting, running  # noqa: F401


class Template:
    """A compiled template.

    `variables`: the dotted paths it reads, in order (see `variables.reads` for what is left out).
    `roots`: their first parts. `warnings`: what looks wrong but renders, as Faults.
    """

    def __init__(self, parsed: dict[str, Parsed], units: list[Unit], known: frozenset[str]) -> None:
        from prompts.handlebars.emitting import build  # not above: see `load_engine`

        self._sources = {name: each.source for name, each in parsed.items()}
        self._programs, self._table = build(units)
        found = reads({name: each.program for name, each in parsed.items()})
        self.variables = tuple(read.path for read in found)
        self.roots = tuple(dict.fromkeys(path.partition(".")[0] for path in self.variables))
        self.warnings = tuple(self._unknown(found, known)) if known else ()

    def render(self, context: Mapping[str, object]) -> str:
        """The text for a context of plain data: dicts, lists, texts, numbers, truth values, dates.

        Anything else in it, callables and model instances included, is missing; so is a field that is
        not there. Raises TemplateError beyond 200,000 steps, 8 MiB of output (UTF-8) or depth 50, and
        for an argument a helper refuses.
        """
        from prompts.handlebars.running import Run

        run = Run(self._table.entries, self._programs)
        try:
            return run.render(context)
        except ProblemError as problem:
            raise self._stopped(problem, run.current) from None
        except RecursionError:
            raise _too_deep() from None

    def _stopped(self, problem: ProblemError, index: int) -> TemplateError:
        place = self._table.places[index]
        source = self._sources[place.unit]
        return TemplateError([source.fault(problem.code, problem.message, place.offset, problem.hint)])

    def _unknown(self, found: tuple[Read, ...], known: frozenset[str]) -> list[Fault]:
        roots: dict[str, Read] = {}
        for read in found:
            roots.setdefault(read.path.partition(".")[0], read)
        unknown = {root: read.place for root, read in roots.items() if root not in known}
        return [
            self._sources[place.unit].fault(
                "unknown-variable",
                f"There is no variable `{root}`",
                place.offset,
                did_you_mean(root, sorted(known)),
            )
            for root, place in list(unknown.items())[:MOST_FAULTS]
        ]


def _too_deep() -> TemplateError:
    return TemplateError([Fault("too-deep", "The template is nested too deeply", 1, 1, "", "")])

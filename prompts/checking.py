"""What is wrong or doubtful with a template, for an editor as one types, and before it is published."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from django.utils.translation import gettext as _

from askweb.errors import FieldFault, Problem
from prompts.handlebars import Fault, TemplateError
from prompts.handlebars import compile as compile_template
from prompts.variables import Asking, variables


class TemplateFault(FieldFault):
    """Line and column count from 1. `unit`: the snippet that it stands in, "" for the template itself."""

    line: int
    column: int
    snippet: str
    hint: str
    unit: str


@dataclass(frozen=True)
class Verdict:
    """`variables` are the paths that the template reads, none where it has errors."""

    errors: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    variables: tuple[str, ...] = ()


def check_template(source: str, snippets: Mapping[str, str]) -> Verdict:
    try:
        template = compile_template(source, snippets, known_variables())
    except TemplateError as error:
        return Verdict(errors=error.errors)
    return Verdict(warnings=template.warnings, variables=template.variables)


def check_snippet(name: str, source: str, snippets: Mapping[str, str]) -> Verdict:
    """Like `check_template`, of a text that others take in: it may hold a partial block, and not itself."""
    return check_template("{{> " + name + "}}", {**snippets, name: source})


def refuse_faulty(verdict: Verdict, field: str) -> None:
    """Raise a 422 `Problem` with every error of the text that came in this field."""
    if verdict.errors:
        raise template_problem({field: verdict.errors})


def template_problem(errors: Mapping[str, Iterable[Fault]]) -> Problem:
    fields = {field: fault_shapes(faults) for field, faults in errors.items()}
    first = next(iter(fields.values()))[0]
    message = _("The template has an error in line {line}, column {column}: {fault}.")
    told = message.format(line=first["line"], column=first["column"], fault=first["message"])
    return Problem("template.invalid", told, fields=fields)


def fault_shapes(faults: Iterable[Fault]) -> list[TemplateFault]:
    return [
        TemplateFault(
            code=each.code,
            message=each.message,
            line=each.line,
            column=each.column,
            snippet=each.snippet,
            hint=each.hint,
            unit=each.unit,
        )
        for each in faults
    ]


@cache
def known_variables() -> frozenset[str]:
    """The documented names: what a template sees when nothing was posted."""
    nobody = Asking("", "", False, "", "", datetime.fromtimestamp(0, UTC))
    return frozenset(variables(nobody, []))

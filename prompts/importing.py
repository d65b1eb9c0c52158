"""Tools from a TOML file: one table for each, ours and those of other programs with the same shape."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import FieldFault, Problem
from askweb.limits.counting import admit_rows
from askweb.parsing import storable_json
from prompts.checking import TemplateFault, check_template, fault_shapes
from prompts.editing import (
    next_order,
    read_kinds,
    read_name,
    read_names,
    read_options,
    read_slug,
    read_template,
)
from prompts.fields import FaultyField, Reader, fault, read_object, text
from prompts.models import Snippet, Tool
from prompts.options import Options
from prompts.tool_questions import read_questions

LARGEST_FILE = 1024 * 1024
MOST_TABLES = 200
MOST_DOTS = 2000
PLAIN_TEMPLATE = "{{chat.input}}\n"
"""The template of a preset: a system message alone."""
PLACE = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class Imported:
    """What became of one table. `errors` are those of a template that is kept as a draft for now; `ignored`
    are keys that mean nothing here.
    """

    slug: str
    published: bool
    errors: list[TemplateFault] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Skipped:
    slug: str
    code: str
    reason: str
    fields: Mapping[str, Sequence[FieldFault]] = field(default_factory=dict)


@dataclass
class Import:
    created: list[Imported] = field(default_factory=list)
    updated: list[Imported] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True)
class Table:
    slug: str
    fields: Mapping[str, Any]
    source: str
    ignored: list[str]


@transaction.atomic
def import_tools(owner: User | None, toml: str) -> Import:
    """Create a tool for each table, or update the one that has its id; without an owner, shared ones.

    A file that is no TOML is refused whole, with line and column. A template with errors is kept as a draft.
    What a table doesn't name stays as it is.
    """
    tables = read_toml(toml)
    if owner is not None:
        known = owner.tools.filter(slug__in=tables).count()
        admit_rows(owner.tools.all(), len(tables) - known)
    first = next_order(owner, without=frozenset(tables))
    result = Import()
    for at, (slug, table) in enumerate(tables.items()):
        try:
            _store(result, owner, _read(slug, table, first + at))
        except FaultyField as error:
            code, reason = next((each[0]["code"], each[0]["message"]) for each in error.faults.values())
            result.skipped.append(Skipped(slug, code, reason, error.faults))
    return result


def read_toml(toml: str) -> dict[str, Any]:
    """Return the tables; raise a 400 `Problem` that names line and column, both counted from 1."""
    if len(toml) > LARGEST_FILE:
        raise Problem("import.too_large", _("The file is too large: at most 1 MiB, please."), status=413)
    _refuse_long_keys(toml)
    try:
        tables, _changed = storable_json(tomllib.loads(toml.removeprefix("\ufeff")))
    except tomllib.TOMLDecodeError as error:
        raise _misread(str(error), toml) from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number that Python can't hold
        raise _broken(_("It holds a value that can't be read"), 1, 1) from error
    if len(tables) > MOST_TABLES:
        message = _("The file holds more than {most} tools.").format(most=MOST_TABLES)
        raise Problem("import.too_large", message, status=413)
    return dict(tables)


def _refuse_long_keys(toml: str) -> None:
    """The parser takes a time that grows with the square of the parts of a key."""
    for number, line in enumerate(toml.split("\n"), start=1):
        if line.count(".") > MOST_DOTS:
            raise _broken(_("This line has too many dots"), number, 1)


def _misread(message: str, toml: str) -> Problem:
    place = PLACE.search(message)
    line, column = toml.count("\n") + 1, len(toml) - toml.rfind("\n")
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    return _broken(PLACE.sub("", message), line, column)


def _broken(what: str, line: int, column: int) -> Problem:
    message = _("The file is not valid TOML. {what}: line {line}, column {column}.")
    told = message.format(what=what, line=line, column=column)
    return Problem("toml.broken", told, status=400, data={"line": line, "column": column})


def _read(slug: str, table: Any, order: int) -> Table:
    """Raises `FaultyField`."""
    if not isinstance(table, dict):
        raise _skip("", "not_a_table", _("Only tables are tools."))
    known = {name: value for name, value in table.items() if name in READERS}
    fields = {"name": slug, "names": {}, **read_object({"slug": slug, **known}, READERS), "order": order}
    older = fields.pop("human", None)
    system = fields.pop("system", older)
    if system is not None:
        fields["options"] = {"system": system, **fields.get("options", {})}
        fields.setdefault("hbs", PLAIN_TEMPLATE)
    if "hbs" not in fields:
        raise _skip("hbs", "missing", _("There is no hbs, so it is no tool."))
    return Table(fields.pop("slug"), fields, fields.pop("hbs"), sorted(table.keys() - READERS.keys()))


def _store(result: Import, owner: User | None, table: Table) -> None:
    tool = Tool.objects.filter(owner=owner, slug=table.slug).select_related("published").first()
    made = tool is None
    tool = tool or Tool(owner=owner, slug=table.slug)
    snippets = Snippet.objects.reached_from(tool.owner_id)
    errors = check_template(table.source, snippets).errors
    if errors and tool.draft not in (None, table.source):
        raise _skip("hbs", "draft.kept", _("It has errors, and you have another draft already."))
    changed = _fill(tool, table.fields)
    if check_template(tool.chosen.system, snippets).errors:
        raise _skip("system", "template.invalid", _("Its system message has errors."))
    if not _publish(tool, table.source, faulty=bool(errors)) and not changed:
        raise _skip("", "unchanged", _("You have it already."))
    done = result.created if made else result.updated
    done.append(Imported(table.slug, not errors, fault_shapes(errors), table.ignored))


def _fill(tool: Tool, fields: Mapping[str, Any]) -> bool:
    """Set the fields; return whether any changed. Nothing is saved."""
    options = Options.stored({**tool.options, **fields.get("options", {})}).changed()
    values = {**fields, "options": options}
    changed = any(getattr(tool, name) != value for name, value in values.items())
    for name, value in values.items():
        setattr(tool, name, value)
    return changed


def _publish(tool: Tool, source: str, *, faulty: bool) -> bool:
    """Save the tool and its text; return whether the text is a new one."""
    before = tool.draft if faulty else tool.published and tool.published.source
    if faulty:
        tool.draft = source
    tool.save()
    if not faulty and before != source:
        tool.publish(source)
    return before != source


def _skip(path: str, code: str, reason: str) -> FaultyField:
    return FaultyField({path: [fault(reason, code)]})


READERS: Mapping[str, Reader] = {
    "slug": read_slug,
    "name": read_name,
    "names": read_names,
    "kinds": read_kinds,
    "order": lambda value: value,
    "hbs": read_template,
    "system": text(64 * 1024, blank=True, trimmed=False),
    "human": text(64 * 1024, blank=True, trimmed=False),
    "options": read_options,
    "questions": read_questions,
}
"""`order` is read and dropped: that of the tables counts."""

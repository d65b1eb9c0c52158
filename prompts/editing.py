"""Making, changing and deleting a tool: checked field by field, all faults at once."""

import re
from collections.abc import Callable, Mapping
from itertools import chain, count
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import Problem, invalid
from askweb.limits.counting import admit_rows
from prompts.checking import check_template, refuse_faulty
from prompts.fields import Reader, fault, nested, read_body, text
from prompts.models import Snippet, Tool
from prompts.options import READERS as OPTION_READERS
from prompts.options import Options
from prompts.publishing import publish_text
from prompts.tool_questions import read_questions

TEMPLATE_LENGTH = 256 * 1024
MOST_KINDS = 20
LARGEST_ORDER = 2**31 - 1
RESERVED = frozenset({"check", "import", "export.toml", ".", ".."})
"""These stand in the place of a slug in addresses."""
SLUG = re.compile(r"[^\s/\\?#%\x00-\x1f\x7f](?:[^/\\?#%\x00-\x1f\x7f]*[^\s/\\?#%\x00-\x1f\x7f])?")


@transaction.atomic
def create_tool(person: User, data: Any, *, shared: bool = False) -> Tool:
    """Create a tool of the person's, or a shared one.

    It starts from `template`, which is published at once, from a `draft`, or as a copy of the tool that
    `copy_of` names.
    """
    if not shared:
        admit_rows(person.tools.all())
    fields = read_body(data, CREATE_READERS, ignored=READ_ONLY)
    source = fields.pop("template", None)
    if slug := fields.pop("copy_of", None):
        original = _original(person, slug)
        source = original.published.source if source is None and original.published else source
        fields = _copied(original) | fields
    if "name" not in fields:
        raise invalid({"name": [fault(_("Give the tool a name."), "missing")]})
    fields.setdefault("slug", free_slug(person, fields["name"]))
    fields.setdefault("order", next_order(None if shared else person))
    tool = _save(Tool(owner=None if shared else person), fields)
    if source is not None:
        draft = tool.draft
        publish_text(tool, source)
        _keep_draft(tool, draft)
    return tool


@transaction.atomic
def change_tool(tool: Tool, data: Any) -> Tool:
    """Change what is named; options one by one. `draft: null` throws the draft away."""
    return _save(tool, read_body(data, CHANGE_READERS, ignored=READ_ONLY))


def delete_tool(tool: Tool) -> None:
    """Delete the tool with its versions. What was sent with it stays as it is."""
    if tool.owner_id is None and tool.versions.filter(shipped=True).exists():
        message = _("{name} ships with AskWeb and would come back with the next start.")
        raise Problem("tool.shipped", message.format(name=tool.name), status=409)
    tool.delete()


def free_slug(person: User, name: str) -> str:
    """A slug made from the name that no tool the person sees has."""
    base = slugify(name, allow_unicode=True)[:90] or "tool"
    taken = RESERVED | set(Tool.objects.filter(_in_sight(person)).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain([base], numbered) if slug not in taken)


def next_order(person: User | None, *, without: frozenset[str] = frozenset()) -> int:
    """The place after all tools in sight; those with slugs in `without` don't count where they are one's own."""
    others = Tool.objects.filter(_in_sight(person)).exclude(owner=person, slug__in=without)
    last: int | None = others.aggregate(last=Max("order"))["last"]
    return min((last or 0) + 1, LARGEST_ORDER)


def _in_sight(person: User | None) -> Q:
    return Q(owner=None) | Q(owner=person) if person else Q(owner=None)


def _original(person: User, slug: str) -> Tool:
    original = Tool.objects.named(person, slug)
    if original is None:
        raise invalid({"copy_of": [fault(_("There is no such tool."), "tool.unknown")]})
    return original


def _copied(tool: Tool) -> dict[str, Any]:
    """A copy has one name, the one that the person saw."""
    name = tool.name_in(get_language() or "en")
    return {"name": name, "kinds": tool.kinds, "options": tool.options, "questions": tool.questions}


def _save(tool: Tool, fields: Mapping[str, Any]) -> Tool:
    for name, value in fields.items():
        SETTERS.get(name, setattr)(tool, name, value)
    if "system" in fields.get("options", {}):
        snippets = Snippet.objects.reached_from(tool.owner_id)
        refuse_faulty(check_template(tool.chosen.system, snippets), "options.system")
    try:
        with transaction.atomic():
            tool.save()
    except IntegrityError as error:
        raise invalid({"slug": [fault(_("There is a tool with this slug already."), "taken")]}) from error
    return tool


def _keep_draft(tool: Tool, draft: str | None) -> None:
    if draft is not None:
        tool.draft = draft
        tool.save(update_fields=["draft"])


def _set_name(tool: Tool, name: str, value: str) -> None:
    """The name that the person sees is the one that changes."""
    language = get_language() or "en"
    if language in tool.names:
        tool.names = {**tool.names, language: value}
    else:
        tool.name = value


def _set_options(tool: Tool, name: str, values: Mapping[str, Any]) -> None:
    tool.options = Options.stored({**tool.options, **values}).changed()


def read_slug(value: Any) -> str:
    fits = isinstance(value, str) and len(value) <= 100 and SLUG.fullmatch(value) and value not in RESERVED
    if not fits:
        raise ValueError(_("Must be at most 100 characters, without / \\ ? # %, and not a reserved word."))
    return str(value)


def read_kinds(value: Any) -> list[str]:
    fits = isinstance(value, list) and len(value) <= MOST_KINDS
    if not fits or not all(isinstance(kind, str) and kind.strip() and len(kind) <= 100 for kind in value):
        raise ValueError(_("Must be a list of kinds, such as page or selection."))
    return list(dict.fromkeys(value))


def read_names(value: Any) -> dict[str, str]:
    languages = dict(settings.LANGUAGES)
    fits = isinstance(value, dict) and all(
        language in languages and isinstance(name, str) and name.strip() and len(name) <= 200
        for language, name in value.items()
    )
    if not fits:
        raise ValueError(_("Must be a name for each of: {known}.").format(known=", ".join(languages)))
    return dict(value)


def _order(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_ORDER:
        raise ValueError(_("Must be a whole number, 0 or more."))
    return value


def _draft(value: Any) -> str | None:
    return None if value is None else read_template(value)


read_template = text(TEMPLATE_LENGTH, blank=True, trimmed=False)
read_name = text(200)
read_options = nested(OPTION_READERS)
READ_ONLY = frozenset({"owner", "version", "updated"})
CHANGE_READERS: Mapping[str, Reader] = {
    "name": read_name,
    "names": read_names,
    "draft": _draft,
    "kinds": read_kinds,
    "order": _order,
    "options": read_options,
    "questions": read_questions,
}
CREATE_READERS: Mapping[str, Reader] = {
    **CHANGE_READERS,
    "slug": read_slug,
    "template": read_template,
    "copy_of": text(100),
}
SETTERS: Mapping[str, Callable[[Tool, str, Any], None]] = {"name": _set_name, "options": _set_options}

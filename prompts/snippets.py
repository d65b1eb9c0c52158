"""Snippets: named texts for templates, checked together with everything that takes them in."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import Problem, invalid
from askweb.limits.counting import admit_rows
from prompts.checking import check_snippet, check_template, refuse_faulty
from prompts.fields import fault, read_body, text
from prompts.models import Snippet, Tool
from prompts.rendering import PARTIAL

NAME = re.compile(r"[^\W\d][\w-]*")
SNIPPET_LENGTH = 64 * 1024
READ_ONLY = frozenset({"id", "owner"})


def create_snippet(owner: User | None, data: Any) -> Snippet:
    """Create a snippet; without an owner it is shared. An error in its text is a 422 `Problem`."""
    if owner is not None:
        admit_rows(owner.snippets.all())
    fields = read_body(data, READERS, ignored=READ_ONLY)
    missing = {name: [fault(_("This is needed."), "missing")] for name in READERS if name not in fields}
    if missing:
        raise invalid(missing)
    return _save(Snippet(owner=owner), fields)


def change_snippet(snippet: Snippet, data: Any) -> Snippet:
    """Change name or text, unless a published template or another snippet would break."""
    return _save(snippet, read_body(data, READERS, ignored=READ_ONLY))


@transaction.atomic
def delete_snippet(snippet: Snippet) -> None:
    broken_before = _broken(snippet.owner_id)
    snippet.delete()
    _refuse_broken(snippet.owner_id, broken_before)


@transaction.atomic
def _save(snippet: Snippet, fields: Mapping[str, Any]) -> Snippet:
    broken_before = _broken(snippet.owner_id)
    for name, value in fields.items():
        setattr(snippet, name, value)
    try:
        with transaction.atomic():
            snippet.save()
    except IntegrityError as error:
        raise invalid({"name": [fault(_("There is a snippet of this name already."), "taken")]}) from error
    others = Snippet.objects.reached_from(snippet.owner_id)
    refuse_faulty(check_snippet(snippet.name, snippet.source, others), "source")
    _refuse_broken(snippet.owner_id, broken_before)
    return snippet


def _refuse_broken(owner_id: UUID | None, before: frozenset[str]) -> None:
    broken = sorted(_broken(owner_id) - before)
    if broken:
        message = _("These would not work any more: {names}.").format(names=", ".join(broken))
        raise Problem("snippet.used", message, status=409)


def _broken(owner_id: UUID | None) -> frozenset[str]:
    """The slugs of this owner's tools and the names of their snippets that can't be compiled.

    Other people's aren't looked at when a shared snippet changes; theirs say so when they are used.
    """
    snippets = Snippet.objects.reached_from(owner_id)
    own = Snippet.objects.filter(owner=owner_id).values_list("name", "source")
    broken = {name for name, source in own if check_snippet(name, source, snippets).errors}
    tools = Tool.objects.filter(owner=owner_id).select_related("published")
    return frozenset(broken | {tool.slug for tool in tools if _is_broken(tool, snippets)})


def _is_broken(tool: Tool, snippets: Mapping[str, str]) -> bool:
    texts = (tool.published.source if tool.published else "", tool.chosen.system)
    return any(check_template(each, snippets).errors for each in texts if PARTIAL.search(each))


def read_snippet_name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 100 or not NAME.fullmatch(value):
        raise ValueError(_("Must be a letter, then letters, digits, - or _, at most 100."))
    return value


READERS = {"name": read_snippet_name, "source": text(SNIPPET_LENGTH, blank=True, trimmed=False)}

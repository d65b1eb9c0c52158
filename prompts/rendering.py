"""Compiled templates, kept by version and the snippets it takes in: neither changes under its program."""

import re
from functools import lru_cache

from prompts.handlebars import Template
from prompts.handlebars import compile as compile_template
from prompts.models import Snippet, TemplateVersion, Tool

Named = tuple[tuple[str, str], ...]
PARTIAL = re.compile(r"\{\{[~#\s]*>")
"""What every call of a snippet holds; templates without one, nearly all, need no look at the snippets."""


def published_template(version: int, source: str) -> Template:
    """Return the program of a published version, with today's snippets. `version` is its row's id.

    Raises TemplateError where a snippet that it needs is gone or faulty.
    """
    if not PARTIAL.search(source):
        return _compiled(source, ())
    owner_id = TemplateVersion.objects.values_list("tool__owner", flat=True).get(pk=version)
    return _compiled(source, tuple(Snippet.objects.reached_from(owner_id).items()))


def system_template(tool: Tool) -> Template | None:
    """Return the program of the tool's own system message, where it has one. Raises like the above."""
    source = tool.chosen.system
    if not source:
        return None
    snippets = Snippet.objects.reached_from(tool.owner_id) if PARTIAL.search(source) else {}
    return _compiled(source, tuple(snippets.items()))


@lru_cache(maxsize=512)
def _compiled(source: str, snippets: Named) -> Template:
    return compile_template(source, dict(snippets))

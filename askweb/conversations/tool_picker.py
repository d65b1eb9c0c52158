"""The tools that the composer offers, and the names that chips show."""

from django.utils.translation import get_language

from askweb.accounts.models import User
from prompts.models import Tool

PLAIN_TOOL = "ask"
"""Its chip would stand on nearly every message and say nothing."""
TYPED_KINDS = frozenset({"always", "selection", "page", "code", "link"})
"""Tools for these make sense with typed words alone; the others need what only an extension brings."""


def typed_tools(person: User) -> list[tuple[str, str]]:
    """Slug and name of each tool to pick for typed words, in order."""
    language = get_language() or "en"
    tools = sorted(_tools(person).values(), key=lambda tool: (tool.order, tool.slug))
    typed = [tool for tool in tools if not tool.kinds or TYPED_KINDS & set(tool.kinds)]
    return [(tool.slug, tool.name_in(language)) for tool in typed]


def tool_names(person: User) -> dict[str, str]:
    language = get_language() or "en"
    return {slug: tool.name_in(language) for slug, tool in _tools(person).items()}


def _tools(person: User) -> dict[str, Tool]:
    """By slug; the person's own tool wins over a shared one."""
    tools = sorted(Tool.objects.offered_to(person), key=lambda tool: tool.owner_id is not None)
    return {tool.slug: tool for tool in tools}

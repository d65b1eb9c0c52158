"""The shapes in which tools, versions and snippets leave the server."""

from datetime import datetime
from typing import Any, Literal, TypedDict
from uuid import UUID

from django.utils.translation import get_language

from askweb.errors import FieldFault
from prompts.checking import TemplateFault, Verdict, fault_shapes
from prompts.models import Snippet, TemplateVersion, Tool
from prompts.options import OptionsShape

Owner = Literal["shared", "mine"]


class ToolShape(TypedDict):
    slug: str
    name: str
    names: dict[str, str]
    owner: Owner
    version: int | None
    template: str
    draft: str | None
    kinds: list[str]
    order: int
    options: OptionsShape
    questions: list[Any]


class VersionShape(TypedDict):
    number: int
    template: str
    created: datetime
    shipped: bool
    restored_from: int | None
    published: bool


class SnippetShape(TypedDict):
    id: UUID
    name: str
    source: str
    owner: Owner


class VerdictShape(TypedDict):
    errors: list[TemplateFault]
    warnings: list[TemplateFault]
    variables: list[str]


class ImportedShape(TypedDict):
    slug: str
    published: bool
    errors: list[TemplateFault]
    ignored: list[str]


class SkippedShape(TypedDict):
    slug: str
    code: str
    reason: str
    fields: dict[str, list[FieldFault]]


class ImportShape(TypedDict):
    created: list[ImportedShape]
    updated: list[ImportedShape]
    skipped: list[SkippedShape]


def tool_shape(tool: Tool, *, editable: bool) -> ToolShape:
    """`draft` is for those who can edit the tool."""
    return {
        "slug": tool.slug,
        "name": tool.name_in(get_language() or "en"),
        "names": tool.names,
        "owner": _owner(tool),
        "version": tool.published.number if tool.published else None,
        "template": tool.published.source if tool.published else "",
        "draft": tool.draft if editable else None,
        "kinds": tool.kinds,
        "order": tool.order,
        "options": tool.chosen.shape(),
        "questions": tool.questions,
    }


def version_shape(version: TemplateVersion, published: int | None) -> VersionShape:
    """`published` is the row of the version in use."""
    return {
        "number": version.number,
        "template": version.source,
        "created": version.created,
        "shipped": version.shipped,
        "restored_from": version.restored_from,
        "published": version.pk == published,
    }


def snippet_shape(snippet: Snippet) -> SnippetShape:
    return {"id": snippet.pk, "name": snippet.name, "source": snippet.source, "owner": _owner(snippet)}


def verdict_shape(verdict: Verdict) -> VerdictShape:
    return {
        "errors": fault_shapes(verdict.errors),
        "warnings": fault_shapes(verdict.warnings),
        "variables": list(verdict.variables),
    }


def _owner(row: Tool | Snippet) -> Owner:
    return "shared" if row.owner_id is None else "mine"

"""Noting in the audit log that a text which everybody uses is another one now."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest
from rest_framework.request import Request

from askweb.audit.models import Act
from askweb.audit.noting import note
from prompts.importing import Import
from prompts.models import Tool


@contextmanager
def noting_published(request: HttpRequest | Request, tool: Tool) -> Iterator[None]:
    """Note it, where what happens inside gives a shared tool another published version."""
    before = tool.published_id
    yield
    if tool.published_id != before:
        note_published(request, tool)


def note_published(request: HttpRequest | Request, tool: Tool) -> None:
    if tool.owner_id is None and tool.published_id is not None:
        note(Act.TOOL_PUBLISHED, request, target=tool.slug)


def note_imported(request: HttpRequest | Request, imported: Import) -> None:
    """Likewise for a file of shared tools."""
    for each in (*imported.created, *imported.updated):
        if each.published:
            note(Act.TOOL_PUBLISHED, request, target=each.slug)

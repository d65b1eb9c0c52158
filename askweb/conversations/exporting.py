"""Exports as files: named after the conversation, and sent while they are made."""

import re
import unicodedata
from collections.abc import AsyncIterator, Iterator
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import translation
from django.utils.http import content_disposition_header
from rest_framework.negotiation import DefaultContentNegotiation

from askweb.conversations.export_json import json_pieces
from askweb.conversations.export_markdown import markdown_pieces
from askweb.conversations.models import Conversation
from askweb.conversations.transcript import title_of
from askweb.runs.database import in_database

NAME_LENGTH = 60
UNSAFE = re.compile(r'[/\\:*?"<>|\s]+')
DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")


class AnyAccept(DefaultContentNegotiation):
    """The address says what is wanted, so `Accept` need not; faults are JSON."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


def export_as_json(request: HttpRequest, conversation: Conversation) -> StreamingHttpResponse:
    return file_response(
        request, json_pieces(conversation), "application/json", file_name(conversation, "json")
    )


def export_as_markdown(request: HttpRequest, conversation: Conversation) -> StreamingHttpResponse:
    pieces = _in_language(markdown_pieces(conversation), translation.get_language())
    return file_response(request, pieces, "text/markdown; charset=utf-8", file_name(conversation, "md"))


def file_response(
    request: HttpRequest, pieces: Iterator[str] | Iterator[bytes], kind: str, name: str
) -> StreamingHttpResponse:
    """A file to save, sent while it is made.

    Django takes what is asynchronous on an asynchronous server only, and buffers the other.
    """
    is_async = isinstance(request, ASGIRequest)
    response = StreamingHttpResponse(_from_threads(pieces) if is_async else pieces, content_type=kind)
    response["Content-Disposition"] = content_disposition_header(True, name)
    response["Cache-Control"] = "no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def file_name(conversation: Conversation, ending: str) -> str:
    """Return the title as a name that every system takes, hides nothing in and leads nowhere else."""
    shown = "".join(
        char
        for char in unicodedata.normalize("NFC", title_of(conversation))
        if char.isspace() or not unicodedata.category(char).startswith("C")
    )
    name = UNSAFE.sub(" ", shown)[:NAME_LENGTH].strip(" .")
    return f"{name if name and not DEVICES.match(name) else 'conversation'}.{ending}"


async def _from_threads(pieces: Iterator[str] | Iterator[bytes]) -> AsyncIterator[str | bytes]:
    while (piece := await in_database(_next, pieces)) is not None:
        yield piece


def _next(pieces: Iterator[str] | Iterator[bytes]) -> str | bytes | None:
    return next(pieces, None)


def _in_language(pieces: Iterator[str], language: str | None) -> Iterator[str]:
    """Each piece is made in the language of the request, in whatever thread."""
    while True:
        with translation.override(language):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece

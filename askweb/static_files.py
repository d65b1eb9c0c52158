"""Static files. What is in static/ is answered from memory, compressed, at addresses that change with it.

See docs/adr/0009-static-files.md.
"""

import asyncio
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.http import require_safe

from askweb.joined_files import joined_modules, joined_styles

OURS: Final = Path(settings.BASE_DIR) / "static"
EDITION: Final = re.compile(r"[0-9a-f]{12}")
KEPT: Final = "public, max-age=31536000, immutable"
ASKED_FOR_AGAIN: Final = "public, no-cache"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Whatever the machine believes: browsers refuse scripts and styles of another type."""


@dataclass(frozen=True)
class StaticFile:
    """`zipped` is None where nothing is gained by it."""

    body: bytes
    zipped: bytes | None
    content_type: str
    etag: str

    @classmethod
    def of(cls, path: Path, body: bytes, zipped: bytes | None = None) -> "StaticFile":
        known = TYPES.get(path.suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
        return cls(body, zipped, known, f'W/"{hashlib.sha256(body).hexdigest()[:16]}"')


class EditionStorage(StaticFilesStorage):
    """Leads to our files by way of the edition, which relative addresses in style sheets keep."""

    def url(self, name: str | None) -> str:
        return super().url(f"{edition()}/{name}" if name in ours() else name)


def ours() -> dict[str, StaticFile]:
    """What is in static/, by its path there; nothing while it is being worked on, when files are read anew."""
    return {} if settings.DEBUG else _ours()


@cache
def edition() -> str:
    return edition_of(_ours())


def edition_of(files: Mapping[str, StaticFile]) -> str:
    """Twelve hexadecimal digits that change with any of the files."""
    told = [f"{name} {file.etag}" for name, file in files.items()]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]


@sync_and_async_middleware
def static_files(get_response: Any) -> Any:
    """Answer before anything that needs a session or the database."""
    ours()  # when the server starts, not when somebody waits

    async def answer_async(request: HttpRequest) -> Any:
        name = _name(request)
        found = name and (_from_memory(request, name) or await asyncio.to_thread(_from_disk, request, name))
        return found or await get_response(request)

    def answer(request: HttpRequest) -> Any:
        name = _name(request)
        found = name and (_from_memory(request, name) or _from_disk(request, name))
        return found or get_response(request)

    return answer_async if iscoroutinefunction(get_response) else answer


def _name(request: HttpRequest) -> str:
    """What is asked for below the static files' address, if anything is."""
    below = request.path.startswith(settings.STATIC_URL)
    return request.path.removeprefix(settings.STATIC_URL) if below else ""


def _from_memory(request: HttpRequest, name: str) -> HttpResponseBase | None:
    """A page of another edition, as while servers are replaced, gets the file of ours, but may not keep it."""
    first, _slash, rest = name.partition("/")
    file = ours().get(rest if EDITION.fullmatch(first) else name)
    return _answer(request, file, KEPT if first == edition() else ASKED_FOR_AGAIN) if file else None


def _from_disk(request: HttpRequest, name: str) -> HttpResponseBase | None:
    path = (_paths.__wrapped__ if settings.DEBUG else _paths)().get(name)
    return _answer(request, StaticFile.of(path, path.read_bytes()), ASKED_FOR_AGAIN) if path else None


@require_safe
def _answer(request: HttpRequest, file: StaticFile, caching: str) -> HttpResponseBase:
    headers = {"Content-Type": file.content_type, "Cache-Control": caching, "ETag": file.etag}
    body = file.body
    if file.zipped is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            body = file.zipped
            headers["Content-Encoding"] = "gzip"
    response = HttpResponse(body, headers=headers | {"Content-Length": str(len(body))})
    return get_conditional_response(request, etag=file.etag, response=response) or response


@cache
def _ours() -> dict[str, StaticFile]:
    paths = sorted(path for path in OURS.rglob("*") if path.is_file())
    return {path.relative_to(OURS).as_posix(): _prepared(path) for path in paths}


def _prepared(path: Path) -> StaticFile:
    body = _body(path)
    return StaticFile.of(path, body, None if path.suffix == ".woff2" else gzip.compress(body, mtime=0))


def _body(path: Path) -> bytes:
    if path == OURS / "css" / "app.css":
        return joined_styles(path).encode()
    if path == OURS / "js" / "app.js":
        return joined_modules(path.parent, path.name).encode()
    return path.read_bytes()


@cache
def _paths() -> dict[str, Path]:
    """Every static file by its name: none of it is made of what a client sent."""
    found: dict[str, Path] = {}
    for finder in get_finders():
        for name, storage in finder.list(None):
            found.setdefault(name, Path(storage.path(name)))
    return found

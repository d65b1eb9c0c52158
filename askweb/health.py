"""Whether this process lives, and whether it can serve: for what watches it, by whatever name that calls it.

Answered before anything that needs a known host, a session or the database.
"""

import asyncio
from typing import Any

import orjson
import redis
from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from askweb.metrics import CONTENT_TYPE, read_metrics
from askweb.runs.database import in_database
from askweb.runs.hub import hub

PATIENCE = 3.0
"""Seconds that the database or Redis may take to answer."""


@sync_and_async_middleware
def health(get_response: Any) -> Any:
    """GET /health/, /ready/ and, where it is on, /metrics/."""

    async def answer_async(request: HttpRequest) -> Any:
        if request.path == "/ready/":
            try:
                database = await asyncio.wait_for(in_database(database_fault), PATIENCE)
            except TimeoutError:
                database = "TimeoutError"
            return _readiness(database, await asyncio.to_thread(redis_fault))
        return _answer(request) or await get_response(request)

    def answer(request: HttpRequest) -> Any:
        if request.path == "/ready/":
            return _readiness(database_fault(), redis_fault())
        return _answer(request) or get_response(request)

    return answer_async if iscoroutinefunction(get_response) else answer


def database_fault() -> str:
    """What kind of fault the database has; empty when it answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:
        return type(error).__name__
    return ""


def redis_fault() -> str:
    if not settings.REDIS_URL:
        return ""
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        ) as client:
            client.ping()
    except (redis.RedisError, OSError) as error:
        return type(error).__name__
    return ""


def _answer(request: HttpRequest) -> HttpResponse | None:
    if request.path == "/health/":
        return HttpResponse("ok", content_type="text/plain")
    if request.path == "/metrics/" and settings.ASKWEB_METRICS:
        return HttpResponse(read_metrics(), content_type=CONTENT_TYPE)
    return None


def _readiness(database: str, redis_says: str) -> HttpResponse:
    """Without Redis people can still ask, so that it is told, but keeps nobody out."""
    ready = not database and not hub.is_closing
    told = {"ready": ready, "closing": hub.is_closing, "database": database or "ok"}
    if settings.REDIS_URL:
        told["redis"] = redis_says or "ok"
    return HttpResponse(orjson.dumps(told), content_type="application/json", status=200 if ready else 503)

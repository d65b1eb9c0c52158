"""OpenAI's API over AskWeb: `/v1/chat/completions` and `/v1/models`. See docs/openai.md."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from askweb.accounts.access import Access
from askweb.errors import Problem, not_found
from askweb.openai.asking import ask, person_of
from askweb.openai.catalogue import list_models
from askweb.openai.errors import answer_fault, answer_outcome
from askweb.openai.following import Following, Outcome
from askweb.openai.reading import ChatRequest
from askweb.openai.revoking import Watch
from askweb.openai.shapes import Head, ModelShape, completion
from askweb.openai.streaming import stream
from askweb.request_threads import release_thread
from askweb.runs.database import in_database
from askweb.runs.models import Run

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], Coroutine[Any, Any, HttpResponseBase]]

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def _endpoint(method: str | None) -> Callable[[View[P]], View[P]]:
    """A view for one method, or for all, whose faults are answered in OpenAI's shape. Tokens need no CSRF protection."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        async def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                if method not in (None, request.method):
                    raise Problem("method_not_allowed", _("Use {method}.").format(method=method), status=405)
                return await view(request, *args, **kwargs)
            except Exception as fault:
                return answer_fault(fault)

        return csrf_exempt(answer)

    return decorate


@_endpoint("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    """Wait for the first delta, or the end, so that a fault before it has a status of its own."""
    asked, run, access = await _asked(request)
    following = Following(run, deltas=asked.stream)
    _leave_with_the_request(following, Watch(run, access))
    release_thread()
    if asked.stream:
        return await _stream(following, Head.of(run, asked.model), include_usage=asked.include_usage)
    outcome = await following.outcome()
    return (
        answer_outcome(outcome) if outcome.is_error else _json(completion(Head.of(run, asked.model), outcome))
    )


@_endpoint("GET")
async def models(request: HttpRequest) -> HttpResponseBase:
    return _json({"object": "list", "data": await in_database(_models, request)})


@_endpoint("GET")
async def model(request: HttpRequest, id_: str) -> HttpResponseBase:
    for each in await in_database(_models, request):
        if each["id"] == id_:
            return _json(each)
    raise not_found()


@_endpoint(None)
async def nothing_here(request: HttpRequest) -> HttpResponseBase:
    raise not_found()


async def _asked(request: HttpRequest) -> tuple[ChatRequest, Run, Access]:
    """Start the run; where the client goes away meanwhile, stop it."""
    asking = asyncio.ensure_future(sync_to_async(_ask, thread_sensitive=True)(request))
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        with suppress(Problem):
            _request, run, _access = await asking
            Following(run, deltas=False).leave()
        raise


def _ask(request: HttpRequest) -> tuple[ChatRequest, Run, Access]:
    """In the request's own thread: megabytes are read, and the database's thread is everyone's."""
    try:
        return ask(request)
    finally:
        close_old_connections()  # the thread is given back before Django does this at the request's end


def _leave_with_the_request(following: Following, watch: Watch) -> None:
    """However the request ends: answered, or cancelled at any await, which is how Django tells of a lost client."""
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("views run in tasks")
    task.add_done_callback(lambda _task: following.leave())
    task.add_done_callback(lambda _task: watch.end())


async def _stream(following: Following, head: Head, *, include_usage: bool) -> HttpResponseBase:
    steps = following.steps()
    first = await anext(steps)
    if isinstance(first, Outcome) and first.is_error:
        return answer_outcome(first)
    pieces = _without_thread(stream(head, first, steps, include_usage=include_usage))
    return StreamingHttpResponse(
        pieces, content_type="text/event-stream; charset=utf-8", headers=STREAM_HEADERS
    )


async def _without_thread(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    release_thread()
    async for piece in pieces:
        yield piece


def _models(request: HttpRequest) -> list[ModelShape]:
    return list_models(person_of(request, "read"))


def _json(body: object) -> JsonResponse:
    return JsonResponse(body, safe=False, json_dumps_params={"ensure_ascii": False})

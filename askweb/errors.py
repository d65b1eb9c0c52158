"""The one error shape that leaves the server, and the family that is translated into it."""

import logging
import sys
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, TypedDict

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.defaults import bad_request, server_error
from rest_framework import exceptions
from rest_framework.response import Response

logger = logging.getLogger(__name__)


class FieldFault(TypedDict):
    code: str
    message: str


class Problem(Exception):
    """A fault that the person can act on. `code` is stable, `message` is for the person.

    `data` holds what rides beside `error` in the answer, for example the question set of a 409.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 422,
        fields: Mapping[str, Sequence[FieldFault]] | None = None,
        data: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.fields = dict(fields or {})
        self.data = dict(data or {})
        self.headers = dict(headers or {})

    def body(self) -> dict[str, object]:
        error = {"code": self.code, "message": self.message, "fields": self.fields}
        return {"error": error, **self.data}


def invalid(fields: Mapping[str, Sequence[FieldFault]]) -> Problem:
    """A 422 that lists every fault by its path in the body."""
    return Problem("invalid", _("Some fields need attention."), fields=fields)


def not_found() -> Problem:
    return Problem("not_found", _("There is nothing here, or it is not yours."), status=404)


def with_headers(response: HttpResponse, problem: Problem | None) -> HttpResponse:
    """A page that tells of the problem, with the headers that go with it."""
    for name, value in (problem.headers if problem else {}).items():
        response.headers[name] = value
    return response


def answer_problem(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's exception handler: everything it knows becomes the one shape."""
    problem = _as_problem(exception)
    if problem is None:
        return None
    return Response(problem.body(), status=problem.status, headers=problem.headers)


def answer_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler of requests that it refuses itself, such as those to another host's name."""
    if not request.path.startswith("/api/"):
        return bad_request(request, exception)
    problem = Problem("bad_request", _("The server can't make sense of this request."), status=400)
    return JsonResponse(problem.body(), status=problem.status)


def answer_fault(request: HttpRequest) -> HttpResponse:
    """Django's handler of exceptions that nobody expected: below /api/ the one shape, elsewhere a page."""
    if not request.path.startswith("/api/"):
        return server_error(request)
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        problem = database_away()
        return with_headers(JsonResponse(problem.body(), status=problem.status), problem)
    problem = Problem("server.fault", _("Something went wrong on this server. Try again."), status=500)
    return JsonResponse(problem.body(), status=problem.status)


def _as_problem(exception: Exception) -> Problem | None:
    match exception:
        case Problem():
            return exception
        case Http404():
            return not_found()
        case RequestDataTooBig():
            return too_large()
        case PermissionDenied():
            return Problem("forbidden", _("This is not allowed."), status=403)
        case OperationalError() | InterfaceError():
            logger.error("the database could not be used", exc_info=exception)
            return database_away()
        case exceptions.Throttled():
            return too_often(getattr(exception, "wait", None))
        case exceptions.APIException():
            return _from_framework(exception)
    return None


def too_large() -> Problem:
    from django.conf import settings

    size = settings.ASKWEB_BODY_LIMIT
    message = _("The body is larger than {size:,} bytes. Send less, or ask the operator for a higher limit.")
    return Problem("body.too_large", message.format(size=size), status=413)


def database_away() -> Problem:
    """Locked, full, read-only or gone: whatever it is, transactions were rolled back."""
    message = _("The server can't use its database now. Nothing was changed; try again in a moment.")
    return Problem("database.unavailable", message, status=503, headers={"Retry-After": "5"})


def too_often(wait: float | None) -> Problem:
    """A 429 that says in how many seconds it is worth another try."""
    seconds = max(1, ceil(wait or 1))
    told = ngettext(
        "This came too often. Try again in 1 second.",
        "This came too often. Try again in {seconds} seconds.",
        seconds,
    )
    headers = {"Retry-After": str(seconds)}
    return Problem("rate.limited", told.format(seconds=seconds), status=429, headers=headers)


def _from_framework(exception: exceptions.APIException) -> Problem:
    code = {401: "auth.required", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}.get(
        exception.status_code, str(exception.default_code)
    )
    headers = {"WWW-Authenticate": "Bearer"} if exception.status_code == 401 else {}
    return Problem(code, str(exception.detail), status=exception.status_code, headers=headers)

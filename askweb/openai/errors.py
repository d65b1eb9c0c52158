"""Faults in the shape of OpenAI's API, so that its clients raise what fits."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import JsonResponse
from django.utils.translation import gettext as _

from askweb.errors import Problem, database_away, too_large
from askweb.openai.following import Outcome

logger = logging.getLogger(__name__)

FALLBACK = (500, None)
QUOTA = "insufficient_quota"
"""What clients know not to try again."""
STATUS_AND_CODE: dict[str, tuple[int, str | None]] = {
    "database.unavailable": (503, None),
    "limit.runs_at_once": (429, "rate_limit_exceeded"),
    "limit.runs_per_day": (429, QUOTA),
    "not_found": (404, None),
    "provider.auth": (401, "invalid_api_key"),
    "provider.bad_request": (400, None),
    "provider.billing": (429, QUOTA),
    "provider.content_filter": (400, "content_filter"),
    "provider.context_too_long": (400, "context_length_exceeded"),
    "provider.model_unknown": (404, "model_not_found"),
    "provider.none": (404, None),
    "provider.protocol": (502, None),
    "provider.rate_limit": (429, "rate_limit_exceeded"),
    "provider.timeout": (504, None),
    "provider.unavailable": (503, None),
    "provider.unknown": (404, "model_not_found"),
    "model.unknown": (404, "model_not_found"),
    "rate.limited": (429, "rate_limit_exceeded"),
    "run.interrupted": (502, None),
    "tool.unknown": (404, "model_not_found"),
}
"""The HTTP status of our codes, and the code that OpenAI's clients know them by, where there is one."""

TYPE_OF_STATUS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def error_of_outcome(outcome: Outcome) -> tuple[int, dict[str, Any]]:
    """HTTP status and body for a run that failed or was interrupted."""
    code = outcome.code or "run.crashed"
    status, known_as = STATUS_AND_CODE.get(code, FALLBACK)
    return status, _body(status, outcome.error or "", known_as or code)


def answer_outcome(outcome: Outcome) -> JsonResponse:
    status, body = error_of_outcome(outcome)
    # OpenAI's clients repeat every 429 and 5xx of their own accord, unless they are told what it's worth.
    retry = "true" if outcome.retryable else "false"
    return JsonResponse(body, status=status, headers={"x-should-retry": retry})


def answer_fault(fault: Exception) -> JsonResponse:
    """The answer to a request that led to no run; what nobody foresaw is logged."""
    if isinstance(fault, RequestDataTooBig):
        fault = too_large()
    if isinstance(fault, OperationalError | InterfaceError):
        logger.error("the database could not be used", exc_info=fault)
        fault = database_away()
    if not isinstance(fault, Problem):
        logger.error("a request to /v1/ crashed", exc_info=fault)
        fault = Problem("run.crashed", _("Something went wrong on this server. Try again."), status=500)
    status = 400 if fault.status == 422 else fault.status
    status, known_as = STATUS_AND_CODE.get(fault.code, (status, None))
    param, message = next(iter(_faults(fault)), (None, fault.message))
    body = _body(status, message, known_as or fault.code, param)
    never = {"x-should-retry": "false"} if known_as == QUOTA else {}
    return JsonResponse(body, status=status, headers=fault.headers | never)


def _faults(problem: Problem) -> list[tuple[str, str]]:
    """Each field that is at fault, with a message that says everything, since clients show one."""
    told = [f"{path}: {each['message']}" for path, faults in problem.fields.items() for each in faults]
    return [(path, " ".join(told)) for path in problem.fields]


def _body(status: int, message: str, code: str, param: str | None = None) -> dict[str, Any]:
    kind = TYPE_OF_STATUS.get(status, "server_error" if status >= 500 else "invalid_request_error")
    if code == QUOTA:
        kind = code
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}

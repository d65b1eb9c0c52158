"""What a provider's complaint means: one code for each of the many ways to say it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from askweb.providers.errors import ErrorCode

_MESSAGE_FIELDS = ("message", "msg", "error_message", "error_msg", "status_msg", "detail", "reason", "title")
_CODE_FIELDS = ("code", "type", "status", "error_type", "error_code", "status_code")
_SUCCESSES = frozenset(("", "0", "200", "ok", "success", "none", "false"))
_DEEPEST = 4
_LONGEST_MESSAGE = 10_000  # characters; searching megabytes for words would hold everything up

# In the order of precedence. Numbers of four digits are Zhipu's (docs.bigmodel.cn, error codes).
_CODES: dict[ErrorCode, str] = {
    "provider.content_filter": (
        "content_filter content_filtered contentfilter content_policy_violation 1301 "
        "data_inspection_failed datainspectionfailed responsibleaipolicyviolation moderation sensitive "
        "safety prompt_blocked content_filter_error minimax:1026 minimax:1027"
    ),
    "provider.billing": (
        "insufficient_quota 402 1113 insufficient_balance insufficient_credits payment_required "
        "insufficient_funds billing_hard_limit_reached billing_not_active arrearage "
        "credit_balance_too_low exceeded_current_quota_error minimax:1008"
    ),
    "provider.context_too_long": (
        "context_length_exceeded context_window_exceeded model_context_window_exceeded "
        "exceed_context_size_error prompt_too_long 1261 minimax:1039"
    ),
    "provider.model_unknown": (
        "model_not_found model_not_exist modelnotfound model_not_available invalid_model no_such_model "
        "unknown_model deploymentnotfound deployment_not_found resource_not_found_error not_found_error "
        "1211"
    ),
    "provider.auth": (
        "invalid_api_key invalidapikey incorrect_api_key authentication_error "
        "invalid_authentication_error incorrect_api_key_error unauthorized unauthenticated "
        "permission_denied permission_error access_denied accessdenied forbidden 401 403 1000 1001 1002 "
        "1003 1004 1110 1111 1112 1220 minimax:1004 minimax:2049"
    ),
    "provider.rate_limit": (
        "rate_limit_exceeded rate_limit_error rate_limit rate_limited rate_limit_reached_error "
        "too_many_requests resource_exhausted throttling throttled 429 1302 1303 1304 1305 1308 "
        "minimax:1002"
    ),
    "provider.timeout": (
        "timeout timeout_error request_timeout gateway_timeout deadline_exceeded 408 504 524 minimax:1001"
    ),
    "provider.unavailable": (
        "overload overloaded overloaded_error engine_overloaded_error service_unavailable "
        "service_unavailable_error unavailable 1230 1234"
    ),
    "provider.bad_request": (
        "tool_use_failed unsupported_parameter unsupported_value invalid_argument 1210 1212 1213 1214 1215"
    ),
}
_GENERIC_CODES: dict[ErrorCode, str] = {
    "provider.unavailable": ("server_error internal_error internal_server_error internal api_error 500"),
    "provider.bad_request": (
        "invalid_request_error badrequesterror bad_request invalid_parameter invalid_parameter_error "
        "invalidparameter unprocessable_entity 400 422"
    ),
}

_WORDS: dict[ErrorCode, re.Pattern[str]] = {
    "provider.content_filter": re.compile(
        r"content (management )?(filter|policy)|was flagged|moderation|inappropriate content"
        r"|sensitive (content|information|words?)|敏感|违规",
        re.I,
    ),
    "provider.billing": re.compile(
        r"insufficient.{0,20}(balance|quota|credit|fund)"
        r"|(balance|credits?)\b.{0,20}(insufficient|exhausted|used up|too low)"
        r"|out of credits?|not enough (credit|balance)|payment required|余额不足|欠费|充值",
        re.I,
    ),
    "provider.context_too_long": re.compile(
        r"context[ _-]?(length|window|size|limit)|maximum context"
        r"|too many (input |prompt )?tokens|reduce the length"
        r"|(prompt|input|messages|request).{0,40}\b(too long|too large)|exceeds?.{0,20}context"
        r"|(prompt|input).{0,40}exceeds?.{0,40}(tokens|length|limit)|longer than the (model|context)"
        r"|上下文.{0,20}(超|长)|(输入|提示).{0,20}(过长|超)",
        re.I,
    ),
    "provider.model_unknown": re.compile(
        r"(model|deployment)\b.{0,80}\b(not found|not exist|doesn't exist)"
        r"|(unknown|no such) (model|deployment)\b"
        r"|no model (called|named)|invalid model (name|id)|模型不存在",
        re.I | re.S,
    ),
    "provider.auth": re.compile(
        r"(invalid|incorrect|missing|wrong|no|expired)\b.{0,20}\bapi[ _-]?key"
        r"|api[ _-]?key.{0,30}(invalid|not valid|incorrect|missing|expired|required)"
        r"|unauthori[sz]ed|authentication (failed|required|fails)|身份验证",
        re.I,
    ),
    "provider.rate_limit": re.compile(
        r"rate[ -]?limit|too many requests|(requests|tokens) per (minute|day)|速率限制|频率", re.I
    ),
}
_WORDS_OF_SERVER_FAULTS = ("provider.context_too_long", "provider.billing")


@dataclass(frozen=True, slots=True)
class Complaint:
    """A provider's words, and every code it gave with them, in lower case."""

    message: str
    codes: tuple[str, ...]


def is_error(payload: Mapping[str, object]) -> bool:
    """Whether a payload that isn't an ordinary chunk says that something went wrong; `error: null` isn't."""
    if _means_something(payload.get("error")) or payload.get("object") == "error":
        return True
    extension, minimax = payload.get("x_groq"), payload.get("base_resp")
    if isinstance(extension, dict) and _means_something(extension.get("error")):
        return True
    if isinstance(minimax, dict) and _code(minimax.get("status_code")) not in _SUCCESSES:
        return True
    if payload.get("choices"):
        return False
    named = ("errors", "error_type", "error_message", "error_msg", "error_code", "detail")
    return (
        payload.get("type") == "error"
        or any(_means_something(payload.get(name)) for name in named)
        or (_code(payload.get("code")) not in _SUCCESSES and bool(_message(payload)))
    )


def _means_something(error: object) -> bool:
    if isinstance(error, dict):
        return any(error.values())
    if isinstance(error, list):
        return any(error)
    return bool(error) and _code(error) not in _SUCCESSES


def complaint_of(payload: object) -> Complaint:
    """Finds the words and the codes in an error of any shape."""
    layers = list(_layers(payload))
    codes = [code for layer in reversed(layers) for code in _codes_of(layer)]
    messages = [message for layer in reversed(layers) if (message := _message(layer))]
    return Complaint(messages[0][:_LONGEST_MESSAGE] if messages else "", tuple(codes))


def _layers(value: object, depth: int = 0) -> Iterator[object]:
    """The payload and the errors inside it, the innermost last."""
    if isinstance(value, list):
        value = next((item for item in value if _means_something(item)), "")
    yield value
    if not isinstance(value, dict) or depth >= _DEEPEST:
        return
    for name in ("innererror", "base_resp", "x_groq", "errors", "error"):
        if _means_something(value.get(name)):
            yield from _layers(value[name], depth + 1)


def _message(value: object) -> str:
    if not isinstance(value, dict):
        return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    found = (_said(value.get(name)) for name in _MESSAGE_FIELDS)
    message = next((words for words in found if words), "")
    metadata = value.get("metadata")
    upstream = _said(metadata.get("raw")) if isinstance(metadata, dict) else ""  # what OpenRouter was told
    return f"{message}: {upstream}" if upstream and upstream not in message else message


def _said(value: object, depth: int = 0) -> str:
    if isinstance(value, str):
        return value.strip()
    if depth < _DEEPEST and isinstance(value, list):
        return "; ".join(words for item in value[:20] if (words := _said(item, depth + 1)))
    if depth < _DEEPEST and isinstance(value, dict):
        place = value.get("loc")
        where = ".".join(str(step) for step in place[:9]) + ": " if isinstance(place, list) and place else ""
        words = next((words for name in _MESSAGE_FIELDS if (words := _said(value.get(name), depth + 1))), "")
        return where + words if words else ""
    return ""


def _codes_of(value: object) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for name in _CODE_FIELDS:
        code = _code(value.get(name))
        if code not in _SUCCESSES:
            yield f"minimax:{code}" if "status_msg" in value and name == "status_code" else code
    if value.get("contentFilter"):
        yield "contentfilter"


def _code(value: object) -> str:
    if isinstance(value, str | int | float):
        return str(value)[:100].strip().lower()
    return ""


def code_of(complaint: Complaint, status: int | None) -> ErrorCode:
    """The code of a complaint; `status` is the HTTP status, None inside a stream.

    The body goes before the status, since a 429 may mean "no money" and a 500 "too long"; words go before
    the status for the same reason, but only where the provider gave no exact code.
    """
    stated = _stated_status(complaint.codes) or status
    return (
        _by_table(_CODES, [code for code in complaint.codes if not _is_status(code)])
        or _by_words(complaint.message, stated)
        or _by_status(stated, complaint)
        or _by_table(_GENERIC_CODES, complaint.codes)
        or ("provider.unavailable" if stated is None or stated < 300 else "provider.bad_request")
    )


def _by_table(table: Mapping[ErrorCode, str], codes: Iterable[str]) -> ErrorCode | None:
    given = {code.partition(".")[0] for code in codes}
    return next((verdict for verdict, known in table.items() if not given.isdisjoint(known.split())), None)


def _is_status(code: str) -> bool:
    return len(code) == 3 and code.isdecimal() and code[0] in "345"


def _stated_status(codes: tuple[str, ...]) -> int | None:
    return next((int(code) for code in codes if _is_status(code)), None)


def _by_words(message: str, status: int | None) -> ErrorCode | None:
    for verdict, words in _WORDS.items():
        allowed = verdict in _WORDS_OF_SERVER_FAULTS or status is None or status in (400, 403, 404, 413, 422)
        if allowed and status not in (401, 402) and words.search(message):
            return verdict
    return None


def _by_status(status: int | None, complaint: Complaint) -> ErrorCode | None:
    if status is None:
        return None
    if status == 404:
        return (
            "provider.model_unknown" if re.search(r"model|deployment|模型", complaint.message, re.I) else None
        )
    exact = _by_table(_CODES, [str(status)])
    if exact:
        return exact
    if status == 413:
        return "provider.context_too_long"
    if status < 400:
        return "provider.protocol"
    return "provider.unavailable" if status >= 500 else None

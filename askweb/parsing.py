"""Reading a JSON body: strictly, within the limit, and with the place of the fault in the answer."""

import json
import re
from math import isinf
from typing import Any, NoReturn

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from askweb.errors import Problem, too_large

MAX_DEPTH = 100
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """RFC 8259 JSON in UTF-8: no NaN, no Infinity, at most `MAX_DEPTH` levels."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(settings.ASKWEB_BODY_LIMIT + 1)
        if len(body) > settings.ASKWEB_BODY_LIMIT:
            raise too_large()
        return parse_json(body)


def parse_json(body: bytes) -> Any:
    """Return the value; raise a 400 `Problem` that names line and column, both counted from 1."""
    text = _decode(body)
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite, parse_int=_readable)
    except json.JSONDecodeError as error:
        raise _broken(error.msg, error.lineno, error.colno) from error
    except _NotANumber as error:
        raise _broken(_("Not a number that can be kept"), *_place_of(error.token, text)) from error
    except RecursionError as error:
        raise _too_deep() from error
    if _depth_over(value, MAX_DEPTH):
        raise _too_deep()
    return value


def storable(text: str) -> str:
    """Return the text with what databases refuse, NUL and lone surrogates, as U+FFFD."""
    return UNSTORABLE.sub("\ufffd", text)


def storable_json(value: Any) -> tuple[Any, bool]:
    """Return the value with all its text made storable, and whether anything had to change."""
    changed = False

    def clean(part: Any) -> Any:
        nonlocal changed
        if isinstance(part, str):
            text = storable(part)
            changed = changed or text != part
            return text
        if isinstance(part, list):
            return [clean(item) for item in part]
        if isinstance(part, dict):
            return {clean(key): clean(item) for key, item in part.items()}
        return part

    return clean(value), changed


def weight_of(value: object) -> int:
    """How many bytes the texts in a JSON value take in UTF-8."""
    weight, pending = 0, [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            weight += len(part) if part.isascii() else len(part.encode())
        elif isinstance(part, dict | list):
            pending.extend(_children(part))
    return weight


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise _broken("Not UTF-8", line, column) from error


def _broken(what: str, line: int, column: int) -> Problem:
    message = _("The body is not valid JSON. {what}: line {line}, column {column}.")
    return Problem(
        "json.broken",
        message.format(what=what, line=line, column=column),
        status=400,
        data={"line": line, "column": column},
    )


def _too_deep() -> Problem:
    message = _("The body is nested more than {depth} levels deep.").format(depth=MAX_DEPTH)
    return Problem("json.too_deep", message, status=400)


class _NotANumber(Exception):
    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.token = token


def _refuse(token: str) -> NoReturn:
    raise _NotANumber(token)


def _finite(digits: str) -> float:
    number = float(digits)
    return _refuse(digits) if isinf(number) else number


def _readable(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads at most 4,300 digits
        _refuse(digits)


def _place_of(token: str, text: str) -> tuple[int, int]:
    """Line and column of the first such token that is not part of a string."""
    found = re.finditer(rf'"(?:[^"\\]|\\.)*"|{re.escape(token)}', text)
    start = next(match.start() for match in found if text[match.start()] != '"')
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def _depth_over(value: Any, depth: int) -> bool:
    """Whether the value is nested deeper, found level by level, so that depth costs no stack."""
    level = [value]
    for _level in range(depth + 1):
        level = [item for part in level if isinstance(part, dict | list) for item in _children(part)]
        if not level:
            return False
    return True


def _children(part: dict[str, Any] | list[Any]) -> list[Any]:
    return list(part.values()) if isinstance(part, dict) else part

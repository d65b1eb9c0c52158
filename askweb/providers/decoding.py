"""JSON as providers really send it, and text that every database and browser accepts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import isinf

import orjson

_LENIENT = json.JSONDecoder(strict=False, parse_constant=lambda _: None)  # NaN and Infinity are no JSON
_MOST_VALUES = 1000  # in one payload
_BLANK = re.compile(r"[ \t\r\n]*")
_UNFIT = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The JSON values at the start of a payload. `rest` could not be read; `replaced` counts bad UTF-8."""

    values: list[object]
    rest: str
    replaced: int


def decode(raw: bytes) -> Decoded:
    """Reads all JSON values in `raw`, one after another. Never raises."""
    try:
        return Decoded([orjson.loads(raw)], "", 0)
    except orjson.JSONDecodeError:
        # orjson refuses lone surrogate escapes, bad UTF-8, raw control characters and a second value.
        text = raw.decode("utf-8", "replace")
    values, rest = scan(text)
    return Decoded(values, rest, text.count("\ufffd") - raw.count("\ufffd".encode()))


def scan(text: str) -> tuple[list[object], str]:
    """The JSON values at the start of `text`, and the text that is left from the first fault on."""
    values: list[object] = []
    at = _past_blank(text, 0)
    while at < len(text) and len(values) < _MOST_VALUES:
        try:
            value, at = _LENIENT.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
        at = _past_blank(text, at)
    return values, text[at:]


def _past_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def mend(text: str) -> str:
    """`text` with surrogate pairs joined, and NUL and lone surrogates replaced by U+FFFD."""
    if _UNFIT.search(text) is None:
        return text
    units = text.replace("\x00", "\ufffd").encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace")


def mend_all(value: object) -> object:
    """`value` (parsed JSON) with every text in it mended, and without numbers too large for a float.

    Raises RecursionError on absurd nesting.
    """
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [mend_all(item) for item in value]
    if isinstance(value, dict):
        return {mend(key): mend_all(item) for key, item in value.items()}
    return None if isinstance(value, float) and isinf(value) else value


class PairJoiner:
    """Mends text that comes in pieces, where one piece may end with half of a surrogate pair."""

    __slots__ = ("_half",)

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        if self._half:
            text, self._half = self._half + text, ""
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return mend(text)

    def flush(self) -> str:
        """What was held back, at a proper finish: a lone half is U+FFFD."""
        half, self._half = self._half, ""
        return mend(half)

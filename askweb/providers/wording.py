"""The words of an error: the provider's own, without keys, short enough to show."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from askweb.providers.decoding import decode, mend
from askweb.providers.errors import ErrorCode, ProviderError
from askweb.providers.framing import Framer
from askweb.providers.verdicts import code_of, complaint_of

MAX_MESSAGE = 2048  # bytes of UTF-8
_LONGEST_PAGE = 100_000  # bytes
_LONGEST_MESSAGE = 10_000  # characters
_SHORTEST_SECRET = 4

_HIDDEN = re.compile(r"<(script|style)\b.*?(</\1\s*>|$)|<!--.*?(-->|$)", re.I | re.S)
_TAG = re.compile(r"<[a-z/!][^<>]*>?", re.I)
_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|nvapi|fw)[-_][A-Za-z0-9_\-.*]{8,}"  # what OpenAI's, Groq's … keys begin with
    r"|\bAIza[A-Za-z0-9_\-]{20,}"  # Google
    r"|\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b"  # Zhipu
    r"|(?<=\bBearer )[^\s\"',;]{8,}"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """Makes errors whose message shows none of `secrets`, nor anything else that looks like a key."""

    secrets: Sequence[str] = ()

    def of_payload(self, payload: object) -> ProviderError:
        """The error that a stream, or a 200 with a JSON body, told of."""
        complaint = complaint_of(payload)
        return self.error(code_of(complaint, None), complaint.message or "The provider reported an error.")

    def of_response(self, status: int, body: bytes, headers: Mapping[str, str], now: float) -> ProviderError:
        """What an HTTP error means. `headers` by lower-case name, `now` in epoch seconds."""
        payload = _payload_of(body)
        complaint = complaint_of(payload)
        message = complaint.message or readable(body) or _phrase(status)
        return self.error(
            code_of(complaint, status), message, status=status, retry_after=_retry_after(headers, now)
        )

    def error(
        self, code: ErrorCode, message: str, *, status: int | None = None, retry_after: float | None = None
    ) -> ProviderError:
        return ProviderError(code, self._safe(message), status=status, retry_after=retry_after)

    def _safe(self, message: str) -> str:
        message = mend(message[:_LONGEST_MESSAGE])
        for secret in sorted(self.secrets, key=len, reverse=True):
            if len(secret) >= _SHORTEST_SECRET:
                message = message.replace(secret, "[key]")
        return _capped(_KEY.sub("[key]", message))


def readable(body: bytes) -> str:
    """The text of a body that isn't JSON, without its tags."""
    text = body[:_LONGEST_PAGE].decode("utf-8", "replace").removeprefix("\ufeff")
    if "<" in text:
        text = html.unescape(_TAG.sub(" ", _HIDDEN.sub(" ", text)))
    return " ".join(text.split())


def _payload_of(body: bytes) -> object:
    if body.lstrip()[:6].startswith((b"data:", b"event:", b"error:")):
        framer = Framer(len(body))
        frames = framer.feed(body) + framer.end()
        return next((frame.value for frame in frames if frame.value is not None), "")
    decoded = decode(body.removeprefix(b"\xef\xbb\xbf"))
    return decoded.values[0] if decoded.values and not decoded.rest else readable(body)


def _phrase(status: int) -> str:
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP {status}"


def _retry_after(headers: Mapping[str, str], now: float) -> float | None:
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    return seconds if seconds is not None or not value else _until(value, now)


def _number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"\s*[0-9]{1,9}(\.[0-9]{1,9})?\s*", value) else None


def _until(date: str, now: float) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _capped(message: str) -> str:
    data = message.encode()
    if len(data) <= MAX_MESSAGE:
        return message
    return data[: MAX_MESSAGE - len("…".encode())].decode("utf-8", "ignore") + "…"

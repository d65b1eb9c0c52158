"""The one error that every fault of a provider becomes."""

from __future__ import annotations

from typing import Literal

ErrorCode = Literal[
    "provider.auth",
    "provider.billing",
    "provider.rate_limit",
    "provider.context_too_long",
    "provider.content_filter",
    "provider.unavailable",
    "provider.timeout",
    "provider.protocol",
    "provider.model_unknown",
    "provider.bad_request",
    "provider.address_refused",
]

RETRYABLE: frozenset[ErrorCode] = frozenset(
    ("provider.rate_limit", "provider.unavailable", "provider.timeout")
)


class ProviderError(Exception):
    """A provider refused, failed, or sent something that is no answer.

    `message` is the provider's own words, keys removed, at most 2 KB of UTF-8. `retryable` says what kind of
    error it is; whether to try again (never after the first delta) is for the run to decide. `status` is the
    HTTP status, None for a fault inside a stream. `retry_after` is in seconds, None when not said.
    """

    def __init__(
        self, code: ErrorCode, message: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code: ErrorCode = code
        self.retryable = code in RETRYABLE
        self.message = message
        self.status = status
        self.retry_after = retry_after

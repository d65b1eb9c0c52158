"""What OpenAI's own client for browsers sends besides what a request needs; a preflight asks for each by its name."""

from typing import Final

OPENAI_HEADERS: Final = (
    "idempotency-key",
    "openai-organization",
    "openai-project",
    "x-stainless-arch",
    "x-stainless-helper-method",
    "x-stainless-lang",
    "x-stainless-os",
    "x-stainless-package-version",
    "x-stainless-retry-count",
    "x-stainless-runtime",
    "x-stainless-runtime-version",
    "x-stainless-timeout",
)

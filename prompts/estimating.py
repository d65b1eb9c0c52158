"""Estimates of tokens, on the safe side: no tokenizer is shipped, and every provider has its own."""

from collections.abc import Mapping
from typing import Any

WIDE = 0x2E80
"""From here on scripts take about a token a character (CJK, kana, Hangul, emoji)."""


def estimate_content(content: str | list[Any] | None) -> int:
    """The tokens of a message's content; of parts, only texts are counted."""
    if isinstance(content, list):
        return sum(estimate_tokens(text) for part in content if (text := _text_of(part)))
    return estimate_tokens(content or "")


def _text_of(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def estimate_tokens(text: str) -> int:
    """About 3 bytes a token for Latin text, one token for a wide character, and 4 for the frame."""
    if text.isascii():
        return len(text) // 3 + 4
    wide = sum(1 for character in text if ord(character) >= WIDE)
    narrow = len(text.encode("utf-8", "surrogatepass")) - 3 * wide
    return wide + max(narrow, 0) // 3 + 4

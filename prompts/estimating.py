"""Estimates of tokens, on the safe side: no tokenizer is shipped, and every provider has its own."""

from collections.abc import Mapping
from string import punctuation
from typing import Any

WIDE = "\u2e80"
"""From here on scripts take about a token a character (CJK, kana, Hangul)."""
BASIC = "\uffff"
"""Beyond are emoji, and rare characters that no tokenizer knows as one."""
FRAME = 4
"""What a message takes besides its text."""


def estimate_content(content: str | list[Any] | None) -> int:
    """The tokens of a message's content; of parts, only texts are counted."""
    if isinstance(content, list):
        return sum(estimate_tokens(text) for part in content if (text := _text_of(part)))
    return estimate_tokens(content or "")


def _text_of(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def estimate_tokens(text: str) -> int:
    """The tokens of a text, rather too many than too few.

    A wide character is one, an emoji two. Of the rest, 3 bytes are one, but code and other text full of
    signs has at least one for each word and each sign.
    """
    if text.isascii():
        return max(len(text) // 3, _words_and_signs(text)) + FRAME
    wide = sum(1 for character in text if character >= WIDE)
    beyond = sum(1 for character in text if character > BASIC)
    narrow = len(text.encode("utf-8", "surrogatepass")) - 3 * wide - beyond
    return wide + beyond + max(narrow // 3, _words_and_signs(text)) + FRAME


def _words_and_signs(text: str) -> int:
    return len(text.split()) + sum(text.count(sign) for sign in punctuation)

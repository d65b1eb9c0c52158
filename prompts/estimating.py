"""Estimates of tokens, on the safe side: no tokenizer is shipped, and every provider has its own."""

WIDE = 0x2E80
"""From here on scripts take about a token a character (CJK, kana, Hangul, emoji)."""


def estimate_tokens(text: str) -> int:
    """About 3 bytes a token for Latin text, one token for a wide character, and 4 for the frame."""
    if text.isascii():
        return len(text) // 3 + 4
    wide = sum(1 for character in text if ord(character) >= WIDE)
    narrow = len(text.encode("utf-8", "surrogatepass")) - 3 * wide
    return wide + max(narrow, 0) // 3 + 4

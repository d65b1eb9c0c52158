"""Estimates of tokens, on the safe side: no tokenizer is shipped, and every provider has its own."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from string import ascii_letters, digits, punctuation
from typing import Any

LETTERS, DIGITS, SIGNS = ascii_letters.encode(), digits.encode(), punctuation.encode()
ASCII, CONTINUING = bytes(range(0x80)), bytes(range(0x80, 0xC0))
WIDE, BEYOND = bytes(range(0xE3, 0x100)), bytes(range(0xF0, 0x100))
"""What begins a character in UTF-8. Wide are scripts that take about a token a character (CJK, kana, Hangul), and
what is beyond: emoji, and rare characters that no tokenizer knows as one.
"""
RADICALS = re.compile(rb"\xe2[\xba-\xbf]")
"""The first of the wide ones, from U+2E80 on."""
UNBROKEN = bytes(ord("x") if byte in LETTERS + DIGITS + b"+/=_-" else ord(" ") for byte in range(256))
KEY = b"x" * 25
"""Keys, hashes, encoded files: no word in them that a tokenizer could know."""
FRAME = 4
"""What a message takes besides its text."""
BLOCK = 2048
REMEMBERED = range(4 * BLOCK, 128 * BLOCK)
"""Lengths of texts whose size is kept for a while: worth it, and not so long that they fill the memory."""


@dataclass(frozen=True)
class Size:
    """Tokens as they are estimated before anything is known of the model, those of wide scripts apart:
    in which of the two a tokenizer is wasteful differs most.
    """

    wide: int = 0
    narrow: int = 0

    @property
    def total(self) -> int:
        return self.wide + self.narrow

    def __add__(self, other: "Size") -> "Size":
        return Size(self.wide + other.wide, self.narrow + other.narrow)


@dataclass(frozen=True)
class Estimator:
    """Estimates for one model: by how much its own counts have differed, for each kind of script."""

    wide: float = 1.0
    narrow: float = 1.0

    def of(self, size: Size) -> int:
        return ceil(size.wide * self.wide + size.narrow * self.narrow)

    def tokens(self, text: str) -> int:
        return self.of(measure(text))

    def of_messages(self, messages: Iterable[Mapping[str, Any]]) -> int:
        return self.of(measure_messages(messages))

    def head(self, text: str, tokens: float) -> int:
        """How many characters from the beginning fit in so many tokens. Linear in what fits."""
        left = tokens
        for start in range(0, len(text), BLOCK):
            block = text[start : start + BLOCK]
            cost = self._cost(block)
            if cost > left:
                return start + self._most(left, [block[:end] for end in range(0, len(block) + 1, 16)])
            left -= cost
        return len(text)

    def tail(self, text: str, tokens: float) -> int:
        """How many characters from the end fit."""
        left = tokens
        for end in range(len(text), 0, -BLOCK):
            block = text[max(0, end - BLOCK) : end]
            cost = self._cost(block)
            if cost > left:
                ends = [block[len(block) - count :] for count in range(0, len(block) + 1, 16)]
                return len(text) - end + self._most(left, ends)
            left -= cost
        return len(text)

    def _cost(self, text: str) -> float:
        size = measure(text)
        return size.wide * self.wide + size.narrow * self.narrow

    def _most(self, tokens: float, growing: list[str]) -> int:
        found = bisect_right(growing, tokens, key=self._cost) - 1
        return len(growing[found]) if found >= 0 else 0


def measure(text: str) -> Size:
    """The size of a text, rather too large than too small.

    A wide character is one token, an emoji two. Other characters beyond ASCII are one for every two bytes.
    Of ASCII three characters are one; but each digit is one, and code and other text full of signs has at
    least one for each word and each sign.
    """
    return _remembered(text) if len(text) in REMEMBERED else _measured(text)


@lru_cache(maxsize=32)
def _remembered(text: str) -> Size:
    """Assembling asks for a page's size again and again: as it came, in its fence, in the whole turn."""
    return _measured(text)


def _measured(text: str) -> Size:
    """In UTF-8, for what counts in bytes is quick. Each step looks only at what the one before it left."""
    encoded = text.encode("utf-8", "surrogatepass")
    others = encoded.translate(None, LETTERS)
    numerals, others = _counted(others, DIGITS)
    signs, others = _counted(others, SIGNS)
    blanks, foreign = _counted(others, ASCII)
    beginnings = foreign.translate(None, CONTINUING)
    unbroken = _unbroken(encoded)
    letters = ceil(max(len(text) - len(beginnings) - numerals - unbroken, 0) / 3)
    if signs + blanks + len(beginnings) >= letters:  # else there is too little between words for that many
        letters = max(letters, signs + len(text.split()))
    codes = max(numerals, ceil(unbroken * 0.95))
    wide = _counted(beginnings, WIDE)[0] + len(RADICALS.findall(foreign))
    beyond = _counted(beginnings, BEYOND)[0]
    accented = ceil((len(foreign) - 3 * wide - beyond) / 2)
    return Size(wide + beyond, accented + letters + codes)


def measure_messages(messages: Iterable[Mapping[str, Any]]) -> Size:
    size = Size()
    for message in messages:
        size += measure_content(message.get("content")) + Size(narrow=FRAME)
        if calls := message.get("tool_calls"):
            size += measure(json.dumps(calls, ensure_ascii=False, default=str))
    return size


def measure_content(content: str | list[Any] | None) -> Size:
    """The size of a message's content; of parts, only texts are counted."""
    texts = [_text_of(part) for part in content] if isinstance(content, list) else [content or ""]
    return sum((measure(text) for text in texts), Size())


def estimate_tokens(text: str) -> int:
    """The tokens of a message with this text, for a model of which nothing is known."""
    return measure(text).total + FRAME


def _counted(text: bytes, some: bytes) -> tuple[int, bytes]:
    """How many of these bytes there are, and the text without them."""
    left = text.translate(None, some)
    return len(text) - len(left), left


def _unbroken(encoded: bytes) -> int:
    """How many characters are in runs that are too long for words."""
    runs = encoded.translate(UNBROKEN) + b" "
    count, start = 0, runs.find(KEY)
    while start >= 0:
        end = runs.find(b" ", start)
        count += end - start
        start = runs.find(KEY, end)
    return count


def _text_of(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""

"""Text as the tokens that search compares: the same for what is stored and for what is typed.

Words are folded: width, case and the accents of Latin, Greek and Cyrillic letters don't matter. Scripts that
write words without spaces between them become grams, every three neighbouring characters, and fewer at the
end of a run. So a piece of one or two characters is found as the beginning of a gram, and a longer one by the
grams it is made of.

A token holds letters, digits and marks only, so it means nothing in the query language of any database.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

GRAM = 3
WORD_LENGTH = 64
"""A longer word is known by its beginning; it is data and not a word."""

# Thai, Lao, Myanmar, Khmer, kana, Chinese characters, Hangul (where endings are written onto the words)
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
MARKS = "".join(
    char
    for char in map(chr, chain(range(0x300, 0x1E00), range(0xA800, 0xAC00)))
    if unicodedata.category(char).startswith("M")
)
PLAIN = re.compile("[a-z0-9]+")
RUN = re.compile(f"(?:[^\\W_]|[{MARKS}])+")
UNSPACED_RUN = re.compile(f"([{UNSPACED}]+)")
ACCENTS = re.compile("[\u0300-\u036f]+")
WITHOUT_PARTS = str.maketrans("đøłı", "doli")
"""Letters that people type as their plain look-alikes, though Unicode takes them for wholes."""


@dataclass(frozen=True)
class Run:
    """Characters that belong together: a word, or a stretch of a script without spaces."""

    text: str
    is_unspaced: bool

    def tokens(self) -> list[str]:
        """What is stored for it."""
        if not self.is_unspaced:
            return [self.text[:WORD_LENGTH]]
        return [self.text[at : at + GRAM] for at in range(len(self.text))]

    def whole_grams(self) -> list[str]:
        """What it is found by where its end need not be an end in the text that is searched."""
        last = max(len(self.text) - GRAM, 0)
        return [self.text[at : at + GRAM] for at in range(last + 1)]


def tokens_of(text: str) -> list[str]:
    """Return the text's tokens in their order."""
    folded = fold(text)
    if folded.isascii():
        return [word[:WORD_LENGTH] for word in PLAIN.findall(folded)]
    return [token for run in _runs(folded) for token in run.tokens()]


def runs_of(text: str) -> list[Run]:
    return list(_runs(fold(text)))


def fold(text: str) -> str:
    """Return the text without the differences that search ignores; its length may change."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold()
    bare = ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).translate(WITHOUT_PARTS)


def _runs(folded: str) -> Iterator[Run]:
    for found in RUN.findall(folded):
        if found.isascii():
            yield Run(found, is_unspaced=False)
        else:
            # split by a group: every second piece is what the group matched
            for number, piece in enumerate(UNSPACED_RUN.split(found)):
                if piece:
                    yield Run(piece, is_unspaced=number % 2 == 1)

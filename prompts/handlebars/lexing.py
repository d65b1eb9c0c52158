"""The words inside one tag, read by the rules of Handlebars 4.7."""

from __future__ import annotations

import re
from typing import NamedTuple

from prompts.handlebars.errors import ProblemError

# JavaScript's \s, which is what Handlebars means by white space.
SPACES = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_NOT_IN_NAME = SPACES + "!\"#%&'()*+,./;<=>@[\\]^`{|}~"
_AFTER_NAME = f"(?=[=~}}{SPACES}/.)|])"
_AFTER_LITERAL = f"(?=[~}}{SPACES})])"
# Each alternative starts differently or fails at once, and no repeat is nested: the reading is linear.
_WORD = re.compile(
    rf"""
    (?P<space>[{SPACES}]+)
    | (?P<close_raw>\}}\}}\}}\}})
    | (?P<close_triple>\}}~?\}}\}})
    | (?P<close>~?\}}\}})
    | (?P<mark>[()=@])
    | (?P<dots>\.\.)
    | (?P<dot>\.{_AFTER_NAME})
    | (?P<separator>[/.])
    | (?P<string>"(?:\\"|[^"])*"|'(?:\\'|[^'])*')
    | (?P<word>(?:true|false|null|undefined){_AFTER_LITERAL})
    | (?P<number>-?[0-9]+(?:\.[0-9]+)?{_AFTER_LITERAL})
    | (?P<names>as[{SPACES}]+\|)
    | (?P<bar>\|)
    | (?P<name>[^{re.escape(_NOT_IN_NAME)}]+{_AFTER_NAME})
    | (?P<segment>\[(?:\\\]|[^\]])*\])
    """.replace(SPACES, re.escape(SPACES)),
    re.VERBOSE,
)
CLOSES = {"close", "close_triple", "close_raw"}


class Word(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def words_of_tag(text: str, start: int) -> list[Word]:
    """The words from `start` up to and with the tag's closing braces, white space left out.

    Raises ProblemError for what cannot stand in a tag, and for a tag that never ends.
    """
    words: list[Word] = []
    position = start
    while position < len(text):
        match = _WORD.match(text, position)
        if match is None:
            raise _stranger(text, position)
        kind = str(match.lastgroup)
        position = match.end()
        if kind != "space":
            words.append(Word(kind, match.group(), match.start(), position))
        if kind in CLOSES:
            return words
    raise ProblemError("unclosed-tag", "This tag is never closed", "add the closing braces `}}`", len(text))


def _stranger(text: str, position: int) -> ProblemError:
    character = text[position]
    if text.startswith("{{", position):
        return ProblemError(
            "unclosed-tag",
            "A new tag begins before this one is closed",
            "add the closing braces `}}`",
            position,
        )
    if character in "\"'":
        return ProblemError(
            "unclosed-string", "This string is never closed", f"add the closing {character}", position
        )
    if character == "[":
        return ProblemError("unclosed-string", "This `[` is never closed", "add the closing `]`", position)
    rest = re.compile(rf"[^{re.escape(_NOT_IN_NAME)}]*").match(text, position)
    culprit = text[rest.end()] if rest and rest.end() < len(text) else ""
    if not culprit:
        return ProblemError(
            "unclosed-tag", "This tag is never closed", "add the closing braces `}}`", position
        )
    return ProblemError(
        "unexpected-character",
        f"`{culprit}` cannot stand here",
        "a name with special characters is written in brackets: `[like this]`",
        rest.end() if rest else position,
    )

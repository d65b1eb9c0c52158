"""Where TeX begins and ends in running text. Dollars are mostly money; the rules below keep it so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askweb.markdown.ahead import Ahead

WORDLIKE = re.compile(r"[A-Za-z0-9]")
DOLLARS = re.compile(r"\$+")
NEXT_DOLLAR = re.compile(r"(?<!\\)\$+")
NEXT_DISPLAY = re.compile(r"(?<![\\$])\$\$(?!\$)")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
CURRENCY = re.compile(r"[^A-Za-z0-9][A-Z][A-Za-z]{0,2}$")
AMOUNT = re.compile(r"[ \u00a0\u202f]?[0-9]")
MATH_SIGN = re.compile(r"[\\^_={}+*<>|]")
CLOSING = {"(": ")", "[": "]"}


@dataclass(frozen=True)
class Math:
    tex: str
    display: bool
    end: int


def dollar_math_at(ahead: Ahead, start: int) -> Math | None:
    """The math whose dollars begin at `start`.

    `$` opens neither after an ASCII letter, digit or backslash nor before a space; the very next one must close,
    neither after a space nor before a letter, digit or dollar: "R$ 12 and R$ 15" and "$5 and $10" are money.
    Nor does the dollar of another currency close, with its amount behind it: "$5 or R$ 12".
    """
    signs = DOLLARS.match(ahead.text, start)
    if not signs or _is_wordlike(ahead.text, start - 1):
        return None
    if len(signs[0]) == 2:
        return _display(ahead, signs.end())
    return _inline(ahead, signs.end()) if len(signs[0]) == 1 else None


def bracket_math_at(text: str, start: int) -> Math | None:
    r"""The `\(…\)` or `\[…\]` that begins at `start`. `\[text\](address)` is an escaped link."""
    opener = text[start + 1]
    closer = CLOSING[opener]
    for escape in ESCAPE.finditer(text, start + 2):
        if escape[1] == opener:
            return None
        if escape[1] == closer:
            tex, end = text[start + 2 : escape.start()], escape.end()
            is_link = opener == "[" and text[end : end + 1] == "("
            return None if is_link or "`" in tex else _math(tex, end, display=opener == "[")
    return None


def _display(ahead: Ahead, start: int) -> Math | None:
    closer = ahead.search(NEXT_DISPLAY, start)
    return _math(ahead.text[start : closer.start()], closer.end(), display=True) if closer else None


def _inline(ahead: Ahead, start: int) -> Math | None:
    text = ahead.text
    closer = ahead.search(NEXT_DOLLAR, start)
    if text[start : start + 1].isspace() or not closer or len(closer[0]) > 1:
        return None
    tex = text[start : closer.start()]
    if tex[-1:].isspace() or "`" in tex or _is_wordlike(text, closer.end()):
        return None
    if AMOUNT.match(text, closer.end()) and _ends_in_currency(tex):
        return None
    return _math(tex, closer.end(), display=False)


def _math(tex: str, end: int, *, display: bool) -> Math | None:
    return Math(tex.strip(), display, end) if tex.strip() else None


def _ends_in_currency(tex: str) -> bool:
    """Whether its last word may be what stands before the dollar of "R$ 12" or "US$ 5", and none of it is TeX."""
    return CURRENCY.search(tex[-4:]) is not None and not MATH_SIGN.search(tex)


def _is_wordlike(text: str, position: int) -> bool:
    return 0 <= position < len(text) and WORDLIKE.match(text, position) is not None

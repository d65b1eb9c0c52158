"""Where a text may be cut without parting what a reader sees as one character (Unicode UAX #29).

The standard library knows general categories only, so the few properties that they don't give are listed here.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal

Kind = Literal[
    "other",
    "cr",
    "lf",
    "control",
    "extend",
    "zwj",
    "zwnj",
    "spacing",
    "prepend",
    "ri",
    "picture",
    "consonant",
]
Break = Kind | Literal["linker", "L", "V", "T", "LV", "LVT"]


def _points(ranges: str) -> tuple[int, ...]:
    """Flat, sorted pairs of first and one-past-last from "a9 203c 2194-2199"."""
    pairs = (part.split("-") for part in ranges.split())
    return tuple(edge for pair in pairs for edge in (int(pair[0], 16), int(pair[-1], 16) + 1))


EXTENDERS = _points(
    "9be 9d7 b3e b57 bbe bd7 cc0 cc2 cc7-cc8 cca-ccb cd5-cd6 d3e d57 dcf ddf 1715 1734 1b35 1b3b 1b3d 1b43-1b44 "
    "1baa 1bf2-1bf3 302e-302f a953 a9c0 ff9e-ff9f 111c0 11235 1133e 1134d 11357 114b0 114bd 115af 116b6 "
    "11930 1193d 1d165-1d166 1d16d-1d172 1f3fb-1f3ff e0020-e007f"
)
NOT_SPACING = _points(
    "102b-102c 1038 1062-1064 1067-106d 1083 1087-108c 108f 109a-109c 1a61 1a63-1a64 aa7b aa7d 11720-11721"
)
SPACING = _points("e33 eb3")
PREPENDED = _points(
    "600-605 6dd 70f 890-891 8e2 d4e 110bd 110cd 111c2-111c3 1193f 11941 11a84-11a89 11d46 11f02"
)
PICTURES = _points(
    "a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 2388 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab "
    "25b6 25c0 25fb-25fe 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714 2716 271d 2721 2728 2733-2734 "
    "2744 2747 274c 274e 2753-2755 2757 2763-2767 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 "
    "2b55 3030 303d 3297 3299 1f000-1f0ff 1f10d-1f10f 1f12f 1f16c-1f171 1f17e-1f17f 1f18e 1f191-1f19a "
    "1f1ad-1f1e5 1f201-1f20f 1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f3fa 1f400-1f53d 1f546-1f64f "
    "1f680-1f6ff 1f774-1f77f 1f7d5-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8ff "
    "1f90c-1f93a 1f93c-1f945 1f947-1faff 1fc00-1fffd"
)
CONSONANTS = _points(
    "915-939 958-95f 978-97f 995-9a8 9aa-9b0 9b2 9b6-9b9 9dc-9dd 9df 9f0-9f1 a95-aa8 aaa-ab0 ab2-ab3 ab5-ab9 "
    "af9 b15-b28 b2a-b30 b32-b33 b35-b39 b5c-b5d b5f b71 c15-c28 c2a-c39 c58-c5a d15-d3a"
)
LINKERS = _points("94d 9cd acd b4d c4d d4d")
LISTED: tuple[tuple[Break, tuple[int, ...]], ...] = (
    ("linker", LINKERS),
    ("extend", EXTENDERS),
    ("zwj", _points("200d")),
    ("zwnj", _points("200c")),
    ("prepend", PREPENDED),
    ("spacing", SPACING),
    ("ri", _points("1f1e6-1f1ff")),
    ("picture", PICTURES),
    ("consonant", CONSONANTS),
    ("cr", _points("d")),
    ("lf", _points("a")),
    ("L", _points("1100-115f a960-a97c")),
    ("V", _points("1160-11a7 d7b0-d7c6")),
    ("T", _points("11a8-11ff d7cb-d7fb")),
)
EXTENDING = frozenset(("extend", "linker", "zwj", "zwnj"))
BREAKING = frozenset(("control", "cr", "lf"))
HANGUL = {
    ("L", "L"), ("L", "V"), ("L", "LV"), ("L", "LVT"),
    ("LV", "V"), ("V", "V"), ("LV", "T"), ("V", "T"), ("LVT", "T"), ("T", "T"),
}  # fmt: skip


def cut(text: str, limit: int) -> str:
    """At most `limit` code points, ending between graphemes; a first grapheme longer than that stays whole."""
    if len(text) <= limit:
        return text
    end = 0
    for boundary in boundaries(text):
        if boundary > limit:
            return text[: end or boundary]
        end = boundary
    return text[:end]


def boundaries(text: str) -> Iterator[int]:
    """The offsets at which graphemes end, in order, the end of the text included."""
    follower = _Follower()
    for at, (left, right) in enumerate(pairwise(text), 1):
        follower.pass_by(_kind(left))
        if not follower.joins(_kind(right)):
            yield at
    if text:
        yield len(text)


class _Follower:
    """What must be known of the text so far: the last character's kind, and what it may be a part of."""

    def __init__(self) -> None:
        self._last: Break = "control"
        self._flags = 0
        self._picture = False
        self._conjunct: Literal["", "open", "linked"] = ""

    def pass_by(self, kind: Break) -> None:
        self._flags = self._flags + 1 if kind == "ri" else 0
        if kind not in EXTENDING:
            self._picture = kind == "picture"
            self._conjunct = "open" if kind == "consonant" else ""
        elif self._last == "zwj":
            self._picture = False
        if kind == "zwnj":
            self._conjunct = ""
        elif kind == "linker" and self._conjunct:
            self._conjunct = "linked"
        self._last = kind

    def joins(self, kind: Break) -> bool:
        if self._last in BREAKING or kind in BREAKING:
            return (self._last, kind) == ("cr", "lf")
        return (
            kind in EXTENDING
            or kind == "spacing"
            or self._last == "prepend"
            or (self._last, kind) in HANGUL
            or self._joins_sequence(kind)
        )

    def _joins_sequence(self, kind: Break) -> bool:
        if kind == "picture":
            return self._picture and self._last == "zwj"
        if kind == "ri":
            return self._flags % 2 == 1
        return kind == "consonant" and self._conjunct == "linked"


@lru_cache(maxsize=4096)
def _kind(character: str) -> Break:
    point = ord(character)
    if 0xAC00 <= point <= 0xD7A3:
        return "LVT" if (point - 0xAC00) % 28 else "LV"
    for kind, points in LISTED:
        if bisect_right(points, point) % 2:
            return kind
    return _kind_by_category(point, unicodedata.category(character))


def _kind_by_category(point: int, category: str) -> Break:
    if category in ("Mn", "Me"):
        return "extend"
    if category == "Mc":
        return "other" if bisect_right(NOT_SPACING, point) % 2 else "spacing"
    return "control" if category in ("Cc", "Cf", "Cs", "Zl", "Zp") else "other"

"""What runs over line ends and blank lines inside a paragraph: display math and comments."""

from __future__ import annotations

import re

COMMENT = "<!--"
CLOSERS = {"$$": "$$", "\\[": "\\]", COMMENT: "-->"}
DETAILS = "<details>"
EVERY_SPAN = frozenset((*CLOSERS, DETAILS))
CODE = re.compile(r"(`+)[^`]+\1")


def opened_by(line: str, may_open: frozenset[str]) -> str:
    """The opener of a span that a paragraph's line leaves open, or nothing."""
    for opener in ("$$", "\\["):
        if line.startswith(opener) and opener in may_open and CLOSERS[opener] not in line[2:]:
            return opener
    if COMMENT not in line or COMMENT not in may_open:
        return ""
    bare = CODE.sub("", line)
    return COMMENT if bare.rfind(COMMENT) > bare.rfind(CLOSERS[COMMENT]) else ""

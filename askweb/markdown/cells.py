"""A table's lines as cells."""

from __future__ import annotations

import re
from typing import Literal

Alignment = Literal["", "left", "center", "right"]

DELIMITER = re.compile(r"(:?)-+(:?)")
BAR = re.compile(r"\\\||\|")
DOLLARS = r"(?<![A-Za-z0-9\\$])\$(?![ $])[^$`]+(?<![ \\])\$(?![A-Za-z0-9$])"
BRACKETS = r"\\\((?:[^\\`]|\\[^()`])*\\\)"
PIECE = re.compile(rf"\\\||`+|{DOLLARS}|{BRACKETS}|\|")
"""Code or math may hold bars, as `$|x|$` does."""
ALIGNMENTS: dict[tuple[bool, bool], Alignment] = {
    (False, False): "",
    (True, False): "left",
    (True, True): "center",
    (False, True): "right",
}


def alignments_of(line: str) -> list[Alignment] | None:
    """What a delimiter row says of each column; None if the line is no delimiter row."""
    if "|" not in line or line.strip("|:- \t"):
        return None
    found = [DELIMITER.fullmatch(cell) for cell in _split(line)]
    columns = [ALIGNMENTS[bool(one[1]), bool(one[2])] for one in found if one]
    return columns if len(columns) == len(found) else None


def cells_of(line: str, columns: int) -> list[str]:
    """The cells of a row, at most `columns`. Bars in code and math part cells only where the row isn't too long."""
    cells = _split(line)
    if len(cells) > columns:
        cells = _split(line, keep_spans=True)
    if len(cells) > columns:
        cells = [*cells[: columns - 1], " | ".join(cells[columns - 1 :])]
    return cells


def _split(line: str, *, keep_spans: bool = False) -> list[str]:
    text = line.strip(" \t").removeprefix("|")
    cells, start = [], 0
    ticks = ""
    for piece in (PIECE if keep_spans else BAR).finditer(text):
        if piece[0][0] == "`":
            ticks = "" if ticks == piece[0] else ticks or piece[0]
        elif piece[0] == "|" and not ticks:
            cells.append(text[start : piece.start()])
            start = piece.end()
    if start < len(text) or not cells:
        cells.append(text[start:])
    return [cell.strip(" \t").replace("\\|", "|") for cell in cells]

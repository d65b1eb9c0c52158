"""Looking for what closes something, in a text that may be full of openers and have no closer."""

from __future__ import annotations

import re


class Ahead:
    """Remembers for each pattern what it found last, so that all searches together read the text once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[re.Pattern[str], re.Match[str] | None] = {}

    def search(self, pattern: re.Pattern[str], start: int) -> re.Match[str] | None:
        """The first match at `start` or after it. Starts must not go back."""
        known = self._found.get(pattern)
        if pattern in self._found and (known is None or known.start() >= start):
            return known
        found = self._found[pattern] = pattern.search(self.text, start)
        return found

"""Text in a Markdown file that is nothing but text."""

import re

SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$&])")


def inline(text: str) -> str:
    """In one line, and nothing but text to whatever reads Markdown."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))

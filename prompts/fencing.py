"""Walls around page text: tags and code fences that the text inside can't close."""

import re

from prompts.handlebars.budget import Budget
from prompts.handlebars.library import fence as fence_helper

BACKTICKS = re.compile(r"`{3,}")
LANGUAGE = re.compile(r"[\w+#.-]+")


def fence(text: str, tag: str, attributes: str = "") -> str:
    """Return the text inside `<tag attributes>`, as the helper `fence` of templates does it."""
    fenced = fence_helper([text, tag], Budget())
    return fenced.replace(f"<{tag}>", f"<{tag} {attributes}>", 1) if attributes else fenced


def code_fence(code: str, language: str) -> str:
    """Return the code in a Markdown fence that is longer than any inside."""
    longest = max((len(run) for run in BACKTICKS.findall(code)), default=2)
    ticks = "`" * (longest + 1)
    named = LANGUAGE.match(language.strip())
    return f"{ticks}{named[0] if named else ''}\n{code}\n{ticks}"

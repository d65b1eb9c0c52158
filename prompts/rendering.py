"""Compiled templates, kept by published version: a version never changes, so neither does its program."""

from functools import lru_cache

from prompts.handlebars import Template
from prompts.handlebars import compile as compile_template


@lru_cache(maxsize=512)
def published_template(version: int, source: str) -> Template:
    """Return the program of a published version. `version` is its row's id."""
    return compile_template(source)

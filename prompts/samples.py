"""Contexts that ship with AskWeb, so that a tool can be tried before anything was asked with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from django.utils.translation import gettext_noop

from askweb.conversations.envelope import Envelope, read_envelope

SAMPLES = Path(__file__).with_name("samples.json")
NAMES = frozenset(
    (
        gettext_noop("A sentence selected on a page"),
        gettext_noop("A whole page, nothing selected"),
        gettext_noop("A block of code"),
        gettext_noop("A Stack Overflow question with two answers"),
        gettext_noop("A README on GitHub"),
        gettext_noop("Parts of a page, to find something in"),
        gettext_noop("A sentence in Chinese"),
        gettext_noop("Typed words alone"),
    )
)
"""The names in the file, which translators don't see."""


@dataclass(frozen=True)
class Sample:
    id: str
    name: str
    envelope: Envelope


@cache
def samples() -> Mapping[str, Sample]:
    """By id, in the order of the file."""
    rows = json.loads(SAMPLES.read_text(encoding="utf-8"))
    found = (Sample(row["id"], row["name"], read_envelope(row["envelope"])) for row in rows)
    return MappingProxyType({sample.id: sample for sample in found})

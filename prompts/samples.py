"""Contexts that ship with AskWeb, so that a tool can be tried before anything was asked with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from django.utils.translation import gettext_noop as _noop

from askweb.conversations.envelope import Envelope, read_envelope

SAMPLES = Path(__file__).with_name("samples.json")
NAMES = frozenset(
    (
        _noop("A sentence selected on a page"),
        _noop("A whole page, nothing selected"),
        _noop("A block of code"),
        _noop("A Stack Overflow question with two answers"),
        _noop("A README on GitHub"),
        _noop("Parts of a page, to find something in"),
        _noop("A sentence in Chinese"),
        _noop("Typed words alone"),
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

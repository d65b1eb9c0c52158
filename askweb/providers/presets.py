"""Known providers, as data: presets.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("presets.toml")


@dataclass(frozen=True)
class Preset:
    """One table of presets.toml, which says what the fields mean."""

    slug: str
    name: str
    base_url: str = ""
    needs_key: bool = False
    key_variable: str = ""
    address_variable: str = ""
    key_page: str = ""
    default_model: str = ""
    finds_itself: bool = False
    capabilities: Mapping[str, object] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def layers(self, model: str) -> Iterator[Mapping[str, object]]:
        """What is known of a model's capabilities, the most special last."""
        yield self.capabilities
        yield from (layer for pattern, layer in self.models.items() if fnmatchcase(model, pattern))

    @property
    def environment_key(self) -> str:
        """The key in this process's environment, if there is one."""
        return os.environ.get(self.key_variable, "").strip()

    @property
    def environment_address(self) -> str:
        """Where a key of the environment belongs."""
        return os.environ.get(self.address_variable, "").strip() or self.base_url


@cache
def presets() -> Mapping[str, Preset]:
    tables = tomllib.loads(FILE.read_text())
    return {slug: Preset(slug, **table) for slug, table in tables.items()}


def preset_named(slug: str) -> Preset | None:
    return presets().get(slug)

"""What a model takes, apart from where it is: from presets, from what the person set, from what it refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction

from askweb.providers.presets import preset_named

if TYPE_CHECKING:
    from askweb.providers.models import Provider

EVERY_MODEL = "*"
LARGEST_WINDOW = 100_000_000

Layer = Mapping[str, object]
"""Some of the fields of `Capabilities`, as JSON; `refuses` as a list."""


@dataclass(frozen=True)
class Capabilities:
    """The defaults are what OpenAI's description of the API promises.

    `refuses` names parameters that are never sent. `token_limit` is the name under which the limit of the
    answer's tokens is sent, empty for the request's own. `sends_reasoning`: what it thought goes back with
    the history. `think_tags` looks for reasoning in `<think>` tags, `think_open` says that it starts there.
    `questions`: whether it is offered to ask the person, "auto", "always" or "never"; what else stands here
    counts as auto. `context_window`: the tokens of prompt and answer together, 0 where only the provider's list knows.
    """

    refuses: frozenset[str] = frozenset()
    token_limit: str = ""
    system_role: bool = True
    roles_alternate: bool = False
    empty_content: bool = True
    sends_reasoning: bool = False
    think_tags: bool = True
    think_open: bool = False
    images: bool = True
    questions: str = "auto"
    context_window: int = 0

    def with_layer(self, layer: Layer) -> Capabilities:
        """These, changed by a layer; refused parameters add up. Raises `ValueError` for what is no layer."""
        changed: dict[str, Any] = {}
        for name, value in layer.items():
            changed[name] = self.refuses | _names(value) if name == "refuses" else _fitting(name, value)
        return replace(self, **changed)


KINDS = {field.name: type(field.default) for field in fields(Capabilities)}


def capabilities_of(provider: Provider, model: str) -> Capabilities:
    preset = preset_named(provider.preset)
    layers = [*preset.layers(model)] if preset else []
    layers += [provider.capabilities.get(name, {}) for name in (EVERY_MODEL, model)]
    capabilities = Capabilities()
    for layer in layers:
        capabilities = capabilities.with_layer(layer)
    return capabilities


@transaction.atomic
def remember(provider: Provider, model: str, learned: Layer) -> None:
    """Keep what a model has turned out to refuse; another process may have learned something else meanwhile."""
    rows = type(provider).objects.select_for_update().filter(pk=provider.pk)
    for row in rows:
        known = dict(row.capabilities.get(model, {}))
        refused = _names(known.get("refuses", [])) | _names(learned.get("refuses", []))
        known |= learned
        if refused:
            known["refuses"] = sorted(refused)
        rows.update(capabilities={**row.capabilities, model: known})


def _names(value: object) -> frozenset[str]:
    if not isinstance(value, list | frozenset) or not all(isinstance(each, str) for each in value):
        raise ValueError("refuses must be a list of names")
    return frozenset(value)


def _fitting(name: str, value: object) -> object:
    kind = KINDS.get(name)
    if kind not in (bool, str, int) or type(value) is not kind:
        raise ValueError(name)
    if kind is int and not 0 <= value <= LARGEST_WINDOW:  # type: ignore[operator]
        raise ValueError(name)
    return value

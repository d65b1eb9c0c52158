"""What the forms of providers post, as the API takes it. An empty field says nothing."""

from collections.abc import Mapping
from typing import Any

from askweb.providers.capabilities import EVERY_MODEL
from askweb.providers.models import Provider
from askweb.providers.presets import Preset

QUESTIONS = ("auto", "always", "never")


def suggested_fields(preset: Preset | None) -> dict[str, str]:
    """What stands in the form before anything is typed."""
    return {"base_url": preset.base_url, "default_model": preset.default_model} if preset else {}


def added_fields(posted: Mapping[str, str], preset: Preset | None) -> dict[str, Any]:
    """A preset's own address is left to the preset, which then asks for the key that it needs."""
    fields: dict[str, Any] = _filled(posted, "name", "base_url", "default_model", "api_key")
    if preset is not None:
        fields["preset"] = preset.slug
        if fields.get("base_url") == preset.base_url:
            del fields["base_url"]
    return fields


def changed_fields(posted: Mapping[str, str]) -> dict[str, Any]:
    """The model may be emptied; a key is replaced by a new one, or removed on purpose."""
    fields: dict[str, Any] = _filled(posted, "name", "base_url", "api_key")
    if "default_model" in posted:
        fields["default_model"] = posted["default_model"].strip()
    if "forget_key" in posted and "api_key" not in fields:
        fields["api_key"] = None
    return fields


def questions_by_model(provider: Provider) -> list[tuple[str, str]]:
    """Where it is set: the model, empty for all of them, and whether it may ask."""
    return [
        ("" if model == EVERY_MODEL else model, str(layer["questions"]))
        for model, layer in provider.capabilities.items()
        if layer.get("questions") in QUESTIONS
    ]


def with_questions(provider: Provider, posted: Mapping[str, str]) -> dict[str, Any]:
    """The capabilities with whether a model, or every one, may ask the person."""
    model = posted.get("model", "").strip() or EVERY_MODEL
    layer = {
        name: value for name, value in provider.capabilities.get(model, {}).items() if name != "questions"
    }
    if posted.get("questions") in QUESTIONS:
        layer["questions"] = posted["questions"]
    others = {name: each for name, each in provider.capabilities.items() if name != model}
    return {**others, **({model: layer} if layer else {})}


def _filled(posted: Mapping[str, str], *names: str) -> dict[str, Any]:
    return {name: posted[name].strip() for name in names if posted.get(name, "").strip()}

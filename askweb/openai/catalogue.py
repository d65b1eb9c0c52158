"""The models that a person can name at `/v1/`: their providers' models, and tools."""

from collections.abc import Iterator

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.openai.reading import TOOL
from askweb.openai.shapes import ModelShape, model_shape
from askweb.providers.choosing import Choice, choose_model
from askweb.providers.models import Provider
from prompts.models import Tool


def list_models(person: User) -> list[ModelShape]:
    """Every model once: the default first, then provider by provider, then `tool:` and each tool."""
    models = {model["id"]: model for model in (*_of_providers(person), *_of_tools(person))}
    return list(models.values())


def _of_providers(person: User) -> Iterator[ModelShape]:
    yield from (_shape(choice.provider, choice.model) for choice in _usual(person))
    for provider in Provider.objects.offered_to(person):
        yield from (_shape(provider, choice.model) for choice in _usual(person, str(provider.pk)))
        yield from (_shape(provider, known["id"]) for known in provider.known_models)


def _usual(person: User, provider: str | None = None) -> list[Choice]:
    """What answers when no model is named; nothing when there is none, which is no fault of a list."""
    try:
        return [choose_model(person, provider=provider)]
    except Problem:
        return []


def _shape(provider: Provider, model: str) -> ModelShape:
    return model_shape(f"{provider.slug}/{model}", provider.created.timestamp(), provider.slug)


def _of_tools(person: User) -> Iterator[ModelShape]:
    for tool in Tool.objects.offered_to(person):
        created = tool.published.created.timestamp() if tool.published else 0
        yield model_shape(f"{TOOL}{tool.slug}", created, "askweb")

"""The shape in which providers leave the server. The key never does."""

from typing import TypedDict
from uuid import UUID

from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.configured import configured_model
from askweb.providers.models import ModelInfo, Provider


class ProviderShape(TypedDict):
    id: UUID
    slug: str
    name: str
    base_url: str
    preset: str
    headers: dict[str, str]
    has_key: bool
    models: list[ModelInfo]
    default_model: str
    is_default: bool
    found: bool


def provider_shape(provider: Provider) -> ProviderShape:
    return {
        "id": provider.pk,
        "slug": provider.slug,
        "name": provider.name,
        "base_url": provider.base_url,
        "preset": provider.preset,
        "headers": provider.headers,
        "has_key": bool(provider.encrypted_key),
        "models": _local_models() if provider.is_local else provider.known_models,
        "default_model": provider.default_model,
        "is_default": provider.is_default,
        "found": provider.found,
    }


def _local_models() -> list[ModelInfo]:
    local = configured_model()
    return [{"id": local.name}] if isinstance(local, LocalModel) else []

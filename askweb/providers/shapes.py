"""The shapes in which providers leave the server. Keys never do."""

from typing import Any, Literal, TypedDict
from uuid import UUID

from askweb.accounts.models import User
from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.configured import configured_model
from askweb.providers.models import ModelInfo, Provider
from askweb.providers.presets import Preset


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
    capabilities: dict[str, dict[str, Any]]
    is_default: bool
    found: bool
    owner: Literal["shared", "mine"]
    shared: bool
    editable: bool


class PresetShape(TypedDict):
    slug: str
    name: str
    base_url: str
    needs_key: bool
    key_page: str
    default_model: str


class VerdictShape(TypedDict):
    ok: bool
    code: str | None
    message: str
    model: str
    milliseconds: int


def provider_shape(provider: Provider, person: User) -> ProviderShape:
    """As the person sees it: of what others have shared the address has no path, and headers are left out, since
    they may be keys by another name.
    """
    editable = provider.may_be_changed_by(person)
    return {
        "id": provider.pk,
        "slug": provider.slug,
        "name": provider.name,
        "base_url": provider.base_url if editable else provider.origin,
        "preset": provider.preset,
        "headers": provider.headers if editable else {},
        "has_key": provider.has_key,
        "models": local_models() if provider.is_local else provider.known_models,
        "default_model": provider.default_model,
        "capabilities": provider.capabilities,
        "is_default": provider.is_default,
        "found": provider.found,
        "owner": "shared" if provider.shared else "mine",
        "shared": provider.shared,
        "editable": editable,
    }


def preset_shape(preset: Preset) -> PresetShape:
    return {
        "slug": preset.slug,
        "name": preset.name,
        "base_url": preset.base_url,
        "needs_key": preset.needs_key,
        "key_page": preset.key_page,
        "default_model": preset.default_model,
    }


def local_models() -> list[ModelInfo]:
    local = configured_model()
    return [{"id": local.name}] if isinstance(local, LocalModel) else []

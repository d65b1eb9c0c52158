"""Adding and changing a provider: checked field by field, all faults at once."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import FieldFault, Problem, invalid
from askweb.parsing import storable_json
from askweb.providers.models import LOCAL, Provider


def add_provider(person: User, data: Any) -> Provider:
    """Create a provider of the person's. The first one becomes their default."""
    fields = _read(data)
    missing = {"base_url": [_fault("missing", _("Give the address of the provider's API."))]}
    if "base_url" not in fields:
        raise invalid(missing)
    host = urlsplit(str(fields["base_url"])).hostname or ""
    fields.setdefault("name", host)
    fields.setdefault("slug", slugify(str(fields["name"]))[:50] or "provider")
    fields.setdefault("is_default", not person.providers.exists())
    return _save(Provider(user=person), fields)


def change_provider(provider: Provider, data: Any) -> Provider:
    return _save(provider, _read(data))


@transaction.atomic
def _save(provider: Provider, fields: Mapping[str, object]) -> Provider:
    for name, value in fields.items():
        setattr(provider, name, value)
    if provider.is_default:
        Provider.objects.filter(user=provider.user_id).exclude(pk=provider.pk).update(is_default=False)
    try:
        with transaction.atomic():
            provider.save()
    except IntegrityError as error:
        taken = _("You have a provider with this slug already.")
        raise invalid({"slug": [_fault("taken", taken)]}) from error
    return provider


def _read(data: Any) -> dict[str, object]:
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    clean, _changed = storable_json(data)
    fields: dict[str, object] = {}
    faults: dict[str, list[FieldFault]] = {}
    for name, value in clean.items():
        if name in READ_ONLY:
            continue
        reader = READERS.get(name)
        try:
            if reader is None:
                raise ValueError(_("There is no such field."))
            fields["known_models" if name == "models" else name] = reader(value)
        except ValueError as error:
            faults[name] = [_fault("invalid", str(error))]
    if faults:
        raise invalid(faults)
    return fields


def _fault(code: str, message: str) -> FieldFault:
    return FieldFault(code=code, message=message)


def _text(limit: int, *, blank: bool = False) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > limit or not (blank or value.strip()):
            raise ValueError(_("Must be a text of at most {limit} characters.").format(limit=limit))
        return value.strip()

    return read


def _slug(value: Any) -> str:
    if (
        not isinstance(value, str)
        or not value
        or slugify(value) != value
        or len(value) > 50
        or value == LOCAL
    ):
        raise ValueError(_("Must be lower-case letters, digits and hyphens, at most 50, and not “local”."))
    return value


def _base_url(value: Any) -> str:
    expected = _("Must be an address such as https://api.example.com/v1.")
    if not isinstance(value, str):
        raise ValueError(expected)
    try:
        parts = urlsplit(value.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in value.strip()):
        raise ValueError(expected)
    return value.strip()


def _api_key(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise ValueError(_("Must be a text of printable ASCII characters, as keys are."))
    return value.strip()


def _headers(value: Any) -> dict[str, str]:
    fits = isinstance(value, dict) and all(
        isinstance(text, str) and f"{name}{text}".isascii() and f"{name}{text}".isprintable() and name
        for name, text in value.items()
    )
    if not fits:
        raise ValueError(_("Must be an object of header names and their texts."))
    return dict(value)


def _models(value: Any) -> list[dict[str, object]]:
    expected = _("Must be a list of model names, or of objects with an id.")
    if not isinstance(value, list):
        raise ValueError(expected)
    models: list[dict[str, object]] = []
    for each in value:
        model = {"id": each} if isinstance(each, str) else each
        if not isinstance(model, dict) or not isinstance(model.get("id"), str) or not model["id"].strip():
            raise ValueError(expected)
        models.append(model)
    return models


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("Must be true or false."))
    return value


READ_ONLY = frozenset({"id", "has_key", "found"})
READERS: Mapping[str, Callable[[Any], object]] = {
    "slug": _slug,
    "name": _text(100),
    "base_url": _base_url,
    "preset": _text(50, blank=True),
    "headers": _headers,
    "api_key": _api_key,
    "models": _models,
    "default_model": _text(200, blank=True),
    "is_default": _flag,
}

"""Adding and changing a provider: checked field by field, all faults at once."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import chain, count
from typing import Any
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import FieldFault, Problem, invalid
from askweb.limits.counting import admit_rows
from askweb.parsing import storable_json
from askweb.providers.addresses import REFUSED, host_of, is_guarded, is_plainly_private, origin_of
from askweb.providers.capabilities import Capabilities
from askweb.providers.models import LOCAL, Provider
from askweb.providers.presets import preset_named, presets

MODEL_LIMIT = 200
"""Characters of a model's name, as long as a run can store."""
MOST_MODELS = 500
ADDRESS_LIMIT = 2_000
KEY_LIMIT = 10_000
HEADERS_LIMIT = 20_000
KNOWN_LIMIT = 1_000_000
"""Characters of what is known of models, or of what they take, as JSON."""
HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)


def add_provider(person: User, data: Any) -> Provider:
    """Create a provider of the person's. The first one becomes their default.

    A preset knows everything but the key.
    """
    admit_rows(person.providers.all())
    fields = _read(data)
    _fill_from_preset(fields)
    host = host_of(str(fields["base_url"]))
    fields.setdefault("name", host)
    fields.setdefault("slug", _free_slug(person, str(fields["preset"] or fields["name"])))
    taken = person.providers.filter(Q(found=False) | Q(is_default=True)).exists()
    fields.setdefault("is_default", not taken)
    return _save(Provider(user=person), fields, person)


def change_provider(provider: Provider, data: Any, person: User) -> Provider:
    """Change what is named; `shared` is for owners, and makes it everybody's, or the person's who says so."""
    return _save(provider, _read(data), person)


def _fill_from_preset(fields: dict[str, object]) -> None:
    preset = preset_named(str(fields.setdefault("preset", "")))
    if preset is not None and "base_url" not in fields:
        if preset.needs_key and not (fields.get("api_key") or fields.get("headers")):
            raise invalid({"api_key": [_fault("missing", _("Give your key for this provider."))]})
        fields["base_url"] = preset.base_url
    if preset is not None:
        fields.setdefault("name", preset.name)
        fields.setdefault("default_model", preset.default_model)
    if "base_url" not in fields:
        raise invalid({"base_url": [_fault("missing", _("Give the address of the provider's API."))]})


def _free_slug(person: User, name: str) -> str:
    base = slugify(name)[:45] or "provider"
    taken = set(person.providers.values_list("slug", flat=True)) | {LOCAL}
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain([base], numbered) if slug not in taken)


@transaction.atomic
def _save(provider: Provider, fields: Mapping[str, object], person: User) -> Provider:
    _share(provider, fields.get("shared", provider.shared), person)
    _keep_key_where_it_belongs(provider, fields)
    for name in fields.keys() - {"shared"}:
        setattr(provider, name, fields[name])
    _check_address(provider)
    if provider.is_default:
        Provider.objects.filter(user=provider.user_id).exclude(pk=provider.pk).update(is_default=False)
    try:
        with transaction.atomic():
            provider.save()
    except IntegrityError as error:
        own = _("You have a provider with this slug already.")
        taken = _("There is a shared provider with this slug already.") if provider.shared else own
        raise invalid({"slug": [_fault("taken", taken)]}) from error
    return provider


def _share(provider: Provider, shared: object, person: User) -> None:
    """Whether it answers by default goes along: for everybody, or for the person, unless they have another one."""
    if shared == provider.shared:
        return
    if not person.is_superuser:
        raise Problem("forbidden", _("Only owners can share providers."), status=403)
    provider.user = None if shared else person
    if not shared and person.providers.filter(is_default=True).exists():
        provider.is_default = False


def _keep_key_where_it_belongs(provider: Provider, fields: Mapping[str, object]) -> None:
    """Whoever may change the address must not be able to read the key by having it sent there."""
    moves = origin_of(str(fields.get("base_url", provider.base_url))) != provider.origin
    if moves and provider.has_key and "api_key" not in fields:
        told = _("The stored key was given for {origin}. Give one for the new address, or remove it.")
        raise invalid({"api_key": [_fault("missing", told.format(origin=provider.origin))]})


def _check_address(provider: Provider) -> None:
    """Refuse what is plainly private; names are looked up, and checked, only when they are called."""
    if is_plainly_private(provider.base_url) and is_guarded(provider):
        fault = _fault("provider.address_refused", REFUSED)
        raise Problem("provider.address_refused", REFUSED, fields={"base_url": [fault]})


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


def _fit(text: str, limit: int) -> None:
    """Providers don't count as storage, so that nothing of them may be large."""
    if len(text) > limit:
        raise ValueError(_("Must have at most {limit} characters.").format(limit=limit))


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
    address = value.strip()
    try:
        parts = urlsplit(address)
        port_fits = (parts.port or 1) > 0
    except ValueError as error:
        raise ValueError(expected) from error
    if "@" in parts.netloc:
        raise ValueError(
            _("Must not hold a name or password: those would be shown. Give the key as api_key.")
        )
    _fit(address, ADDRESS_LIMIT)
    is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and ".." not in parts.netloc
    if not (is_web and port_fits) or parts.fragment or any(character.isspace() for character in address):
        raise ValueError(expected)
    return address


def _api_key(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise ValueError(_("Must be a text of printable ASCII characters, as keys are."))
    _fit(value, KEY_LIMIT)
    return value.strip()


def _headers(value: Any) -> dict[str, str]:
    fits = isinstance(value, dict) and all(
        isinstance(text, str) and text.isascii() and text.isprintable() and HEADER_NAME.fullmatch(name)
        for name, text in value.items()
    )
    if not fits:
        raise ValueError(_("Must be an object of header names and their texts."))
    if ours := [name for name in value if name.lower() in OUR_HEADERS]:
        raise ValueError(_("These are set by the server: {names}.").format(names=", ".join(ours)))
    _fit(json.dumps(value), HEADERS_LIMIT)
    return dict(value)


def _models(value: Any) -> list[dict[str, object]]:
    expected = _(
        "Must be a list of at most {most} model names, or of objects with an id, of {limit} characters."
    )
    expected = expected.format(most=MOST_MODELS, limit=MODEL_LIMIT)
    if not isinstance(value, list) or len(value) > MOST_MODELS:
        raise ValueError(expected)
    models: list[dict[str, object]] = []
    for each in value:
        model = {"id": each} if isinstance(each, str) else each
        id_ = model.get("id") if isinstance(model, dict) else None
        if not isinstance(id_, str) or not id_.strip() or len(id_) > MODEL_LIMIT:
            raise ValueError(expected)
        models.append(model)
    _fit(json.dumps(models), KNOWN_LIMIT)
    return models


def _preset(value: Any) -> str:
    known = [slug for slug in presets() if slug != LOCAL]
    if value != "" and value not in known:
        raise ValueError(_("There is no such preset. There are: {known}.").format(known=", ".join(known)))
    return str(value)


def _capabilities(value: Any) -> dict[str, dict[str, object]]:
    expected = _("Must be an object: by the model's name, or * for all, what it takes.")
    if not isinstance(value, dict) or not all(isinstance(layer, dict) for layer in value.values()):
        raise ValueError(expected)
    for layer in value.values():
        try:
            Capabilities().with_layer(layer)
        except ValueError as error:
            raise ValueError(f"{expected} ({error})") from error
    _fit(json.dumps(value), KNOWN_LIMIT)
    return dict(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("Must be true or false."))
    return value


OUR_HEADERS = frozenset(
    {"host", "connection", "content-length", "content-type", "transfer-encoding", "accept-encoding"}
)
READ_ONLY = frozenset({"id", "has_key", "found", "owner", "editable"})
READERS: Mapping[str, Callable[[Any], object]] = {
    "slug": _slug,
    "name": _text(100),
    "base_url": _base_url,
    "preset": _preset,
    "headers": _headers,
    "api_key": _api_key,
    "models": _models,
    "default_model": _text(MODEL_LIMIT, blank=True),
    "capabilities": _capabilities,
    "is_default": _flag,
    "shared": _flag,
}

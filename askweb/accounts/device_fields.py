"""A device's name and scopes: as people post them, and in words."""

from collections.abc import Collection, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from askweb.accounts.models import ALL_SCOPES, Device, Scope
from askweb.errors import FieldFault, invalid
from askweb.parsing import storable

NAME_LIMIT = 100
WORDS: Final[Mapping[Scope, Promise]] = {
    "ask": _lazy("Ask in your name, change and delete conversations"),
    "read": _lazy("Read your conversations, tools and settings"),
    "questions": _lazy("Put questions to you, and answer those that wait"),
    "settings": _lazy("Change your settings, providers, tools and devices"),
}
"""What each scope lets a device do."""


def read_device(name: str, scopes: Collection[str]) -> tuple[str, tuple[Scope, ...]]:
    """Return the name, and the scopes in their order; raise a 422 `Problem` with every fault."""
    name = storable(name).strip()
    faults: dict[str, list[FieldFault]] = {}
    if not name or len(name) > NAME_LIMIT or not name.isprintable():
        told = _("Give it a name of at most {limit} characters.").format(limit=NAME_LIMIT)
        faults["name"] = [FieldFault(code="invalid", message=told)]
    if not scopes or not set(scopes) <= set(ALL_SCOPES):
        told = _("Choose at least one of {scopes}.").format(scopes=", ".join(ALL_SCOPES))
        faults["scopes"] = [FieldFault(code="invalid", message=told)]
    if faults:
        raise invalid(faults)
    return name, tuple(scope for scope in ALL_SCOPES if scope in scopes)


def in_words(device: Device) -> list[Promise]:
    """What the device may do."""
    return [words for scope, words in WORDS.items() if device.may(scope)]

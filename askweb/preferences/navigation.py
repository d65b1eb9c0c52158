"""The sections of the settings, in the order of their one navigation. Devices and people stand last."""

from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _lazy

from askweb.accounts.models import User
from askweb.accounts.roles import Role

SECTIONS: Final = (
    ("settings", _lazy("General")),
    ("providers", _lazy("Providers")),
    ("initial-message", _lazy("Initial message")),
    ("remembered-answers", _lazy("Remembered answers")),
    ("privacy", _lazy("Privacy")),
    ("tools", _lazy("Tools")),
    ("extension", _lazy("Extension")),
    ("devices", _lazy("Devices")),
    ("account", _lazy("Account")),
)
"""The name of each section's address, and what it is called."""
OF_OWNERS: Final = (("people", _lazy("People")),)


@dataclass(frozen=True)
class Section:
    name: Promise
    address: str
    is_current: bool


def sections(current: str, person: User) -> list[Section]:
    """What the person may see; `current` is the name of the address of the section that is shown."""
    seen = (*SECTIONS, *OF_OWNERS) if person.role == Role.OWNER else SECTIONS
    return [Section(name, reverse(address), address == current) for address, name in seen]

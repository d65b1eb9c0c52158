"""Noting an act in the audit log, at the edge where it is known who came from where."""

from ipaddress import ip_address
from uuid import UUID

from django.http import HttpRequest
from rest_framework.request import Request

from askweb.accounts.models import Device, User
from askweb.audit.models import Act, AuditEntry
from askweb.rates import address_of


def note(
    act: Act, request: HttpRequest | Request | None, *, who: User | None = None, target: object = ""
) -> None:
    """Store what was done, and to what: an id or a slug, never a text.

    `who` is only given where it is not the request's person; `request` is None for commands.
    """
    person = who or _person(request)
    AuditEntry.objects.create(
        act=act,
        who=person.pk if person else None,
        who_name=person.get_username() if person else "",
        target=str(target),
        address=_address(request),
        device=_device(request),
    )


def _person(request: HttpRequest | Request | None) -> User | None:
    person = getattr(request, "user", None)
    return person if isinstance(person, User) else None


def _address(request: HttpRequest | Request | None) -> str | None:
    try:
        return str(ip_address(address_of(request))) if request is not None else None
    except ValueError:
        return None


def _device(request: HttpRequest | Request | None) -> UUID | None:
    device = getattr(request, "auth", None)
    return device.pk if isinstance(device, Device) else None

"""The shape in which devices leave the server. Their tokens never do, but once, when they are made."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from askweb.accounts.models import Device, Scope


class DeviceShape(TypedDict):
    id: UUID
    name: str
    scopes: list[Scope]
    created: datetime
    last_used: datetime | None


def device_shape(device: Device) -> DeviceShape:
    return {
        "id": device.pk,
        "name": device.name,
        "scopes": device.scopes,
        "created": device.created,
        "last_used": device.last_used,
    }

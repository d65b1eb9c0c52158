"""Ending access: whoever holds a socket open is told at once, in whichever process.

Each socket is in the group of its person, and in that of its device or session; every process that serves people hears of
them all. Telling is only faster than finding out: see `askweb.accounts.access.lost`.
"""

import hashlib
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

NEWS = "askweb-access"
"""The group of the channel layer that hears which sockets must close."""


def person_group(person_id: UUID) -> str:
    return f"person.{person_id.hex}"


def device_group(device_id: UUID) -> str:
    return f"device.{device_id.hex}"


def session_group(session_key: str) -> str:
    """Keys are cookies, so that the name holds a digest."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()}"


def end_access(group: str) -> None:
    """Have the sockets of a group closed, once the transaction has committed. A fault there is logged."""
    transaction.on_commit(lambda: _tell(group, doubted=False), robust=True)


def doubt_access(group: str) -> None:
    """Have each socket of a group find out whether what it stands on is still there."""
    transaction.on_commit(lambda: _tell(group, doubted=True), robust=True)


def _tell(group: str, *, doubted: bool) -> None:
    layer: Any = get_channel_layer()
    async_to_sync(layer.group_send)(NEWS, {"type": "access", "group": group, "doubted": doubted})

"""Encrypting all stored keys anew, under the newest secret."""

from dataclasses import dataclass

from django.db import transaction

from askweb.providers.keys import encrypt_again, newest_secret
from askweb.providers.models import Provider


@dataclass(frozen=True)
class Rotated:
    """How many keys were encrypted again, and the names of the providers whose key no secret opens."""

    count: int
    unreadable: list[str]


def rotate_keys() -> Rotated:
    """All or none. When it is interrupted, every key can be read as before; simply call it again."""
    with newest_secret():
        return _encrypt_all()


@transaction.atomic
def _encrypt_all() -> Rotated:
    count, unreadable = 0, []
    for provider in Provider.objects.select_for_update().exclude(encrypted_key="").order_by("pk"):
        encrypted = encrypt_again(provider.encrypted_key)
        if encrypted is None:
            unreadable.append(provider.name)
            continue
        provider.encrypted_key = encrypted
        provider.save(update_fields=["encrypted_key"])
        count += 1
    return Rotated(count, unreadable)

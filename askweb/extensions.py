"""The Chrome extensions that may be paired: by their ids, from which their addresses follow."""

import re
from collections.abc import Iterable
from typing import Final

from django.conf import settings

OUR_EXTENSION: Final = "omaicmhkkcicpnebabalofekfbmnlgcd"
"""The id of the extension that comes with AskWeb; the `key` in its manifest fixes it."""

ID: Final = re.compile(r"[a-p]{32}")
BACK: Final = re.compile(r"https://([a-p]{32})\.chromiumapp\.org/[\w.~!$&'()*+,;=:@%/-]*", re.ASCII)


def is_extension_id(text: str) -> bool:
    return ID.fullmatch(text) is not None


def extension_ids() -> tuple[str, ...]:
    return with_ours(settings.ASKWEB_EXTENSION_IDS)


def with_ours(others: Iterable[str]) -> tuple[str, ...]:
    return (OUR_EXTENSION, *others)


def extension_origins() -> tuple[str, ...]:
    """Where their requests and sockets come from."""
    return origins_of(settings.ASKWEB_EXTENSION_IDS)


def origins_of(others: Iterable[str]) -> tuple[str, ...]:
    """Those of our own extension, and of others by their ids."""
    return tuple(f"chrome-extension://{id_}" for id_ in with_ours(others))


def extension_at(redirect_uri: str) -> str | None:
    """The id of the extension that Chrome gives this address to; None when it is none of ours, or anyone else's."""
    found = BACK.fullmatch(redirect_uri)
    return found[1] if found and found[1] in extension_ids() else None

"""Secrets that are made on first start and kept in the data folder."""

import os
import secrets
import tempfile
from pathlib import Path


def read_or_make_secret(path: Path) -> str:
    """Return the text of the file at `path`; make it (mode 0600, 50 random bytes) where it is absent.

    Two processes that start at once agree: the file is written under another name and linked into
    place, and the loser reads the winner's.
    """
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        _make_secret(path)
    return path.read_text().strip()


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, draft = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with open(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)

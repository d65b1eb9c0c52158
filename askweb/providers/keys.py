"""Providers' keys at rest: Fernet (AES-128-CBC with HMAC), the first of several secrets encrypts, any decrypts."""

import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from askweb.providers.errors import ProviderError
from askweb.secrets_file import read_or_make_secret


def encrypt(key: str) -> str:
    return _fernet().encrypt(key.encode()).decode()


def decrypt(encrypted: str) -> str:
    """Return the key. A key that was encrypted under a secret that is gone is a `provider.auth` error."""
    try:
        return _fernet().decrypt(encrypted.encode()).decode()
    except InvalidToken as error:
        message = (
            "The stored key can't be read any more: the server's secret has changed. Enter the key again."
        )
        raise ProviderError("provider.auth", message) from error


def encrypt_again(encrypted: str) -> str | None:
    """The same key under the newest secret; None when no secret opens it."""
    try:
        return _fernet().rotate(encrypted.encode()).decode()
    except InvalidToken:
        return None


@contextmanager
def newest_secret() -> Iterator[None]:
    """Within the block a new secret encrypts, unless the secrets come from the environment.

    At any moment every secret that something may be encrypted under is in the file. After the block the
    newest and the one before are kept, since a running server may just have used that one; after an
    exception, all.
    """
    if settings.ASKWEB_PROVIDER_KEYS:
        yield
        return
    before = _secrets_of_file()
    _write([secrets.token_urlsafe(50), *before])
    yield
    _write(_secrets_of_file()[:2])


def _fernet() -> MultiFernet:
    """Of all secrets, newest first. The file is looked at each time: another process may have rotated it."""
    listed = [*settings.ASKWEB_PROVIDER_KEYS]
    if not listed or _file().exists():
        listed += _secrets_of_file()
    return _made_of(tuple(listed))


@lru_cache(maxsize=4)
def _made_of(listed: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(secret.encode()).digest())) for secret in listed])


def _secrets_of_file() -> list[str]:
    return read_or_make_secret(_file()).split()


def _file() -> Path:
    return Path(settings.DATA_DIR) / "provider_key"


def _write(lines: Sequence[str]) -> None:
    draft = _file().with_name("provider_key.new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w") as file:
        file.write("\n".join(lines))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(_file())

"""Providers' keys at rest: Fernet (AES-128-CBC with HMAC), the first of several keys encrypts, any decrypts."""

from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256

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


@cache
def _fernet() -> MultiFernet:
    secrets = settings.ASKWEB_PROVIDER_KEYS or [read_or_make_secret(settings.DATA_DIR / "provider_key")]
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(secret.encode()).digest())) for secret in secrets])

"""Tokens: shown once, stored as a hash.

They are 256 random bits, so a plain SHA-256 is enough and a look-up by hash leaks nothing by its timing.
"""

import hashlib
import secrets

BEARER = "bearer"


def bearer_token(header: str) -> str | None:
    """The token in an `Authorization` header; None when it is for something else."""
    scheme, _space, token = header.partition(" ")
    return token.strip() if scheme.lower() == BEARER else None


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

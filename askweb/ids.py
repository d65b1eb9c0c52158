"""Identifiers: UUID version 7, so that sorting by id is sorting by time (RFC 9562)."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    return uuid7()

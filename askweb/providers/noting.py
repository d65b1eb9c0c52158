"""Noting in the audit log what becomes of providers that everybody uses. One's own are nobody else's concern."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from rest_framework.request import Request

from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.providers.models import Provider

Row = Mapping[str, Any] | None


@contextmanager
def noting_shared(request: HttpRequest | Request, id_: UUID) -> Iterator[None]:
    """Note what the row itself shows to have happened inside, also where that ended with a fault."""
    before = _row(id_)
    try:
        yield
    finally:
        act = _act(before, _row(id_))
        if act is not None:
            note(act, request, target=id_)


def _act(before: Row, after: Row) -> Act | None:
    match _is_shared(before), _is_shared(after):
        case False, True:
            return Act.PROVIDER_SHARED
        case True, False:
            return Act.PROVIDER_TAKEN_BACK if after else Act.PROVIDER_DELETED
        case True, True if before != after:
            return Act.PROVIDER_CHANGED
    return None


def _is_shared(row: Row) -> bool:
    return row is not None and row["user_id"] is None


def _row(id_: UUID) -> Row:
    return Provider.objects.filter(pk=id_).values().first()

"""Cursor pages: a cursor names the last row seen, so a page costs the same wherever it is."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models.fields.tuple_lookups import TupleLessThan
from django.db.models.lookups import LessThan
from django.utils.translation import gettext as _
from rest_framework.request import Request

from askweb.errors import Problem


class RowLessThan(TupleLessThan):
    """`(a, b) < (x, y)`, which one index answers. Every database of ours has it; Django writes another form
    for SQLite, with OR, which reads all rows before the cursor.
    """

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return LessThan.as_sql(self, compiler, connection)


def write_cursor(updated: datetime, id_: UUID) -> str:
    return urlsafe_b64encode(f"{updated.isoformat()} {id_}".encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, UUID]:
    """Return the row that a cursor names; raise a 400 `Problem` for anything that is none of ours."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        updated, id_ = urlsafe_b64decode(padded).decode().split(" ")
        moment = datetime.fromisoformat(updated)
        if moment.tzinfo is None:
            raise ValueError("no time zone")
        return moment.astimezone(UTC), UUID(id_)
    except (ValueError, OverflowError) as error:
        raise Problem(
            "cursor.broken", _("This cursor is not one of ours. Start from the first page."), status=400
        ) from error


def read_id(text: str) -> UUID:
    """Return the id; raise a 400 `Problem` when the text is none."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Problem("id.broken", _("This is not an id."), status=400) from error


def next_url(request: Request, **parameters: str) -> str:
    """The address of the next page: this one with other parameters."""
    query = request.query_params.copy()
    for name, value in parameters.items():
        query[name] = value
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")

"""What the admin finds by a person's name."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from askweb.accounts.models import User

Row = TypeVar("Row", bound=Model)


def found_by(rows: QuerySet[Row], words: str, *, person: str, other: str) -> QuerySet[Row]:
    """The rows of the person of that name or, where nobody has it, those whose `other` it is; all without words.

    `person` leads from a row to its person. People are looked up first, and never together with `other`: in one
    query, the database would read every row.
    """
    if not words:
        return rows
    people = list(User.objects.filter(username__iexact=words).values_list("pk", flat=True))
    wanted: dict[str, Any] = {f"{person}__in": people} if people else {f"{other}__iexact": words}
    return rows.filter(**wanted)

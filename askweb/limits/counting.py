"""How many tools, snippets, providers and devices: more than anybody makes, less than a script gone wild would."""

from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from askweb.errors import Problem

MOST: Final = 500


def admit_rows(rows: QuerySet[Any], more: int = 1) -> None:
    """Raise a 422 `Problem` where there would be more of these than one person may have."""
    if rows.count() + more > MOST:
        message = _("One person may have {most} of these. Delete some that you don't need any more.")
        raise Problem("limit.count", message.format(most=MOST), data={"limit": MOST})

"""What stands around every page of the Control UI: the list of conversations, and the words for scripts."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.words import browser_words
from askweb.cursors import read_cursor, write_cursor
from askweb.errors import Problem
from askweb.people import person_of
from questions.models import QuestionSet

LISTED = 50


def shell_of(request: HttpRequest) -> dict[str, Any]:
    """The context of `shell.html`, in two queries."""
    rows = person_of(request).conversations.listed().for_list().newest_first()
    cursor = request.GET.get("cursor", "")
    try:
        rows = rows.before(*read_cursor(cursor)) if cursor else rows
    except Problem:
        cursor = ""
    found = list(rows[: LISTED + 1])
    last = found[LISTED - 1] if len(found) > LISTED else None
    return {
        "listed": found[:LISTED],
        "is_first_page": not cursor,
        "asking": _asking(person_of(request)),
        "older": write_cursor(last.updated, last.pk) if last else None,
        "words": browser_words(),
    }


def _asking(person: User) -> set[UUID | None]:
    """The conversations in which a question waits for the person."""
    rows = QuestionSet.objects.filter(user=person)
    return set(rows.pending().filter(expires_at__gt=timezone.now()).values_list("conversation", flat=True))

"""What stands around every page of the Control UI: the list of conversations, and the words for scripts."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.listing import listing_of
from askweb.conversations.words import browser_words
from askweb.people import person_of
from questions.models import QuestionSet


def shell_of(request: HttpRequest) -> dict[str, Any]:
    """The context of `shell.html`, in three queries."""
    return {
        **listing_of(request),
        "asking": _asking(person_of(request)),
        "words": browser_words(),
    }


def _asking(person: User) -> set[UUID | None]:
    """The conversations in which a question waits for the person."""
    rows = QuestionSet.objects.filter(user=person)
    return set(rows.pending().filter(expires_at__gt=timezone.now()).values_list("conversation", flat=True))

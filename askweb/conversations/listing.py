"""The sidebar's list: the newest conversations, or those that a search finds, with the place that was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from askweb.accounts.models import User
from askweb.conversations.choosing import choose
from askweb.conversations.excerpts import Piece, excerpt, mark, words_of
from askweb.conversations.models import Conversation, Message
from askweb.conversations.searchable import text_of_message
from askweb.conversations.searching import places_of
from askweb.conversations.transcript import title_of
from askweb.cursors import read_cursor, write_cursor
from askweb.errors import Problem
from askweb.people import person_of

LISTED = 50
FOUND = 20
"""Of these the texts are looked through."""


@dataclass(frozen=True)
class Found:
    """A conversation that was found. `excerpt` is empty where the title says it all."""

    conversation: Conversation
    title: Sequence[Piece]
    excerpt: Sequence[Piece]


def listing_of(request: HttpRequest) -> dict[str, Any]:
    """The context of `_sidebar.html`."""
    typed = request.GET.get("q", "").strip()
    size = FOUND if typed else LISTED
    rows = choose(person_of(request), {"q": typed}).for_list().newest_first()
    cursor = request.GET.get("cursor", "")
    try:
        rows = rows.before(*read_cursor(cursor)) if cursor else rows
    except Problem:
        cursor = ""
    listed = list(rows[: size + 1])
    last = listed[size - 1] if len(listed) > size else None
    return {
        "listed": listed[:size],
        "typed": typed,
        "found": _found(person_of(request), listed[:size], typed) if typed else (),
        "is_first_page": not cursor and not typed,
        "older": write_cursor(last.updated, last.pk) if last else None,
    }


def _found(person: User, listed: Sequence[Conversation], typed: str) -> list[Found]:
    words = words_of(typed)
    if words is None:
        return []
    places = places_of(person, listed, typed)
    messages = Message.objects.prefetch_related("context_items__contents").in_bulk(
        [place for place in places.values() if place is not None]
    )
    found = []
    for conversation in listed:
        place = places.get(conversation.pk)
        text = text_of_message(messages[place]) if place in messages else conversation.page_title
        found.append(Found(conversation, mark(title_of(conversation), words), excerpt(text, words)))
    return found

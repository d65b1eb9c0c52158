"""The sidebar's list: pinned and newest conversations, or those that the page's address asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

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
from askweb.preferences.hosts import shown

LISTED = 50
PINNED = 50
FOUND = 20
"""Of these the texts are looked through."""
OTHER_HOST = frozenset({"privacy"})
"""Pages whose own `?host=` is something else."""


@dataclass(frozen=True)
class Wanted:
    """Which conversations the address of a page asks for: `?q=`, `?host=`, `?archived=1`, `?pinned=1`."""

    typed: str = ""
    host: str = ""
    archived: bool = False
    pinned: bool = False

    @property
    def is_all(self) -> bool:
        return self == Wanted()

    @property
    def host_shown(self) -> str:
        return shown(self.host)

    @property
    def query(self) -> str:
        """What an address has to say for the same list; empty for the list of all."""
        said = {"q": self.typed, "host": self.host, "archived": self.archived, "pinned": self.pinned}
        return urlencode(
            {name: int(value) if value is True else value for name, value in said.items() if value}
        )

    @property
    def parameters(self) -> dict[str, str]:
        """The same for `choose` and for the API. In the list of all, pinned ones have a place of their own."""
        pinned = "true" if self.pinned else "false" if self.is_all else ""
        said = {"q": self.typed, "host": self.host, "pinned": pinned, "archived": "true" * self.archived}
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True)
class Found:
    """A conversation that was found. `excerpt` is empty where the title says it all."""

    conversation: Conversation
    title: Sequence[Piece]
    excerpt: Sequence[Piece]


def listing_of(request: HttpRequest) -> dict[str, Any]:
    """The context of `_sidebar.html`: at most two queries, unless something is searched for."""
    person, wanted = person_of(request), _wanted(request)
    listed, older, is_first = _page(person, wanted, request.GET.get("cursor", ""))
    pinned = _pinned(person) if wanted.is_all and is_first else []
    return {
        "wanted": wanted,
        "kept": f"?{wanted.query}" if wanted.query else "",
        "listed": listed,
        "found": _found(person, listed, wanted.typed) if wanted.typed else (),
        "pinned": pinned[:PINNED],
        "more_pinned": len(pinned) > PINNED,
        "is_first_page": is_first,
        "is_live": is_first and not wanted.typed,
        "has_pinned": wanted.is_all and is_first,
        "listed_from": _api_address(wanted),
        "pinned_from": _api_address(Wanted(pinned=True)),
        "older": _older(wanted, older),
    }


def _wanted(request: HttpRequest) -> Wanted:
    page = request.resolver_match
    has_other_host = page is not None and page.url_name in OTHER_HOST
    return Wanted(
        typed=request.GET.get("q", "").strip(),
        host="" if has_other_host else request.GET.get("host", "").strip(),
        archived=request.GET.get("archived") == "1",
        pinned=request.GET.get("pinned") == "1",
    )


def _page(person: User, wanted: Wanted, cursor: str) -> tuple[list[Conversation], str, bool]:
    """A page of the list, the cursor of the next one, and whether it is the first."""
    size = FOUND if wanted.typed else LISTED
    rows = choose(person, wanted.parameters).for_list().newest_first()
    try:
        rows = rows.before(*read_cursor(cursor)) if cursor else rows
    except Problem:
        cursor = ""
    listed = list(rows[: size + 1])
    last = listed[size - 1] if len(listed) > size else None
    return listed[:size], write_cursor(last.updated, last.pk) if last else "", not cursor


def _pinned(person: User) -> list[Conversation]:
    """One more than are shown, so that a link to the others is there only where there are any."""
    rows = choose(person, Wanted(pinned=True).parameters).for_list().newest_first()
    return list(rows[: PINNED + 1])


def _older(wanted: Wanted, cursor: str) -> str:
    return f"?{'&'.join(filter(None, (wanted.query, urlencode({'cursor': cursor}))))}" if cursor else ""


def _api_address(wanted: Wanted) -> str:
    """Where a script looks for what a list missed. Its parameters also say what belongs into the list."""
    return f"{reverse('api-conversations')}?{urlencode(wanted.parameters)}"


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

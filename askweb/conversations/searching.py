"""Searching: the conversations that have all the words that a person typed, and where they are."""

import re
from collections.abc import Sequence
from uuid import UUID

from askweb.accounts.models import User
from askweb.conversations.indexing import read_newest
from askweb.conversations.models import Conversation, Conversations
from askweb.conversations.searched import DOCUMENT_BITS, SearchDocument, SearchedConversation
from askweb.conversations.token_index import Term, token_index
from askweb.conversations.tokens import GRAM, runs_of

LENGTH = 500
"""Characters of a query that are read."""
TERMS = 12
PIECE = re.compile(r'"([^"]*)("?)|(\S+)')


def search(person: User, rows: Conversations, typed: str) -> Conversations:
    """Return those of the person's conversations that have every word somewhere: in titles, messages, pages.

    The last word may be only begun. Words in double quotes stand side by side. What has no words is not found.
    """
    read_newest(person)
    terms = terms_of(typed)
    if not terms:
        return rows.none()
    index = token_index()
    return rows.filter(*(index.conversation_has(person.pk, term) for term in terms))


def places_of(person: User, found: Sequence[Conversation], typed: str) -> dict[UUID, UUID | None]:
    """Return for each conversation the newest message with all the words, else with any; None: not a message."""
    terms = terms_of(typed)
    numbers = dict(
        SearchedConversation.objects.filter(conversation__in=found).values_list("pk", "conversation")
    )
    index = token_index()
    with_all = index.newest_with(person.pk, terms, "and", list(numbers))
    others = set(numbers) - {id_ >> DOCUMENT_BITS for id_ in with_all}
    documents = with_all + index.newest_with(person.pk, terms, "or", sorted(others))
    rows = SearchDocument.objects.filter(pk__in=documents).values_list("pk", "message")
    return {numbers[id_ >> DOCUMENT_BITS]: message for id_, message in rows}


def terms_of(typed: str) -> list[Term]:
    """Read a query. There is nothing in it that could be wrong: what isn't a word separates words."""
    terms = [_term(piece, is_open=is_open) for piece, is_open in pieces_of(typed)]
    return list(dict.fromkeys(term for term in terms if term.tokens))[:TERMS]


def pieces_of(typed: str) -> list[tuple[str, bool]]:
    """Return what stands between spaces, or between quotes, and whether its last word may be only begun."""
    pieces = PIECE.findall(typed[:LENGTH])
    return [
        (piece or quoted, not end and number == len(pieces))
        for number, (quoted, end, piece) in enumerate(pieces, 1)
    ]


def _term(piece: str, *, is_open: bool) -> Term:
    runs = runs_of(piece)
    if not runs:
        return Term((), is_open=False)
    *before, last = runs
    tokens = [token for run in before for token in run.tokens()]
    if last.is_unspaced:
        return Term((*tokens, *last.whole_grams()), is_open=len(last.text) < GRAM)
    return Term((*tokens, *last.tokens()), is_open=is_open)

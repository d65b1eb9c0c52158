"""Searching: the conversations that have all the words that a person typed, and where they are."""

import re
from collections.abc import Iterator

from askweb.accounts.models import User
from askweb.conversations.indexing import read_newest
from askweb.conversations.models import Conversations
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
    return rows.filter(pk__in=token_index().conversations_with(person.pk, terms))


def terms_of(typed: str) -> list[Term]:
    """Read a query. There is nothing in it that could be wrong: what isn't a word separates words."""
    pieces = list(_pieces(typed[:LENGTH]))
    terms = [
        _term(piece, is_open=not is_closed and number == len(pieces) - 1)
        for number, (piece, is_closed) in enumerate(pieces)
    ]
    return list(dict.fromkeys(term for term in terms if term.tokens))[:TERMS]


def _pieces(typed: str) -> Iterator[tuple[str, bool]]:
    """What stands between spaces or quotes, and whether its end is one."""
    for quoted, end, piece in PIECE.findall(typed):
        yield (piece, False) if piece else (quoted, bool(end))


def _term(piece: str, *, is_open: bool) -> Term:
    runs = runs_of(piece)
    if not runs:
        return Term((), is_open=False)
    *before, last = runs
    tokens = [token for run in before for token in run.tokens()]
    if last.is_unspaced:
        return Term((*tokens, *last.whole_grams()), is_open=len(last.text) < GRAM)
    return Term((*tokens, *last.tokens()), is_open=is_open)

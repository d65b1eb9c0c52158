"""The index of tokens, as each database has it: FTS5 on SQLite, a tsvector with a GIN index on PostgreSQL."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from askweb.conversations.searched import DOCUMENT_BITS

Documents = Iterable[tuple[int, Sequence[str]]]


@dataclass(frozen=True)
class Term:
    """Tokens that stand side by side. `is_open`: of the last of them this is only the beginning."""

    tokens: tuple[str, ...]
    is_open: bool


class TokenIndex(ABC):
    number: str
    """The number of a document's conversation, in SQL."""
    document: str
    """A document's id, in SQL."""
    matches: str
    """What is true of a document that matches a query, the only parameter, in SQL; with its table."""

    @abstractmethod
    def write(self, person_id: UUID, documents: Documents) -> None:
        """Store documents' tokens by id; only that person finds them. Their rows must exist already."""

    @abstractmethod
    def query(self, person_id: UUID, terms: Sequence[Term], join: Literal["and", "or"]) -> str:
        """Return what the database is asked for documents with all, or with any, of the terms."""

    @abstractmethod
    def conversation_has(self, person_id: UUID, term: Term) -> RawSQL:
        """Return the condition that a conversation of the person's, a row of a query, has the term somewhere."""

    def newest_with(
        self, person_id: UUID, terms: Sequence[Term], join: Literal["and", "or"], numbers: Sequence[int]
    ) -> list[int]:
        """Return the id of the newest such document of each of these conversations that has one."""
        if not numbers:
            return []
        places = ", ".join(["%s"] * len(numbers))
        sql = (
            f"SELECT max({self.document}) FROM {self.matches} AND {self.number} IN ({places})"  # noqa: S608 - likewise
            f" GROUP BY {self.number}"
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, [self.query(person_id, terms, join), *numbers])
            return [id_ for (id_,) in cursor.fetchall()]


class FTS5(TokenIndex):
    number = f"rowid >> {DOCUMENT_BITS}"
    document = "rowid"
    matches = "conversations_search WHERE conversations_search MATCH %s"

    def write(self, person_id: UUID, documents: Documents) -> None:
        rows = [(id_, " ".join([_owner(person_id), *tokens])) for id_, tokens in documents]
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO conversations_search (rowid, tokens) VALUES (%s, %s)", rows)

    def query(self, person_id: UUID, terms: Sequence[Term], join: Literal["and", "or"]) -> str:
        wanted = f" {join.upper()} ".join(self._phrase(term) for term in terms)
        return f"{_owner(person_id)} AND ({wanted})"

    def conversation_has(self, person_id: UUID, term: Term) -> RawSQL:
        """All that have it are found first: looking it up again for each conversation would cost more."""
        numbers = f"SELECT {self.number} FROM {self.matches}"  # noqa: S608 - nothing from outside
        ids = f"SELECT conversation_id FROM conversations_searchedconversation WHERE id IN ({numbers})"  # noqa: S608
        sql = f"conversations_conversation.id IN ({ids})"
        return RawSQL(sql, [self.query(person_id, [term], "and")], BooleanField())  # noqa: S611 - a parameter

    def _phrase(self, term: Term) -> str:
        return f'"{" ".join(term.tokens)}"{" *" if term.is_open else ""}'


class TSVector(TokenIndex):
    number = f"id >> {DOCUMENT_BITS}"
    document = "id"
    matches = "conversations_searchdocument WHERE tokens @@ %s::tsquery"

    def write(self, person_id: UUID, documents: Documents) -> None:
        rows = [(self._vector([_owner(person_id), *tokens]), id_) for id_, tokens in documents]
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE conversations_searchdocument SET tokens = %s::tsvector WHERE id = %s", rows
            )

    def query(self, person_id: UUID, terms: Sequence[Term], join: Literal["and", "or"]) -> str:
        wanted = {"and": " & ", "or": " | "}[join].join(self._phrase(term) for term in terms)
        return f"'{_owner(person_id)}' & ({wanted})"

    def conversation_has(self, person_id: UUID, term: Term) -> RawSQL:
        """PostgreSQL knows how common words are: it walks down the list for those, and looks up the others.

        With the owner's token it would take every word for a rare one.
        """
        sql = (
            "EXISTS (SELECT 1 FROM conversations_searchedconversation AS searched"
            " JOIN conversations_searchdocument AS document ON document.searched_id = searched.id"
            " WHERE searched.conversation_id = conversations_conversation.id AND document.tokens @@ %s::tsquery)"
        )
        return RawSQL(sql, [self._phrase(term)], BooleanField())  # noqa: S611 - a parameter

    def _phrase(self, term: Term) -> str:
        side_by_side = " <-> ".join(f"'{token}'" for token in term.tokens)
        return f"({side_by_side}{':*' if term.is_open else ''})"

    def _vector(self, tokens: Sequence[str]) -> str:
        return " ".join(f"'{token}':{place}" for place, token in enumerate(tokens, start=1))


def token_index() -> TokenIndex:
    return FTS5() if connection.vendor == "sqlite" else TSVector()


def _owner(person_id: UUID) -> str:
    """A token that no text has, since its sign is no letter."""
    return f"¤{person_id.hex}"

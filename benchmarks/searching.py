"""How long a search takes over 100,000 messages, on SQLite and, where DATABASE_URL names one, on PostgreSQL.

Fills a database of its own with conversations of ten messages in English and Chinese, by Zipf's law, each
conversation about a page of some 3,000 characters; then asks over the API, and for the page, which also shows where
the words stand. Prints medians in milliseconds.

    python benchmarks/searching.py --messages 100000
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.databases import HERE, medians, on_each, set_up, tidy  # noqa: E402

IN_CONVERSATION = 10
LOT = 500
UNREAD = 50
WORDS = [f"{chr(ord('a') + rank % 26)}{rank}" for rank in range(20_000)]
CHARACTERS = [chr(ord("一") + rank) for rank in range(3_000)]
FOUR = "".join(CHARACTERS[20:24])
"""A word of two messages in a hundred, which chance would hardly make."""
REPEATS = 9
QUERIES = {
    "the list, no words": "",
    "a word of nearly every message": '"a0"',
    "a common word": '"k10"',
    "a rare word": '"c15550"',
    "three common words": 'a0 b1 "c2"',
    "a common and a rare word": 'a0 "c15550"',
    "begun with one letter": "s",
    "begun with two": "s1",
    "side by side": '"a0 b1"',
    "one Chinese character": CHARACTERS[20],
    "a Chinese word of two": "".join(CHARACTERS[20:22]),
    "a Chinese word of four": FOUR,
    "nothing there": "nowhere",
}


@dataclass(frozen=True)
class Query:
    """Medians in milliseconds: over the API, and of the page."""

    database: str
    what: str
    api: float
    page: float

    def __str__(self) -> str:
        return f"{self.database:12} {self.what:32} {self.api:7.1f} {self.page:7.1f}"


@dataclass(frozen=True)
class Searching:
    """`reading` is how many milliseconds a message takes to be read for search, by database."""

    queries: Sequence[Query]
    reading: dict[str, float]

    @property
    def slowest(self) -> Query:
        return max(self.queries, key=lambda query: query.api)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    found = measure(parser.parse_args().messages)
    print(*found.queries, sep="\n")
    for database, took in found.reading.items():
        print(f"{database:12} {took:.2f} ms to read a message")


def measure(messages: int) -> Searching:
    said = on_each(__file__, (messages,))
    queries = [Query(database, *row) for database, (rows, _took) in said.items() for row in rows]
    return Searching(queries, {database: took for database, (_rows, took) in said.items()})


def _measure_here(messages: int) -> tuple[list[list[str | float]], float]:
    set_up()
    chance = random.Random(1)  # noqa: S311 - repeatable text
    for _lot in range(messages // IN_CONVERSATION // LOT):
        _fill(chance)
    tidy()
    reading = _read(chance)
    fetches = [_fetch("/api/conversations/"), _fetch("/")]
    return [[name, *_medians(fetches, typed)] for name, typed in QUERIES.items()], reading


def _medians(fetches: Sequence[Callable[[str], float]], typed: str) -> list[float]:
    return medians([partial(fetch, typed) for fetch in fetches], REPEATS)


def _fill(chance: random.Random) -> None:
    """Conversations as they are once they have been read for search; their pages are in the index alone."""
    from django.db import transaction

    from askweb.accounts.models import User
    from askweb.conversations.models import Conversation, Message, SearchDocument, SearchedConversation
    from askweb.conversations.token_index import token_index
    from askweb.conversations.tokens import tokens_of

    person = User.objects.owner()
    with transaction.atomic():
        conversations = Conversation.objects.bulk_create(
            Conversation(user=person, title=_text(chance, 6, 4)) for _each in range(LOT)
        )
        searched = SearchedConversation.objects.bulk_create(
            SearchedConversation(conversation=each, revision=each.revision) for each in conversations
        )
        documents, tokens, rows = [], [], []
        for each in searched:
            conversation = each.conversation
            documents.append(SearchDocument(id=each.first_id, searched=each, updated=conversation.updated))
            tokens.append(tokens_of(conversation.title))
            for number in range(1, IN_CONVERSATION + 1):
                row = Message(conversation=conversation, role="user", content=_message(chance))
                page = _page(chance) if number == 1 else ""
                rows.append(row)
                documents.append(
                    SearchDocument(id=each.first_id + number, searched=each, message=row, updated=row.updated)
                )
                tokens.append(tokens_of(row.content + page))
        Message.objects.bulk_create(rows)
        SearchDocument.objects.bulk_create(documents)
        token_index().write(person.pk, zip((row.pk for row in documents), tokens, strict=True))


def _read(chance: random.Random) -> float:
    """Milliseconds that reading a message takes, on some conversations that have not been read."""
    from askweb.accounts.models import User
    from askweb.conversations.indexing import read_conversation, unread_conversations
    from askweb.conversations.models import ContextItem, Conversation, Message
    from askweb.conversations.packing import store_packed

    for _each in range(UNREAD):
        conversation = Conversation.objects.create(user=User.objects.owner(), title=_text(chance, 6, 4))
        rows = [
            Message(conversation=conversation, role="user", content=_message(chance))
            for _message_number in range(IN_CONVERSATION)
        ]
        Message.objects.bulk_create(rows)
        store_packed(
            [
                (
                    ContextItem(message=rows[0], position=0, kind="page"),
                    {"id": "page", "content": _page(chance)},
                )
            ]
        )
    start = time.perf_counter()
    for id_ in unread_conversations():
        while read_conversation(id_):
            pass
    return (time.perf_counter() - start) * 1000 / UNREAD / IN_CONVERSATION


def _message(chance: random.Random) -> str:
    return _text(chance, 100, 40) + FOUR * (chance.random() < 0.02)


def _page(chance: random.Random) -> str:
    return _text(chance, 400, 300)


WORD_WEIGHTS = list(accumulate(1 / (rank + 2) for rank in range(len(WORDS))))
CHARACTER_WEIGHTS = list(accumulate(1 / (rank + 10) for rank in range(len(CHARACTERS))))


def _text(chance: random.Random, words: int, characters: int) -> str:
    english = " ".join(chance.choices(WORDS, cum_weights=WORD_WEIGHTS, k=words))
    return english + "".join(chance.choices(CHARACTERS, cum_weights=CHARACTER_WEIGHTS, k=characters))


def _fetch(path: str) -> Callable[[str], float]:
    from django.test import Client

    from askweb.accounts.models import User

    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.owner())

    def fetch(typed: str) -> float:
        start = time.perf_counter()
        answer = client.get(path, {"q": typed} if typed else {})
        took = (time.perf_counter() - start) * 1000
        assert answer.status_code == 200, answer.content
        return took

    return fetch


if __name__ == "__main__":
    if sys.argv[1:2] == [HERE]:
        print(json.dumps(_measure_here(*map(int, sys.argv[2:]))))
    else:
        main()

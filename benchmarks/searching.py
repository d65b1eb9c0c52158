"""How long a search takes over 100,000 messages, on SQLite and, where DATABASE_URL names one, on PostgreSQL.

Fills a database of its own with conversations of ten messages in English and Chinese, by Zipf's law, each
conversation about a page of some 3,000 characters; then asks over the API. Prints milliseconds: the median, and
the range. On PostgreSQL the database `askweb_searching` is made, and dropped at the end.

    python benchmarks/searching.py --messages 100000
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.databases import made_database  # noqa: E402

IN_CONVERSATION = 10
LOT = 500
UNREAD = 50
WORDS = [f"{chr(ord('a') + rank % 26)}{rank}" for rank in range(20_000)]
CHARACTERS = [chr(ord("一") + rank) for rank in range(3_000)]
FOUR = "".join(CHARACTERS[20:24])
"""A word of two messages in a hundred, which chance would hardly make."""
REPEATS = 9
DATABASE = "askweb_searching"
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


def main() -> None:
    arguments = _arguments()
    if arguments.here:
        measure(arguments.messages)
        return
    with tempfile.TemporaryDirectory(prefix="askweb-searching-") as folder:
        own = {"ASKWEB_DATA": folder, "ASKWEB_LOCAL_MODEL": "off", "DATABASE_URL": ""}
        _run("SQLite", arguments.messages, own)
        if url := os.environ.get("DATABASE_URL", ""):
            with made_database(url, DATABASE) as made:
                _run("PostgreSQL", arguments.messages, own | {"DATABASE_URL": made})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--here", action="store_true", help="on the database of the environment, as it is")
    return parser.parse_args()


def _run(name: str, messages: int, environment: dict[str, str]) -> None:
    print(f"{name}, {messages:,} messages", flush=True)
    command = [sys.executable, __file__, "--here", "--messages", str(messages)]
    subprocess.run(command, env=os.environ | environment, check=True)


def measure(messages: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    chance = random.Random(1)  # noqa: S311 - repeatable text
    for _lot in range(messages // IN_CONVERSATION // LOT):
        _fill(chance)
    _tidy()
    _read(chance)
    for name, typed in QUERIES.items():
        _ask(name, typed)


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


def _tidy() -> None:
    """What autovacuum does a little later by itself."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _read(chance: random.Random) -> None:
    """What reading costs, on some conversations that have not been read."""
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
    unread = unread_conversations()
    print(f"  {(time.perf_counter() - start) * 1000:.1f} ms to see what is unread")
    start = time.perf_counter()
    for id_ in unread:
        while read_conversation(id_):
            pass
    took = (time.perf_counter() - start) * 1000
    print(f"  {took / len(unread) / IN_CONVERSATION:.2f} ms to read a message", flush=True)


def _message(chance: random.Random) -> str:
    return _text(chance, 100, 40) + FOUR * (chance.random() < 0.02)


def _page(chance: random.Random) -> str:
    return _text(chance, 400, 300)


WORD_WEIGHTS = list(accumulate(1 / (rank + 2) for rank in range(len(WORDS))))
CHARACTER_WEIGHTS = list(accumulate(1 / (rank + 10) for rank in range(len(CHARACTERS))))


def _text(chance: random.Random, words: int, characters: int) -> str:
    english = " ".join(chance.choices(WORDS, cum_weights=WORD_WEIGHTS, k=words))
    return english + "".join(chance.choices(CHARACTERS, cum_weights=CHARACTER_WEIGHTS, k=characters))


def _ask(name: str, typed: str) -> None:
    from rest_framework.test import APIClient

    from askweb.accounts.models import User

    client = APIClient(SERVER_NAME="localhost")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {User.objects.owner().new_device('benchmark')[1]}")
    took = []
    for _repeat in range(REPEATS):
        start = time.perf_counter()
        answer = client.get("/api/conversations/", {"q": typed})
        took.append((time.perf_counter() - start) * 1000)
    found = answer.json()["results"]
    print(
        f"  {name:32} {median(took):7.1f}  {min(took):7.1f}–{max(took):7.1f}  {len(found)} on the page",
        flush=True,
    )


if __name__ == "__main__":
    main()

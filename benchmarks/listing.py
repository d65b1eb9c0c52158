"""How long the lists of conversations take beside few and beside many, on SQLite and, where DATABASE_URL names one,
on PostgreSQL.

Fills a database of its own with conversations of two people, the one with few and the other with many. A tenth of them
came from one site, the others from many, some ten from each; ten are pinned, and of as many more, older ones, nine in
ten are archived. Prints medians in milliseconds, and how many times as long a list of many takes.

    python benchmarks/listing.py --few 1000 --many 100000
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.databases import HERE, Compared, compared, medians, set_up, tidy  # noqa: E402

REPEATS = 41
LOT = 2000
OF_SITE = 10
ADDRESSES = {
    "the page": "/",
    "the page, archived": "/?archived=1",
    "the page, a site": "/?host=most.example",
    "the page, from the middle": "/?cursor={middle}",
    "the sites": "/conversations/hosts/",
    "the API": "/api/conversations/",
    "the API, archived": "/api/conversations/?archived=true",
    "the API, a site": "/api/conversations/?host=most.example",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--many", type=int, default=100_000)
    arguments = parser.parse_args()
    print(*measure(arguments.few, arguments.many).rows, sep="\n")


def measure(few: int, many: int) -> Compared:
    """With so many conversations that are listed, and as many that are archived."""
    return compared(__file__, few, many)


def _measure_here(few: int, many: int) -> list[list[str | float]]:
    set_up()
    from askweb.accounts.models import User

    people = [User.objects.owner(), User.objects.create_user("many", "many@example.org")]
    middles = [_fill(person, count) for person, count in zip(people, (few, many), strict=True)]
    tidy()
    found: list[list[str | float]] = []
    for name, address in ADDRESSES.items():
        fetches = [
            _fetch(person, address.format(middle=middle))
            for person, middle in zip(people, middles, strict=True)
        ]
        found.append([name, *medians(fetches, REPEATS)])
    return found


def _fill(person: Any, count: int) -> str:
    """Make the conversations; return the cursor of the one in the middle."""
    from django.utils import timezone

    from askweb.conversations.models import Conversation
    from askweb.cursors import write_cursor

    chance = random.Random(count)  # noqa: S311 - repeatable rows
    now = timezone.now()
    rows = [
        Conversation(
            user=person,
            title=f"Conversation {number}",
            updated=now - timedelta(seconds=number),
            page_host=f"site{chance.randrange(count // OF_SITE)}.example" if number % 10 else "most.example",
            pinned=number % (count // 10) == 0,
            archived=chance.random() < 0.9 and number > count,
        )
        for number in range(2 * count)
    ]
    Conversation.objects.bulk_create(rows, batch_size=LOT)
    return write_cursor(rows[count // 2].updated, rows[count // 2].pk)


def _fetch(person: Any, address: str) -> Callable[[], float]:
    """What fetches the page once, and tells how long that took."""
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(person)

    def fetch() -> float:
        start = time.perf_counter()
        answer = client.get(address)
        took = (time.perf_counter() - start) * 1000
        assert answer.status_code == 200, answer.content
        return took

    return fetch


if __name__ == "__main__":
    if sys.argv[1:2] == [HERE]:
        print(json.dumps(_measure_here(*map(int, sys.argv[2:]))))
    else:
        main()

"""How long the lists of conversations take beside few and beside many, on SQLite and, where DATABASE_URL names one,
on PostgreSQL.

Fills a database of its own with conversations of two people, the one with few and the other with many, each of which
came from a site, a hundred from each; ten are pinned, and of as many more, older ones, nine in ten are archived. Prints
the median of a whole page in milliseconds, with few and with many, and how many times as long that is.

    python benchmarks/listing.py --few 1000 --many 100000
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.databases import made_database  # noqa: E402

DATABASE = "askweb_listing"
REPEATS = 41
LOT = 2000
ADDRESSES = {
    "the page": "/",
    "the page, archived": "/?archived=1",
    "the page, a site": "/?host=site7.example",
    "the page, from the middle": "/?cursor={middle}",
    "the sites": "/conversations/hosts/",
    "the API": "/api/conversations/",
    "the API, archived": "/api/conversations/?archived=true",
    "the API, a site": "/api/conversations/?host=site7.example",
}


def main() -> None:
    arguments = _arguments()
    if arguments.here:
        measure(arguments.few, arguments.many)
        return
    with tempfile.TemporaryDirectory(prefix="askweb-listing-") as folder:
        own = {"ASKWEB_DATA": folder, "ASKWEB_LOCAL_MODEL": "off", "DATABASE_URL": ""}
        _run("SQLite", arguments, own)
        if url := os.environ.get("DATABASE_URL", ""):
            with made_database(url, DATABASE) as made:
                _run("PostgreSQL", arguments, own | {"DATABASE_URL": made})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--here", action="store_true", help="on the database of the environment, as it is")
    return parser.parse_args()


def _run(name: str, arguments: argparse.Namespace, environment: dict[str, str]) -> None:
    print(f"{name}: {arguments.few:,} and {arguments.many:,} conversations", flush=True)
    numbers = ["--few", str(arguments.few), "--many", str(arguments.many)]
    command = [sys.executable, __file__, "--here", *numbers]
    subprocess.run(command, env=os.environ | environment, check=True)


def measure(few: int, many: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from askweb.accounts.models import User

    people = [User.objects.owner(), User.objects.create_user("many", "many@example.org")]
    middles = [_fill(person, count) for person, count in zip(people, (few, many), strict=True)]
    _tidy()
    for name, address in ADDRESSES.items():
        pages = [
            _page(person, address.format(middle=middle))
            for person, middle in zip(people, middles, strict=True)
        ]
        with_few, with_many = _medians(*pages)
        print(f"  {name:28} {with_few:7.2f} {with_many:7.2f}   × {with_many / with_few:.2f}", flush=True)


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
            page_host=f"site{chance.randrange(count // 100)}.example",
            pinned=number % (count // 10) == 0,
            archived=chance.random() < 0.9 and number > count,
        )
        for number in range(2 * count)
    ]
    Conversation.objects.bulk_create(rows, batch_size=LOT)
    return write_cursor(rows[count // 2].updated, rows[count // 2].pk)


def _tidy() -> None:
    """What autovacuum, or `PRAGMA optimize`, does a little later by itself."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _page(person: Any, address: str) -> Callable[[], float]:
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


def _medians(*fetches: Callable[[], float]) -> list[float]:
    """By turns, so that what else the machine does falls on all alike."""
    rounds = [[fetch() for fetch in fetches] for _repeat in range(REPEATS)]
    return [median(each) for each in zip(*rounds[1:], strict=True)]


if __name__ == "__main__":
    main()

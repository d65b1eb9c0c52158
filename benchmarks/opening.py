"""How long a conversation takes to open that has few messages, and one that has many; on SQLite and, where
DATABASE_URL names one, on PostgreSQL.

Fills a database of its own with two conversations in which each question was answered by a run. Prints medians in
milliseconds, and how many times as long many messages take. The snapshot is what a socket gets first when it
subscribes, encoded.

    python benchmarks/opening.py --few 100 --many 10000
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.databases import HERE, Compared, compared, medians, set_up, tidy  # noqa: E402

REPEATS = 41
LOT = 2000
REPLY = "First install what you need, *then* run it: `pip install example` takes about **a minute**.\n\n" * 6
PATHS = {
    "the page": "/conversations/{id}/",
    "an earlier page": "/conversations/{id}/?before={middle}",
    "the API": "/api/conversations/{id}/messages/",
    "the API, from the middle": "/api/conversations/{id}/messages/?before={middle}",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--many", type=int, default=10_000)
    arguments = parser.parse_args()
    print(*measure(arguments.few, arguments.many).rows, sep="\n")


def measure(few: int, many: int) -> Compared:
    """With so many messages in the conversation."""
    return compared(__file__, few, many)


def _measure_here(few: int, many: int) -> list[list[str | float]]:
    set_up()
    conversations = [_fill(count) for count in (few, many)]
    tidy()
    found: list[list[str | float]] = []
    for name, path in PATHS.items():
        fetches = [_fetch(path.format(id=id_, middle=middle)) for id_, middle in conversations]
        found.append([name, *medians(fetches, REPEATS)])
    found.append(["the snapshot", *medians([_snapshot(id_) for id_, _middle in conversations], REPEATS)])
    return found


def _fill(count: int) -> tuple[str, str]:
    """Make a conversation; return its id, and that of the message in its middle."""
    from askweb.accounts.models import User
    from askweb.conversations.models import Conversation, Message
    from askweb.conversations.rendering import render
    from askweb.runs.models import Run, State

    conversation = Conversation.objects.create(user=User.objects.owner(), title=f"{count} messages")
    html = render("assistant", REPLY)
    rows: list[Message] = []
    for number in range(count):
        row = Message(conversation=conversation, parent=rows[-1] if rows else None, role="user")
        row.content = f"And what comes after {number}?"
        if number % 2:
            row.role, row.content, row.html = "assistant", REPLY, html
        rows.append(row)
    runs = [
        Run(conversation=conversation, message=asked, reply=reply, state=State.COMPLETED, model="mock")
        for asked, reply in zip(rows[::2], rows[1::2], strict=True)
    ]
    Message.objects.bulk_create(rows, batch_size=LOT)
    Run.objects.bulk_create(runs, batch_size=LOT)
    conversation.head = rows[-1]
    conversation.save()
    return str(conversation.pk), str(rows[count // 2].pk)


def _fetch(path: str) -> Callable[[], float]:
    from django.test import Client

    from askweb.accounts.models import User

    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.owner())

    def fetch() -> float:
        start = time.perf_counter()
        answer = client.get(path)
        took = (time.perf_counter() - start) * 1000
        assert answer.status_code == 200, answer.content
        return took

    return fetch


def _snapshot(id_: str) -> Callable[[], float]:
    from uuid import UUID

    from askweb.accounts.models import User
    from askweb.conversations.snapshots import take_snapshot
    from askweb.runs.hub import Hub

    person = User.objects.owner().pk

    async def take() -> Any:
        return await take_snapshot(person, UUID(id_), Hub())

    def timed() -> float:
        start = time.perf_counter()
        assert runner.run(take()) is not None
        return (time.perf_counter() - start) * 1000

    runner = asyncio.Runner()
    return timed


if __name__ == "__main__":
    if sys.argv[1:2] == [HERE]:
        print(json.dumps(_measure_here(*map(int, sys.argv[2:]))))
    else:
        main()

"""Faults of every kind while people ask: in the end everyone's text is what is stored, and nothing hangs.

Eight people by default; `make chaos` has 200, and prints figures.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.chaos.people import Person, all_live
from tests.chaos.postgresql import PostgreSQL
from tests.chaos.speaking import WORDS, Speaker
from tests.stand_ins.own_redis import Redis
from tests.stand_ins.several import SeveralProcesses

pytestmark = pytest.mark.postgresql
PEOPLE = int(os.environ.get("ASKWEB_CHAOS", "8"))
WHOLE = "".join(f"{number} 字\n\n" for number in range(WORDS))


@pytest.fixture(scope="module")
def database() -> Iterator[PostgreSQL]:
    with TemporaryDirectory(
        prefix="askweb-postgresql-"
    ) as folder:  # pytest's own are for nobody but its user
        database = PostgreSQL(Path(folder))
        database.create()
        yield database
        database.stop()


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, database: PostgreSQL, redis: Redis
) -> Iterator[SeveralProcesses]:
    folder = tmp_path_factory.mktemp("askweb")
    server = SeveralProcesses(folder, webs=2, workers=2, database_url=database.url, REDIS_URL=redis.url)
    server.start()
    yield server
    server.close()


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    speaker = Speaker()
    yield speaker
    speaker.close()


def test_everyone_ends_with_what_is_stored(
    server: SeveralProcesses, database: PostgreSQL, redis: Redis, speaker: Speaker
) -> None:
    row = {"slug": "speaker", "base_url": speaker.base_url, "default_model": "m", "api_key": "sk-test"}
    assert server.post("/api/providers/", row).status == 201
    people = [Person(server, "speaker", number) for number in range(PEOPLE)]
    began = time.monotonic()
    threads = all_live(people)
    faults: list[tuple[str, Callable[[], object]]] = [
        ("a worker is killed", lambda: _restart_worker(server, 0, kill=True)),
        ("a web process is killed", lambda: _restart_web(server, 0, kill=True)),
        ("Redis is killed", lambda: (redis.kill(), redis.start())),
        ("PostgreSQL is stopped as by a power cut", lambda: (database.stop(), database.start())),
        ("the provider is cut off", speaker.cut),
        ("a web process is asked to end", lambda: _restart_web(server, 1, kill=False)),
        ("a worker is asked to end", lambda: _restart_worker(server, 1, kill=False)),
    ]
    for name, act in faults:
        time.sleep(1)
        act()
        print(f"{time.monotonic() - began:6.1f} s  {name}")
    for thread in threads:
        thread.join(260)
    seconds = time.monotonic() - began
    problems = [(person.number, person.problem) for person in people if not person.ended]
    assert problems == [], server.log[-3000:]
    states = Counter(_outcome(server, person) for person in people)
    posts, sockets = sum(person.tries for person in people), sum(person.sockets for person in people)
    print(
        f"{PEOPLE} people, {posts} posts, {sockets} sockets, {speaker.calls} calls, {seconds:.0f} s: {dict(states)}"
    )
    assert server.manage("shell", "-v0", "-c", COUNTS) == f"{PEOPLE} {PEOPLE} 0"


COUNTS = (
    "from askweb.conversations.models import *; from askweb.runs.models import *; "
    "print(Conversation.objects.count(), Run.objects.count(), Run.objects.active().count())"
)


def _outcome(server: SeveralProcesses, person: Person) -> str:
    """How the run ended, once it is sure that the person saw all of it."""
    assert person.asked is not None
    run, stored = server.run(person.asked.run), server.message(person.asked.reply)["content"]
    assert person.text == stored
    assert WHOLE.startswith(stored)
    assert run["state"] in ("completed", "interrupted", "failed")
    assert stored == WHOLE or run["state"] != "completed"
    return f"{run['state']} {run['code'] or ''}".strip()


def _restart_web(server: SeveralProcesses, index: int, *, kill: bool) -> None:
    web = server.webs[index]
    web.kill() if kill else web.terminate()
    web.wait(30)
    server.start_web(index)


def _restart_worker(server: SeveralProcesses, index: int, *, kill: bool) -> None:
    worker = server.workers[index]
    worker.kill() if kill else worker.terminate()
    worker.wait(40)
    server.start_worker(index)

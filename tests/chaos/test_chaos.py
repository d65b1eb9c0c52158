"""Faults of every kind while people ask: in the end everyone's text is what is stored, and nothing hangs.

Eight people by default; `make chaos` has 200, and prints figures.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.chaos.conftest import MakeSpeaker
from tests.chaos.people import Person, all_live
from tests.chaos.postgresql import PostgreSQL
from tests.chaos.speaking import WORDS, Speaker, whole
from tests.stand_ins.lossy_redis import Chances, LossyRedis
from tests.stand_ins.own_redis import Redis
from tests.stand_ins.several import SeveralProcesses
from tests.waiting import until

pytestmark = pytest.mark.postgresql
PEOPLE = int(os.environ.get("ASKWEB_CHAOS", "8"))
LOSSY = Chances(lost=0.1, twice=0.1, late=0.1)
FEW_WORDS = 20
TOLD_THAT_IT_RESTARTS = 4012


def test_everyone_ends_with_what_is_stored(
    server: SeveralProcesses,
    database: PostgreSQL,
    redis: Redis,
    lossy: LossyRedis,
    new_speaker: MakeSpeaker,
) -> None:
    speaker, slug = new_speaker(WORDS)
    lossy.chances = LOSSY
    people = [Person(server, slug, number) for number in range(PEOPLE)]
    before = _counted(server)
    faults: list[tuple[str, Callable[[], object]]] = [
        ("a worker is killed", lambda: _restart_worker(server, 0, kill=True)),
        ("a web process is killed", lambda: _restart_web(server, 0, kill=True)),
        ("Redis is killed", lambda: (redis.kill(), redis.start())),
        ("PostgreSQL is stopped as by a power cut", lambda: (database.stop(), database.start())),
        ("the provider is cut off", speaker.cut),
        ("a web process is asked to end", lambda: _restart_web(server, 1, kill=False)),
        ("a worker is asked to end", lambda: _restart_worker(server, 1, kill=False)),
    ]
    began = time.monotonic()
    threads = all_live(people)
    for name, act in faults:
        time.sleep(1)
        act()
        print(f"{time.monotonic() - began:6.1f} s  {name}")
    for thread in threads:
        thread.join(260)
    seconds = time.monotonic() - began
    _all_ended(server, people)
    states = Counter(_outcome(server, person, speaker) for person in people)
    posts, sockets = sum(person.tries for person in people), sum(person.sockets for person in people)
    print(
        f"{PEOPLE} people, {posts} posts, {sockets} sockets, {sum(person.answers for person in people)} answers, "
        f"{speaker.calls} calls, {seconds:.0f} s: {dict(states)}; of Redis' messages {lossy.lost} were lost, "
        f"{lossy.twice} came twice, {lossy.late} late"
    )
    assert _counted(server, before) == (PEOPLE, PEOPLE, 0)
    assert not any("run.crashed" in state or "database" in state for state in states)


def test_a_restart_of_the_database_ends_no_run(
    server: SeveralProcesses, database: PostgreSQL, new_speaker: MakeSpeaker
) -> None:
    speaker, slug = new_speaker(FEW_WORDS)
    asked = [server.ask(slug, f"Question {number}") for number in range(6)]
    database.stop()
    time.sleep(1)
    database.start()
    back = time.monotonic()
    later = _ask_patiently(server, slug)
    ended = [server.ended(each, seconds=15) for each in (*(each.run for each in asked), later)]
    assert [run["state"] for run in ended] == ["completed"] * 7, ended
    assert [server.message(each.reply)["content"] for each in asked] == [whole(FEW_WORDS)] * 6
    assert speaker.calls == 7
    print(f"everything had been said {time.monotonic() - back:.1f} s after the database was back")


def test_a_rolling_restart_costs_nobody_anything(server: SeveralProcesses, new_speaker: MakeSpeaker) -> None:
    speaker, slug = new_speaker(WORDS)
    people = [Person(server, slug, number, delay=number // 8 * 2.0) for number in range(12)]
    for person in people:
        person.is_asked = person.is_unreliable = person.is_sleepy = False
    before = _counted(server)
    threads = all_live(people)
    until("some follow already", lambda: all(person.sockets for person in people[:8]))
    for index in (0, 1):
        server.replace(index)
    for thread in threads:
        thread.join(60)
    _all_ended(server, people)
    assert {_outcome(server, person, speaker) for person in people} == {"completed"}
    assert _counted(server, before) == (12, 12, 0)
    assert speaker.calls == 12
    assert {code for person in people for code in person.closes} == {TOLD_THAT_IT_RESTARTS}


def _ask_patiently(server: SeveralProcesses, slug: str) -> str:
    """The run of a question that is posted until it is taken."""
    person = Person(server, slug, 1000)
    while person.asked is None:
        try:
            person._ask()
        except TimeoutError:
            time.sleep(0.1)
    return person.asked.run


def _all_ended(server: SeveralProcesses, people: list[Person]) -> None:
    problems = [(person.number, person.problem) for person in people if not person.ended]
    assert problems == [], server.log[-3000:]


COUNTS = (
    "from askweb.conversations.models import *; from askweb.runs.models import *; "
    "print(Conversation.objects.count(), Run.objects.count(), Run.objects.active().count())"
)


def _counted(server: SeveralProcesses, before: tuple[int, ...] = (0, 0, 0)) -> tuple[int, ...]:
    """Conversations, runs and active runs, since then."""
    now = map(int, server.manage("shell", "-v0", "-c", COUNTS).split())
    return tuple(count - earlier for count, earlier in zip(now, before, strict=True))


def _outcome(server: SeveralProcesses, person: Person, speaker: Speaker) -> str:
    """How the run ended, once it is sure that the person saw all of it, and was heard once."""
    assert person.asked is not None
    run, stored = server.run(person.asked.run), server.message(person.asked.reply)["content"]
    assert person.text == stored
    assert whole(speaker.words).startswith(stored)
    assert run["state"] in ("completed", "interrupted", "failed")
    assert stored == whole(speaker.words) or run["state"] != "completed"
    if person.is_asked:
        _was_heard_once(server, person, speaker)
    return f"{run['state']} {run['code'] or ''}".strip()


def _was_heard_once(server: SeveralProcesses, person: Person, speaker: Speaker) -> None:
    assert person.asked is not None
    path = f"/api/questions/?conversation={person.asked.conversation}"
    (row,) = server.get(path).json["results"]
    assert (person.answers, row["status"]) == (1, "answered"), row
    told = [json.loads(result) for result in speaker.answers[person.number]]
    assert len(told) <= 1, told
    assert all("Production" in json.dumps(result) for result in told)
    assert told or server.run(person.asked.run)["state"] != "completed"


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

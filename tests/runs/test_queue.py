"""Waiting runs are served in turn between people, each person's in their order."""

import asyncio
from typing import Any, cast

import pytest
from django.utils import translation

from askweb.ids import new_id
from askweb.runs import supervising
from askweb.runs.supervising import Queue, Supervisor

ANNA, BEN, CLEO = (new_id() for _ in range(3))


def fill(order: str) -> tuple[Queue, dict[object, str]]:
    """One run for each letter, `aab` for two of Anna's and one of Ben's; they are named a1, a2, b1."""
    queue, names = Queue(), {}
    for at, letter in enumerate(order):
        run_id = new_id()
        names[run_id] = f"{letter}{order[: at + 1].count(letter)}"
        queue.put(run_id, {"a": ANNA, "b": BEN, "c": CLEO}[letter])
    return queue, names


def drain(queue: Queue, names: dict[object, str]) -> list[str]:
    return [names[run_id] for run_id in iter(queue.take, None)]


@pytest.mark.parametrize(
    ("order", "served"),
    [
        ("", []),
        ("aaa", ["a1", "a2", "a3"]),
        ("aaab", ["a1", "b1", "a2", "a3"]),
        ("aaabbc", ["a1", "b1", "c1", "a2", "b2", "a3"]),
    ],
)
def test_nobody_waits_behind_anothers_many(order: str, served: list[str]) -> None:
    queue, names = fill(order)
    assert drain(queue, names) == served


def test_a_run_waits_once_however_often_it_is_put() -> None:
    queue, run_id = Queue(), new_id()
    for _again in range(3):
        queue.put(run_id, ANNA)
    assert (queue.take(), queue.take()) == (run_id, None)


def test_a_run_that_was_taken_may_wait_again() -> None:
    queue, run_id = Queue(), new_id()
    queue.put(run_id, ANNA)
    queue.take()
    queue.put(run_id, ANNA)
    assert queue.take() == run_id


def test_who_comes_late_is_served_next() -> None:
    queue, names = fill("aaa")
    queue.take()
    run_id = new_id()
    names[run_id] = "b1"
    queue.put(run_id, BEN)
    assert drain(queue, names) == ["a2", "b1", "a3"]


async def test_a_run_has_nothing_of_the_request_that_made_room_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    language: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

    async def execute(*arguments: object) -> None:
        language.set_result(translation.get_language())

    monkeypatch.setattr(supervising, "execute", execute)
    supervisor = Supervisor()
    supervisor._means = cast(Any, object())
    with translation.override("ja"):
        supervisor._enqueue(new_id(), new_id())
    assert await language == "en"

"""Two transactions at once, which only PostgreSQL lets write side by side."""

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import connection


class InThread:
    """Runs acts in another connection each."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def __call__(self, act: Callable[[], object]) -> None:
        def run() -> None:
            act()
            connection.close()

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()


@pytest.fixture
def in_thread(postgresql: str, transactional_db: None) -> Iterator[InThread]:
    threads = InThread()
    yield threads
    threads.join()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])

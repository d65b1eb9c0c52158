"""Short database work from the event loop, in threads of its own.

Django's async ORM shares one thread per context; runs would wait for each other and for requests. On
SQLite one thread is right: there is one writer anyway, and its connection stays open.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections, connection, transaction

P = ParamSpec("P")
R = TypeVar("R")

AWAY = (OperationalError, InterfaceError)
"""What acts raise while the database is locked, full, starting or gone; it may pass by itself."""
PAUSE = 1.0
"""Seconds until the next try of what a database that was away must take."""
LOCK = 7_267_501
"""Of PostgreSQL's advisory locks."""
THREADS = 1 if settings.ON_SQLITE else 4
_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="database")


async def in_database(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `act` in a database thread and return what it returns. Keep it short: no network inside."""
    return await asyncio.get_running_loop().run_in_executor(_pool, partial(_act, act, *args, **kwargs))


@contextmanager
def one_process_at_a_time() -> Iterator[None]:
    """A transaction that waits for those of other processes which were entered by this. On SQLite all do anyway."""
    with transaction.atomic():
        if not settings.ON_SQLITE:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield


def _act(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return act(*args, **kwargs)
    finally:
        if not settings.ON_SQLITE:
            close_old_connections()

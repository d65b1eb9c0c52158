"""`manage.py up`, the whole server in one process, `web` and `worker`, which divide it among several; and one clear
sentence for everything that prevents them.
"""

import asyncio
import ctypes
import errno
import gc
import os
import shutil
import signal
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from askweb.accounts.links import sign_in_url
from askweb.accounts.models import User
from askweb.metrics import serve_metrics
from askweb.providers.local.choosing import NoLocalModel
from askweb.providers.local.configured import configured_model
from askweb.runs.data_folder import DataFolderInUse, folder_lock
from askweb.runs.engine import engine
from askweb.runs.shutting_down import hurry, shut_down

MESSAGE_LIMIT = 64 * 1024 * 1024
"""Bytes of a message. daphne's own limit, 1 MiB, is for both ways, and less than a snapshot with a long answer in it."""
FRAME_LIMIT = 1024 * 1024
"""Bytes of a frame that comes in, as in daphne; commands are short."""

M_ARENA_MAX = -8
"""Of glibc's `malloc.h`."""

ROOM = 1024 * 1024
"""Bytes without which nothing works."""

FIXES = {
    errno.EADDRINUSE: "another program uses it. Stop that one, or choose another: PORT=8001 make run",
    errno.EACCES: "this user may not use it. Choose a port above 1024: PORT=8000 make run",
    errno.EADDRNOTAVAIL: "this machine has no such address. Use HOST=127.0.0.1",
}


class CannotServe(Exception):
    """Why the server can't start, and what to do, in one sentence."""


def serve(say: Callable[[str], Any]) -> None:
    """Migrate, start the engine, print the sign-in line, and serve until a signal comes."""
    _share_one_arena()
    _check_address()
    try:
        folder_lock.take()
        call_command("migrate", verbosity=0, interactive=False)
        link = sign_in_url(User.objects.owner())
    except DataFolderInUse as error:
        raise CannotServe(str(error)) from error
    except OSError as error:
        folder = settings.DATA_DIR
        raise CannotServe(
            f"Can't write to the data folder {folder}: {error.strerror}. "
            "Make it writable, or choose another one: ASKWEB_DATA=/a/folder/of/yours"
        ) from error
    except DatabaseError as error:
        raise _database_unusable(error) from error
    finally:
        connections.close_all()
    _run_server(lambda: _greet(link, say))


def serve_web(say: Callable[[str], Any]) -> None:
    """Serve people until a signal comes; workers execute the runs."""
    _share_one_arena()
    _check_many()
    _check_address()
    from askweb.runs.jobs import Web

    engine.choose(Web())
    _run_server(lambda: say(f"Serving {settings.ASKWEB_URL} on {settings.HOST}:{settings.PORT}"))


def work(say: Callable[[str], Any]) -> None:
    """Execute runs until a signal comes."""
    _share_one_arena()
    _check_many()
    from askweb.runs.jobs import Worker

    engine.choose(Worker())
    asyncio.run(_work(say))


async def _work(say: Callable[[str], Any]) -> None:
    serve_metrics()
    await _start_engine()
    say(f"Working on up to {settings.ASKWEB_RUNS_AT_ONCE} runs at once")
    ended = asyncio.Event()

    def stop(number: int) -> None:
        if ended.is_set():
            os._exit(1)
        if number == signal.SIGINT:
            hurry()
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    await ended.wait()
    await shut_down()


def _check_many() -> None:
    """What several processes need: a database and a Redis that all of them reach, and one form of the tables."""
    if settings.ON_SQLITE or not settings.REDIS_URL:
        lacking = "DATABASE_URL=postgresql://…" if settings.ON_SQLITE else "REDIS_URL=redis://…"
        raise CannotServe(
            f"Several processes need PostgreSQL and Redis, or they lose work: set {lacking}, or run `manage.py up` alone."
        )
    try:
        plan = MigrationExecutor(connection).migration_plan(
            MigrationExecutor(connection).loader.graph.leaf_nodes()
        )
    except DatabaseError as error:
        raise _database_unusable(error) from error
    finally:
        connections.close_all()
    if plan:
        raise CannotServe("The database's tables are of an older release: run `manage.py migrate` first.")


def _run_server(greet: Callable[[], None]) -> None:
    # daphne installs Twisted's asyncio reactor when it is imported, before anything else of Twisted may be.
    from daphne import http_protocol
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server, twisted_loop

    from askweb.asgi import application

    # Otherwise Twisted reads each posted form into memory, for itself, and answers a broken one with nothing.
    http_protocol.WebRequest = partial(http_protocol.WebRequest, parsePOSTFormSubmission=False)
    asyncio.set_event_loop(twisted_loop)
    twisted_loop.run_until_complete(_start_engine())
    server = Server(
        application,
        endpoints=build_endpoint_description_strings(host=settings.HOST, port=settings.PORT),
        signal_handlers=False,
        websocket_timeout=-1,
        websocket_max_message_size=MESSAGE_LIMIT,
        websocket_max_frame_size=FRAME_LIMIT,
        ready_callable=greet,
    )
    _stop_on_signals(twisted_loop, server)
    server.run()


async def _start_engine() -> None:
    try:
        await engine.start()
    except DatabaseError as error:
        raise _database_unusable(error) from error
    _collect_less()


def _share_one_arena() -> None:
    """Before there are threads: of a thread's own arena only the little that is free at its end is ever given back, so
    that all of them together hold megabytes more with every hundred conversations. Only glibc has arenas.
    """
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def _collect_less() -> None:
    """What is loaded by now stays, so that no collection need look through it: each would hold everything up for a
    tenth of a second, and for that reason come so seldom that megabytes of garbage wait for it.
    """
    gc.collect()
    gc.freeze()


def _database_unusable(error: DatabaseError) -> CannotServe:
    """SQLite has many words for a full disk."""
    if settings.ON_SQLITE and shutil.disk_usage(settings.DATA_DIR).free < ROOM:
        return CannotServe(f"The disk of the data folder {settings.DATA_DIR} is full. Make room on it.")
    return CannotServe(f"The database can't be used: {error}")


def _check_address() -> None:
    """Find out before anything else whether the port is to be had; daphne would only log that it isn't."""
    try:
        family = socket.getaddrinfo(settings.HOST, settings.PORT, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((settings.HOST, settings.PORT), family=family).close()
    except OSError as error:
        why = FIXES.get(error.errno or 0, error.strerror)
        raise CannotServe(f"Can't listen on {settings.HOST}:{settings.PORT}: {why}") from error


def _greet(link: str, say: Callable[[str], Any]) -> None:
    local = configured_model()
    if isinstance(local, NoLocalModel) and local.reason != "off":
        say(local.message)
    say(f"Sign in: {link}")
    if os.environ.get("OPEN") == "1":
        webbrowser.open(link)


def _stop_on_signals(loop: asyncio.AbstractEventLoop, server: Any) -> None:
    tasks: list[asyncio.Task[None]] = []

    def stop(number: int) -> None:
        if tasks:
            os._exit(1)  # asked twice: the person does not want to wait for runs to finish
        if number == signal.SIGINT:
            hurry()
        tasks.append(loop.create_task(_shut_down(server)))

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)


async def _shut_down(server: Any) -> None:
    try:
        await shut_down()
    finally:
        server.stop()

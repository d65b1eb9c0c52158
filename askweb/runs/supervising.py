"""The engine for one machine: runs are tasks of the web process, bounded in number and fair between people."""

import asyncio
import logging
from collections import OrderedDict, deque
from contextvars import Context
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from askweb.audit.models import AuditEntry
from askweb.conversations.reading_on import keep_reading
from askweb.providers.finding import find_in_background
from askweb.runs.beating import keep_beating
from askweb.runs.closing import keep_closing
from askweb.runs.data_folder import folder_lock
from askweb.runs.database import in_database
from askweb.runs.executing import Signals, execute
from askweb.runs.hub import hub
from askweb.runs.keeping import Keepers
from askweb.runs.leasing import keep_looking
from askweb.runs.means import Means
from askweb.runs.start_up import start_up
from askweb.runs.sweeping import expire_questions, remove_temporary, waiting_to_run
from prompts.handlebars import load_engine

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 30
LAST_SECONDS = 5
"""How long an interrupted run may take to save its text when the process ends."""


class Queue:
    """Waiting runs, one queue a person, served in turn, so that nobody waits behind another's hundred."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[UUID, deque[UUID]] = OrderedDict()
        self._known: set[UUID] = set()

    def put(self, run_id: UUID, person_id: UUID) -> None:
        if run_id not in self._known:
            self._known.add(run_id)
            self._waiting.setdefault(person_id, deque()).append(run_id)

    def take(self) -> UUID | None:
        if not self._waiting:
            return None
        person_id, runs = self._waiting.popitem(last=False)
        run_id = runs.popleft()
        if runs:
            self._waiting[person_id] = runs
        self._known.discard(run_id)
        return run_id


class Supervisor:
    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting: asyncio.Task[None] | None = None
        self._queue = Queue()
        self._running: dict[UUID, tuple[asyncio.Task[None], Signals]] = {}
        self._keepers = Keepers()
        self._means: Means | None = None
        self._draining = False

    async def start(self) -> None:
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)

    def enqueue(self, run_id: UUID, person_id: UUID) -> None:
        transaction.on_commit(lambda: self._in_loop(self._enqueue, run_id, person_id))

    def request_stop(self, run_id: UUID) -> None:
        self._in_loop(self._request_stop, run_id)

    async def drain(self, seconds: float) -> None:
        if self._means is None or self._draining:
            return
        self._draining = True
        tasks = [task for task, _signals in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        for _task, signals in self._running.values():
            signals.interrupt.set()
        if tasks:
            await asyncio.wait(tasks, timeout=LAST_SECONDS)
        await self._close()

    async def _start(self) -> None:
        """Where it fails, whoever comes next tries again: the fault may pass, as a locked database does."""
        try:
            await self._begin()
        except Exception:
            await self._close()
            raise

    async def _begin(self) -> None:
        folder_lock.take()
        self._loop = asyncio.get_running_loop()
        hub.open()
        await in_database(start_up)
        self._means = Means.open(hub)
        await self._take_up()
        for keeper in (
            self._means.checkpoints.keep(),
            keep_looking(lambda: self._running),
            self._sweep(),
            keep_beating(hub),
            keep_closing(hub),
            find_in_background(),
            keep_reading(),
            asyncio.to_thread(load_engine),
        ):
            self._keepers.keep(keeper)

    async def _close(self) -> None:
        await self._keepers.close()
        if self._means is not None:
            await self._means.close()
        hub.close()
        folder_lock.release()
        self._starting, self._means, self._draining = None, None, False

    def _in_loop(self, act: Any, *arguments: UUID) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act, *arguments)

    def _enqueue(self, run_id: UUID, person_id: UUID) -> None:
        if run_id not in self._running:
            self._queue.put(run_id, person_id)
            self._fill()

    def _fill(self) -> None:
        """Start waiting runs while there is room, without the context of whoever made it: their language, say."""
        while self._means and not self._draining and len(self._running) < settings.ASKWEB_RUNS_AT_ONCE:
            run_id = self._queue.take()
            if run_id is None:
                return
            signals = Signals()
            task = asyncio.create_task(execute(run_id, self._means, signals), context=Context())
            self._running[run_id] = (task, signals)
            task.add_done_callback(partial(self._done, run_id))

    def _done(self, run_id: UUID, task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("run %s could not be ended; the sweeper will", run_id, exc_info=error)
        self._fill()

    def _request_stop(self, run_id: UUID) -> None:
        if run_id in self._running:
            self._running[run_id][1].stop.set()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await in_database(remove_temporary, hub.topics())
                await in_database(expire_questions)
                await in_database(AuditEntry.objects.forget_old)
                await self._take_up()
            except Exception:
                logger.exception("sweep failed; trying again in %d seconds", SWEEP_SECONDS)

    async def _take_up(self) -> None:
        for run_id, person_id in await in_database(waiting_to_run):
            self._enqueue(run_id, person_id)

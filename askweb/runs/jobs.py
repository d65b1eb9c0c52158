"""The engines for many machines. Web processes store a job with each queued run; workers execute them.

The job is only how a worker hears of a run: the row is what counts. A job whose worker was killed is never looked at
again, since the sweeper stores another one for a run that still waits.
"""

import asyncio
import logging
from collections.abc import Collection
from contextvars import Context
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import connection
from procrastinate import JobContext, PsycopgConnector
from procrastinate.contrib.django import app, connector_params
from procrastinate.contrib.django.models import ProcrastinateJob

from askweb.audit.models import AuditEntry
from askweb.conversations.reading_on import keep_reading
from askweb.providers.finding import find_in_background
from askweb.runs.beating import keep_beating
from askweb.runs.closing import keep_closing
from askweb.runs.database import in_database, one_process_at_a_time
from askweb.runs.executing import Signals, execute
from askweb.runs.hub import hub
from askweb.runs.keeping import Keepers
from askweb.runs.leasing import keep_looking
from askweb.runs.means import Means
from askweb.runs.models import Run
from askweb.runs.relaying import Relay
from askweb.runs.start_up import start_up
from askweb.runs.supervising import LAST_SECONDS, SWEEP_SECONDS
from askweb.runs.sweeping import expire_questions, remove_temporary, waiting_to_run
from prompts.handlebars import load_engine

logger = logging.getLogger(__name__)

QUEUE = "runs"
REST = 1.0
"""Seconds until a worker that lost the database looks for jobs again."""
STOPS_SECONDS = 2.0
"""Between two looks at what was asked to stop, for where Redis did not tell."""


@app.task(name="askweb.execute", queue=QUEUE, pass_context=True)
async def execute_run(context: JobContext, run_id: str) -> None:
    await context.additional_context["execute"](UUID(run_id))


class Jobs:
    """What web processes and workers have in common."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting: asyncio.Task[None] | None = None
        self._keepers = Keepers()

    async def start(self) -> None:
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)

    def enqueue(self, run_id: UUID, person_id: UUID) -> None:
        execute_run.defer(run_id=str(run_id))

    def request_stop(self, run_id: UUID) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell_stop, run_id)

    async def drain(self, seconds: float) -> None:
        await self._close()

    async def _start(self) -> None:
        """Where it fails, whoever comes next tries again."""
        try:
            self._loop = asyncio.get_running_loop()
            hub.open()
            await in_database(start_up)
            await self._begin()
        except Exception:
            await self._close()
            raise

    async def _begin(self) -> None:
        raise NotImplementedError

    async def _close(self) -> None:
        await self._keepers.close()
        hub.close()
        hub.relay = self._starting = None

    def _tell_stop(self, run_id: UUID) -> None:
        if hub.relay is not None:
            hub.relay.tell_stop(run_id)


class Web(Jobs):
    """Serves people; executes nothing."""

    async def _begin(self) -> None:
        hub.relay = relay = Relay(hub)
        for keeper in (
            relay.keep_hearing(),
            relay.keep_telling(),
            relay.mirrors.keep_tidy(),
            keep_beating(hub, relay.missed),
            keep_closing(hub),
            self._keep_watched(),
            asyncio.to_thread(load_engine),
        ):
            self._keepers.keep(keeper)

    async def _keep_watched(self) -> None:
        """Temporary conversations stay while somebody watches them here."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await in_database(remove_temporary, hub.topics())
            except Exception:
                logger.exception("sweep failed; trying again in %d seconds", SWEEP_SECONDS)


class Worker(Jobs):
    """Executes runs, at most `ASKWEB_RUNS_AT_ONCE`."""

    def __init__(self) -> None:
        super().__init__()
        self._means: Means | None = None
        self._running: dict[UUID, tuple[asyncio.Task[None], Signals]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def drain(self, seconds: float) -> None:
        if self._means is None or self._looking is None:
            return
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        await self._give_back()
        await self._wait(seconds)
        for _task, signals in self._running.values():
            signals.interrupt.set()
        await self._wait(LAST_SECONDS)
        if hub.relay is not None:
            await hub.relay.tell_rest()
        await self._close()

    async def execute(self, run_id: UUID) -> None:
        """Execute the run. It goes on though whoever waits for it is cancelled."""
        if run_id in self._running or self._means is None:
            return
        signals = Signals()
        task = asyncio.create_task(execute(run_id, self._means, signals), context=Context())
        self._running[run_id] = (task, signals)
        task.add_done_callback(partial(self._done, run_id))
        await asyncio.shield(task)

    async def _begin(self) -> None:
        hub.relay = relay = Relay(hub, stop=self._stop)
        self._means = Means.open(hub)
        for keeper in (
            relay.keep_hearing(),
            relay.keep_telling(),
            self._means.checkpoints.keep(),
            keep_looking(lambda: self._running),
            self._sweep(),
            self._look_for_stops(),
            find_in_background(),
            keep_reading(),
            asyncio.to_thread(load_engine),
        ):
            self._keepers.keep(keeper)
        self._looking = asyncio.create_task(self._look_for_jobs())

    async def _close(self) -> None:
        await super()._close()
        if self._means is not None:
            await self._means.close()
            self._means = None

    async def _give_back(self) -> None:
        """What Procrastinate had fetched and not begun would else wait for the sweep of another worker."""
        try:
            async with asyncio.timeout(REST):
                await in_database(_enqueue_forgotten)
        except Exception as error:
            logger.warning("jobs are left to the other workers' sweep: %s", type(error).__name__)

    async def _wait(self, seconds: float) -> None:
        if tasks := [task for task, _signals in self._running.values()]:
            await asyncio.wait(tasks, timeout=seconds)

    def _done(self, run_id: UUID, task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("run %s could not be ended; the sweeper will", run_id, exc_info=error)

    def _stop(self, run_id: UUID) -> None:
        if run_id in self._running:
            self._running[run_id][1].stop.set()

    async def _look_for_jobs(self) -> None:
        """Procrastinate's worker ends when it loses the database; runs go on meanwhile.

        What it had fetched by then is forgotten, so that is stored again first. This also finds out whether the database is
        back: Procrastinate's worker would pause for up to half a minute where it isn't.
        """
        while True:
            try:
                await in_database(_enqueue_forgotten)
                jobs = app.with_connector(PsycopgConnector(kwargs=connector_params()))
                async with jobs.open_async():
                    await jobs.run_worker_async(
                        queues=[QUEUE],
                        concurrency=settings.ASKWEB_RUNS_AT_ONCE,
                        delete_jobs="always",
                        install_signal_handlers=False,
                        shutdown_graceful_timeout=0.1,
                        abort_job_polling_interval=60,
                        additional_context={"execute": self.execute},
                    )
            except Exception as error:
                logger.warning("no jobs can be had: %s", type(error).__name__)
            await asyncio.sleep(REST)

    async def _look_for_stops(self) -> None:
        while True:
            await asyncio.sleep(STOPS_SECONDS)
            try:
                for run_id in await in_database(_asked_to_stop, tuple(self._running)):
                    self._stop(run_id)
            except Exception:
                logger.exception("what is to stop can't be read; trying again in %d seconds", STOPS_SECONDS)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await in_database(remove_temporary, ())
                await in_database(expire_questions)
                await in_database(AuditEntry.objects.forget_old)
                await in_database(_enqueue_forgotten)
            except Exception:
                logger.exception("sweep failed; trying again in %d seconds", SWEEP_SECONDS)


def _asked_to_stop(running: Collection[UUID]) -> list[UUID]:
    if not running:
        return []
    asked = Run.objects.filter(pk__in=running, stop_requested_at__isnull=False)
    return list(asked.values_list("pk", flat=True))


def _enqueue_forgotten() -> None:
    """Store a job for each queued run that has none, and remove those whose worker is gone."""
    with one_process_at_a_time():
        jobs = ProcrastinateJob.objects.filter(task_name=execute_run.name)
        waiting = {UUID(args["run_id"]) for args in jobs.filter(status="todo").values_list("args", flat=True)}
        for run_id, _person_id in waiting_to_run():
            if run_id not in waiting:
                execute_run.defer(run_id=str(run_id))
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM procrastinate_jobs WHERE status = 'doing' AND worker_id IS NULL")

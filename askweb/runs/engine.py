"""The engine that executes runs: one a process, chosen by the command that starts it."""

from typing import Protocol
from uuid import UUID

from askweb.runs.supervising import Supervisor


class Engine(Protocol):
    async def start(self) -> None:
        """Begin, in the running loop; after a crash, first tidy up. Once started, does nothing."""

    def enqueue(self, run_id: UUID, person_id: UUID) -> None:
        """Have a queued run executed as soon as there is room, once the caller's transaction has committed."""

    def request_stop(self, run_id: UUID) -> None:
        """Stop a run at once. Any thread; the row is what counts, this is a nudge."""

    async def drain(self, seconds: float) -> None:
        """Take no more runs, let those that stream finish for so long, then interrupt them."""


class ChosenEngine:
    """On one machine the supervisor; `manage.py web` and `worker` choose theirs before anything is started."""

    def __init__(self) -> None:
        self._engine: Engine = Supervisor()

    def choose(self, engine: Engine) -> None:
        self._engine = engine

    async def start(self) -> None:
        await self._engine.start()

    def enqueue(self, run_id: UUID, person_id: UUID) -> None:
        self._engine.enqueue(run_id, person_id)

    def request_stop(self, run_id: UUID) -> None:
        self._engine.request_stop(run_id)

    async def drain(self, seconds: float) -> None:
        await self._engine.drain(seconds)


engine = ChosenEngine()

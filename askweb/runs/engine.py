"""The engine that executes runs. Which one it is follows from the settings; there is one a process."""

from typing import Protocol
from uuid import UUID

from askweb.runs.supervising import Supervisor


class Engine(Protocol):
    async def start(self) -> None:
        """Begin to execute, in the running loop; after a crash, first tidy up. Once started, does nothing."""

    def enqueue(self, run_id: UUID, person_id: UUID) -> None:
        """Execute a queued run as soon as there is room. Any thread; the row is what counts, this is a nudge."""

    def request_stop(self, run_id: UUID) -> None:
        """Stop a run at once. Any thread; the row is what counts, this is a nudge."""

    async def drain(self, seconds: float) -> None:
        """Take no more runs, let those that stream finish for so long, then interrupt them."""


engine: Engine = Supervisor()

"""What executing a run needs of its process."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ParamSpec, Self, TypeVar

from askweb.providers.calling import Timers
from askweb.providers.connecting import Sessions
from askweb.providers.local.configured import local_server
from askweb.providers.local.supervising import LocalServer
from askweb.runs.checkpointing import Checkpoints
from askweb.runs.database import AWAY, PAUSE, in_database
from askweb.runs.hub import Hub

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)

PATIENCE = 60.0
"""Seconds in which a database that is away may come back, before a run fails for it."""


@dataclass(frozen=True)
class Means:
    """`clock` is in seconds, from any beginning; `sleep` waits so many of them."""

    hub: Hub
    checkpoints: Checkpoints
    sessions: Sessions
    local: LocalServer
    timers: Timers
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    @classmethod
    def open(cls, hub: Hub) -> Self:
        """Those of a process that executes runs; to be closed."""
        return cls(
            hub=hub,
            checkpoints=Checkpoints(hub),
            sessions=Sessions.open(),
            local=local_server(),
            timers=Timers.from_settings(),
        )

    async def in_database(self, act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Do `act` in the database, again and again while that is away; after `PATIENCE` seconds raise its fault.

        A fault may hide that `act` was done: done twice, it must leave what it leaves when done once.
        """
        end = self.clock() + PATIENCE
        while True:
            try:
                return await in_database(act, *args, **kwargs)
            except AWAY as error:
                if self.clock() >= end:
                    raise
                logger.warning("the database is away (%s): trying again", type(error).__name__)
            await self.sleep(PAUSE)

    async def close(self) -> None:
        await self.sessions.close()
        await self.local.stop()

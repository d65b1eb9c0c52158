"""What executing a run needs of its process."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Self

from askweb.providers.calling import Timers
from askweb.providers.connecting import Sessions
from askweb.providers.local.configured import local_server
from askweb.providers.local.supervising import LocalServer
from askweb.runs.checkpointing import Checkpoints
from askweb.runs.hub import Hub


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

    async def close(self) -> None:
        await self.sessions.close()
        await self.local.stop()

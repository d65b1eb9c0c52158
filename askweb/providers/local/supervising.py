"""Starts the local model's server when it is needed, again after a crash, and stops it when it is idle."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from askweb.providers.local.choosing import LocalModel, NoLocalModel
from askweb.providers.local.starting import Child, LocalAddress, end, start, unavailable


class LocalServer:
    """The one local model of this process, for use from one event loop.

    The first use starts it, the next use after a crash starts it again, and it is stopped once nobody has
    used it for `idle_seconds`. Loading the model may take `start_seconds`.
    """

    def __init__(
        self, model: LocalModel | NoLocalModel, *, idle_seconds: float = 300, start_seconds: float = 120
    ) -> None:
        self.model = model
        self.idle_seconds = idle_seconds
        self.start_seconds = start_seconds
        self._child: Child | None = None
        self._changing = asyncio.Lock()
        self._users = 0
        self._idle_timer: asyncio.TimerHandle | None = None
        self._idle_stop: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def address(self) -> AsyncIterator[LocalAddress]:
        """Where the running server answers; within the block it is not stopped for being idle.

        Raises `ProviderError` with code `provider.unavailable` when there is none or it does not start.
        """
        self._users += 1
        self._forget_idle_timer()
        try:
            yield (await self._running_child()).address
        finally:
            self._users -= 1
            self._set_idle_timer()

    async def stop(self) -> None:
        """Ends the child and every request it is answering. A later use starts another one."""
        self._forget_idle_timer()
        async with self._changing:
            await self._end_child()

    @property
    def pid(self) -> int | None:
        """The running child's process id."""
        return self._child.process.pid if self._child and self._child.alive else None

    async def stopped(self) -> None:
        """Returns once the child that runs now, if any, has ended for whatever reason."""
        if self._child:
            await self._child.process.wait()

    async def _running_child(self) -> Child:
        if isinstance(self.model, NoLocalModel):
            raise unavailable(self.model.message)
        async with self._changing:
            if self._child is None or not self._child.alive:
                self._child = await start(self.model, within=self.start_seconds)
            return self._child

    def _set_idle_timer(self) -> None:
        if self._child and not self._users:
            loop = asyncio.get_running_loop()
            self._idle_timer = loop.call_later(self.idle_seconds, self._idle_for_long)

    def _forget_idle_timer(self) -> None:
        if self._idle_timer:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _idle_for_long(self) -> None:
        self._idle_stop = asyncio.create_task(self._stop_unless_used())

    async def _stop_unless_used(self) -> None:
        async with self._changing:
            if not self._users:  # somebody may have come while this waited
                await self._end_child()

    async def _end_child(self) -> None:
        if self._child:
            await end(self._child.process)
            self._child = None

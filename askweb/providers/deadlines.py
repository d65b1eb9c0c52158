"""A deadline that is put off with every sign of life, and costs next to nothing when it is."""

import asyncio
from collections.abc import Callable


class Deadline:
    """Calls `expire` once, unless it is put off in time. For use in the running loop.

    One timer looks now and then, instead of one being set for each read. `last` is when the loop's clock
    ends it all, however often it was put off.
    """

    def __init__(self, expire: Callable[[], None], *, last: float) -> None:
        self.expired = False
        self._expire = expire
        self._last = last
        self._loop = asyncio.get_running_loop()
        self._at = last
        self._timer: asyncio.TimerHandle | None = None

    @property
    def was_last(self) -> bool:
        return self._at >= self._last

    def put_off(self, seconds: float) -> None:
        """To so many seconds from now."""
        self._at = min(self._loop.time() + seconds, self._last)
        if self._timer is None or self._timer.when() > self._at:
            self._set_timer()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        self.cancel()
        self._timer = self._loop.call_at(self._at, self._look)

    def _look(self) -> None:
        if self._loop.time() < self._at:
            self._set_timer()
            return
        self._timer = None
        self.expired = True
        self._expire()

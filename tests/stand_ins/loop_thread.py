"""An event loop in a thread of its own, for servers that a test speaks to."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tests.waiting import LONG

T = TypeVar("T")


class LoopThread:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, act: Coroutine[Any, Any, T]) -> T:
        """Wait for it, from any other thread."""
        return asyncio.run_coroutine_threadsafe(act, self.loop).result(LONG)

    def soon(self, act: Callable[[], object]) -> None:
        self.loop.call_soon_threadsafe(act)

    def stop_accepting(self, listener: socket.socket) -> None:
        """To be called before its server closes: CPython never closes what it accepts at that very moment."""
        self.run(_stop_accepting(listener.fileno()))

    def close(self) -> None:
        """End what still runs, with its connections."""
        self.run(_end_others())
        self.soon(self.loop.stop)
        self._thread.join()
        self.loop.close()


async def _stop_accepting(listener: int) -> None:
    asyncio.get_running_loop().remove_reader(listener)
    await _some_turns()


async def _end_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await _some_turns()


async def _some_turns() -> None:
    """What asyncio begins in one turn of its loop, accepting and closing, it ends in the next ones."""
    for _turn in range(3):
        await asyncio.sleep(0)

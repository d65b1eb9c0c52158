"""The end of a process: sockets are told, runs are drained. daphne does none of this by itself."""

import asyncio
import sys
from typing import Any

from askweb.runs.engine import engine
from askweb.runs.hub import hub

DRAIN_SECONDS = 20.0
_registered = False
_drain_seconds = DRAIN_SECONDS


def shut_down_with_the_server() -> None:
    """Shut down before daphne's reactor does; it waits for that. Once a process is enough."""
    global _registered
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if _registered or reactor is None or not reactor.running:
        return
    _registered = True
    from twisted.internet.defer import Deferred

    reactor.addSystemEventTrigger(
        "before", "shutdown", lambda: Deferred.fromFuture(asyncio.ensure_future(shut_down()))
    )


def hurry() -> None:
    """Ctrl-C: the person waits in front of the terminal, so runs are interrupted at once, their text kept."""
    global _drain_seconds
    _drain_seconds = 0.0


async def shut_down() -> None:
    """Tell every socket that the server restarts, close them, and drain the runs."""
    hub.is_closing = True
    await asyncio.gather(*(socket.restart() for socket in tuple(hub.sockets)), return_exceptions=True)
    await engine.drain(_drain_seconds)

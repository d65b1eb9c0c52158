"""Heartbeats, and a look at who may still listen, as long as a process serves people."""

import asyncio
import logging
from contextlib import suppress

from askweb.runs.closing import close_lost
from askweb.runs.heartbeats import send_heartbeats
from askweb.runs.hub import Hub

logger = logging.getLogger(__name__)

SECONDS = 12
AGAIN = 1.0
"""Seconds until the second look after news were missed: longer than what was said takes to be stored, or to come."""
LEAST = 0.25
"""Seconds between any two."""


async def keep_beating(hub: Hub, missed: asyncio.Event | None = None) -> None:
    """At once when news were missed, and again a moment later."""
    missed = missed or asyncio.Event()
    seconds: float = SECONDS
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(missed.wait(), seconds)
        seconds = AGAIN if missed.is_set() else SECONDS
        missed.clear()
        try:
            if await send_heartbeats(hub):
                seconds = AGAIN
            await close_lost(hub)
        except Exception:
            logger.exception("heartbeats failed; trying again in %d seconds", seconds)
        await asyncio.sleep(LEAST)

"""Heartbeats, and a look at who may still listen, as long as a process serves people."""

import asyncio
import logging

from askweb.runs.closing import close_lost
from askweb.runs.heartbeats import send_heartbeats
from askweb.runs.hub import Hub

logger = logging.getLogger(__name__)

SECONDS = 12


async def keep_beating(hub: Hub) -> None:
    while True:
        await asyncio.sleep(SECONDS)
        try:
            await send_heartbeats(hub)
            await close_lost(hub)
        except Exception:
            logger.exception("heartbeats failed; trying again in %d seconds", SECONDS)

"""Closing sockets whose access has ended. They are told at once; who was not told is found here."""

import asyncio
import logging
from collections.abc import Collection

from askweb.accounts.access import lost
from askweb.accounts.ending import NEWS
from askweb.runs.database import in_database
from askweb.runs.hearing import heard
from askweb.runs.hub import Hub, Socket

logger = logging.getLogger(__name__)


async def close_lost(hub: Hub) -> None:
    """Close those whose person, device or session is none any more; three queries for all of this process."""
    await _close_lost(tuple(hub.sockets))


async def keep_closing(hub: Hub) -> None:
    """Close sockets as soon as it is heard that their access has ended. Run for as long as the process does."""
    async for message in heard(NEWS):
        sockets = [socket for socket in tuple(hub.sockets) if message["group"] in socket.access.groups]
        try:
            if message["doubted"]:
                await _close_lost(sockets)
            else:
                await _close(sockets)
        except Exception:
            logger.exception("sockets could not be closed; the next heartbeat looks again")


async def _close_lost(sockets: Collection[Socket]) -> None:
    if not sockets:
        return
    ended = await in_database(lost, {socket.access for socket in sockets})
    await _close([socket for socket in sockets if socket.access in ended])


async def _close(sockets: Collection[Socket]) -> None:
    await asyncio.gather(*(socket.access_ended() for socket in sockets), return_exceptions=True)

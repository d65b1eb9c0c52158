"""Closing sockets whose access has ended. They are told at once; who was not told is found here."""

from askweb.accounts.access import lost
from askweb.runs.database import in_database
from askweb.runs.hub import Hub


async def close_lost(hub: Hub) -> None:
    """Close those whose person, device or session is none any more; three queries for all of this process."""
    sockets = tuple(hub.sockets)
    if not sockets:
        return
    ended = await in_database(lost, {socket.access for socket in sockets})
    for socket in sockets:
        if socket.access in ended:
            await socket.access_ended()

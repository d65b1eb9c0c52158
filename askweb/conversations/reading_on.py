"""Reading for search in the background, a little at a time: also all that is older than search itself."""

import asyncio
import logging

from askweb.conversations.indexing import read_conversation, unread_conversations
from askweb.runs.database import in_database

logger = logging.getLogger(__name__)

SECONDS = 15


async def keep_reading() -> None:
    """Read whatever is unread, for as long as the process runs. The first time is not at the very start."""
    while True:
        await asyncio.sleep(SECONDS)
        try:
            await read_all()
        except Exception:
            logger.exception("reading for search failed; trying again in %d seconds", SECONDS)


async def read_all() -> None:
    while unread := await in_database(unread_conversations):
        for id_ in unread:
            while await in_database(read_conversation, id_):
                pass

"""Rendering a reply before it is stored, in a thread of its own: everyone's checkpoints wait for the database's."""

import asyncio
import logging

from django.core.exceptions import ObjectDoesNotExist
from django.db import Error as DatabaseFault

from askweb.runs.database import in_database
from askweb.runs.models import Run
from askweb.runs.settling import NOTHING_RENDERED, Around, Rendered

logger = logging.getLogger(__name__)


async def render_whole(run: Run, content: str) -> Rendered:
    """Render what the run has written. Where its surroundings can't be read, nothing is rendered."""
    try:
        around = await in_database(Around.of, run)
    except (DatabaseFault, ObjectDoesNotExist):
        logger.exception("what the reply of run %s holds besides text could not be read", run.pk)
        return NOTHING_RENDERED
    return await asyncio.to_thread(Rendered.of, content, around)

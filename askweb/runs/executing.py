"""Executing a run: claim it, call the model, and leave a terminal state behind, whatever happens."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.conversations.frames import announce_run
from askweb.errors import Problem, database_away
from askweb.providers.errors import ProviderError
from askweb.runs.answering import Answering
from askweb.runs.database import AWAY
from askweb.runs.hub import Hub
from askweb.runs.live import LiveReply
from askweb.runs.means import Means
from askweb.runs.models import LEASE, Run, State
from askweb.runs.rendering import render_whole
from askweb.runs.results import WAITING, Result, failed, interrupted, refused_by
from askweb.runs.settling import UnsavedText, settle
from askweb.runs.titling import make_title

logger = logging.getLogger(__name__)


@dataclass
class Signals:
    """How the outside speaks to a run that executes: the person stops it, or the process goes away."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    interrupt: asyncio.Event = field(default_factory=asyncio.Event)


async def execute(run_id: UUID, means: Means, signals: Signals) -> None:
    """Execute a queued run to its end. A run that someone else has taken is left alone."""
    run = await means.in_database(_claim, run_id, timezone.now() + LEASE)
    if run is None:
        return
    with run.in_language():
        await _execute(run, means, signals)


def _claim(run_id: UUID, until: datetime) -> Run | None:
    """Claim it, until then at first. One with just this lease was claimed by a try whose success got lost."""
    run = Run.objects.select_related("provider", "reply").filter(pk=run_id).first()
    if run is None:
        return None
    if (run.state, run.lease_expires_at) == (State.STREAMING, until):
        return run
    if run.stop_requested_at is not None:
        settle(run, State.STOPPED)
        return None
    with transaction.atomic():
        if not run.claim(until):
            return None
        announce_run(run)
    return run


async def _execute(run: Run, means: Means, signals: Signals) -> None:
    async with _live(run, means.hub) as reply:
        try:
            result = await _until_signalled(run, reply, means, signals)
        except AWAY:
            logger.exception("run %s has waited for the database in vain", run.pk)
            result = failed("database.unavailable", database_away().message, True)
        except Exception:
            logger.exception("run %s crashed", run.pk)
            result = failed("run.crashed", _("Something went wrong on this server. Try again."), True)
        if result is not None and result is not WAITING:
            await _settle(run, reply, result, means)
    if result is not None and result.state == State.COMPLETED:
        await make_title(run, means)


@asynccontextmanager
async def _live(run: Run, hub: Hub) -> AsyncIterator[LiveReply]:
    """A reply that is written now; one that is still there belongs to a run that was taken from this process."""
    text = run.reply
    reply = LiveReply(run, hub, content=text.content, reasoning=text.reasoning, html=text.html)
    if (earlier := hub.replies.get(run.conversation_id)) is not None:
        earlier.lose()
    hub.replies[run.conversation_id] = reply
    try:
        yield reply
    finally:
        reply.close()
        if hub.replies[run.conversation_id] is reply:
            del hub.replies[run.conversation_id]


async def _until_signalled(run: Run, reply: LiveReply, means: Means, signals: Signals) -> Result | None:
    """Call the model until it is done or a signal comes; None when the run is not ours any more."""
    answering = asyncio.ensure_future(_answer(run, reply, means))
    events = {
        signals.stop: Result(State.STOPPED),
        signals.interrupt: interrupted(_("The server was stopped while this was written.")),
        reply.lost: None,
    }
    waiting = {asyncio.ensure_future(event.wait()): result for event, result in events.items()}
    try:
        await asyncio.wait({answering, *waiting}, return_when=asyncio.FIRST_COMPLETED)
        for waiter, result in waiting.items():
            if waiter.done() and not answering.done():
                return result
        return await answering
    finally:
        for task in (answering, *waiting):
            task.cancel()
        await asyncio.gather(answering, *waiting, return_exceptions=True)


async def _answer(run: Run, reply: LiveReply, means: Means) -> Result:
    if run.provider is None:
        message = _("The provider of this run was deleted. Choose another one.")
        return failed("provider.unknown", message, False)
    try:
        return await Answering(run, run.provider, reply, means).answer()
    except ProviderError as error:
        return refused_by(error)
    except Problem as problem:
        return failed(problem.code, problem.message, False)


async def _settle(run: Run, reply: LiveReply, result: Result, means: Means) -> None:
    """End the run. Until the database takes it the text stays here, and checkpoints go on.

    What can't be rendered beforehand is rendered when the run is settled.
    """
    reply.flush()
    content = reply.text()[0]
    rendered = await reply.blocks.finish(content) or await render_whole(run, content)

    def act(unsaved: str, reasoning: str) -> bool:
        text = UnsavedText(unsaved, reasoning, result.calls, reply.saved_seq)
        return settle(run, result.state, text, rendered, seq=reply.seq, **result.changes)

    await means.checkpoints.save_with(reply, act, means.sleep)

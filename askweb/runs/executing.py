"""Executing a run: claim it, call the model, and leave a terminal state behind, whatever happens."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import aiohttp
from django.utils.translation import gettext as _

from askweb.conversations.frames import announce_run
from askweb.conversations.function_calls import FunctionCallShape, to_openai
from askweb.providers.calling import Call, Timers, call_model
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, Event, FunctionCall, ReasoningDelta, TextDelta
from askweb.providers.local.supervising import LocalServer
from askweb.providers.reaching import reach
from askweb.runs.checkpointing import Checkpoints
from askweb.runs.database import in_database
from askweb.runs.hub import Hub
from askweb.runs.live import LiveReply
from askweb.runs.models import Run, State
from askweb.runs.settling import UnsavedText, settle
from prompts.models import Assembly
from prompts.shapes import SentMessage

logger = logging.getLogger(__name__)

ANSWER_LIMIT = 2 * 1024 * 1024
"""Characters of one reply; a longer one ends with `finish: length`."""


@dataclass(frozen=True)
class Means:
    """What executing needs of its process."""

    hub: Hub
    checkpoints: Checkpoints
    session: aiohttp.ClientSession
    local: LocalServer
    timers: Timers


@dataclass
class Signals:
    """How the outside speaks to a run that executes: the person stops it, or the process goes away."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    interrupt: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True)
class Result:
    state: State
    changes: dict[str, Any] = field(default_factory=dict)
    calls: list[FunctionCallShape] = field(default_factory=list)


async def execute(run_id: UUID, means: Means, signals: Signals) -> None:
    """Execute a queued run to its end. A run that someone else has taken is left alone."""
    claimed = await in_database(_claim, run_id)
    if claimed is None:
        return
    run, messages = claimed
    async with _live(run, means.hub) as reply:
        try:
            result = await _until_signalled(run, messages, reply, means, signals)
        except Exception:
            logger.exception("run %s crashed", run_id)
            result = _failed("run.crashed", _("Something went wrong on this server. Try again."), True)
        if result is not None:
            await _settle(run, reply, result, means)


def _claim(run_id: UUID) -> tuple[Run, list[SentMessage]] | None:
    run = Run.objects.select_related("provider", "reply").filter(pk=run_id).first()
    if run is None:
        return None
    if run.stop_requested_at is not None:
        settle(run, State.STOPPED)
        return None
    if not run.claim():
        return None
    announce_run(run)
    return run, Assembly.objects.get(run=run).shape()["messages"]


@asynccontextmanager
async def _live(run: Run, hub: Hub) -> AsyncIterator[LiveReply]:
    reply = LiveReply(run, hub, content=run.reply.content, reasoning=run.reply.reasoning)
    hub.replies[run.conversation_id] = reply
    try:
        yield reply
    finally:
        reply.close()
        del hub.replies[run.conversation_id]


async def _until_signalled(
    run: Run, messages: list[SentMessage], reply: LiveReply, means: Means, signals: Signals
) -> Result | None:
    """Call the model until it is done or a signal comes; None when the run is not ours any more."""
    answering = asyncio.ensure_future(_answer(run, messages, reply, means))
    events = {
        signals.stop: Result(State.STOPPED),
        signals.interrupt: _interrupted(_("The server was stopped while this was written.")),
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


async def _answer(run: Run, messages: list[SentMessage], reply: LiveReply, means: Means) -> Result:
    if run.provider is None:
        return _failed(
            "provider.unknown", _("The provider of this run was deleted. Choose another one."), False
        )
    try:
        async with (
            reach(run.provider, means.local) as endpoint,
            call_model(
                means.session,
                endpoint,
                model=run.model,
                messages=messages,
                options=run.options,
                timers=means.timers,
            ) as call,
        ):
            return await _read(call, reply, means.checkpoints)
    except ProviderError as error:
        return _failed(error.code, error.message, error.retryable)


async def _read(call: Call, reply: LiveReply, checkpoints: Checkpoints) -> Result:
    async for events in call.batches():
        _add(events, reply)
        checkpoints.note(reply)
        if reply.size > ANSWER_LIMIT:
            return Result(State.COMPLETED, {"finish": "length"})
    ending = call.ended()
    reply.add_calls([to_openai(_stored(made)) for made in ending.calls])
    return _result(ending)


def _add(events: list[Event], reply: LiveReply) -> None:
    for event in events:
        if isinstance(event, TextDelta):
            reply.add(content=event.text)
        elif isinstance(event, ReasoningDelta):
            reply.add(reasoning=event.text)


def _result(ending: Ending) -> Result:
    usage: dict[str, Any] = {}
    if ending.usage is not None:
        usage["prompt_tokens"] = ending.usage.prompt_tokens
        usage["completion_tokens"] = ending.usage.completion_tokens
    if ending.outcome == "finished":
        calls = [_stored(made) for made in ending.calls]
        return Result(State.COMPLETED, {"finish": ending.finish, **usage}, calls)
    if ending.error is not None:
        failed = _failed(ending.error.code, ending.error.message, ending.error.retryable)
        return Result(failed.state, failed.changes | usage)
    return _interrupted(_("The provider stopped in the middle of its answer."))


def _stored(made: FunctionCall) -> FunctionCallShape:
    return {"id": made.id, "name": made.name, "arguments": made.arguments, "raw": made.raw, "result": None}


def _failed(code: str, message: str, retryable: bool) -> Result:
    return Result(State.FAILED, {"code": code, "error": message, "retryable": retryable})


def _interrupted(message: str) -> Result:
    return Result(State.INTERRUPTED, {"code": "run.interrupted", "error": message, "retryable": True})


async def _settle(run: Run, reply: LiveReply, result: Result, means: Means) -> None:
    async with means.checkpoints.lock:
        content, reasoning = reply.take_unsaved()
        text = UnsavedText(content, reasoning, result.calls)
        await in_database(settle, run, result.state, text, seq=reply.seq, **result.changes)

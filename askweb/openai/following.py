"""Following one run in the event loop: its deltas from the hub, and how it ended from the database."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from django.utils.translation import gettext as _

from askweb.conversations.function_calls import FunctionCallShape, to_openai
from askweb.runs.database import in_database
from askweb.runs.engine import engine
from askweb.runs.hub import Frame, hub
from askweb.runs.models import Asking, Run, State
from askweb.runs.shapes import UsageShape, usage_shape
from askweb.runs.stopping import stop_run
from questions.deciding import OURS

FINAL = frozenset(("run.completed", "run.stopped", "run.failed", "run.interrupted"))
SILENCE = 10.0
"""Seconds without news, after which the run is looked at, and the client gets a sign of life."""

_stopping: set[asyncio.Task[None]] = set()


@dataclass(frozen=True)
class Delta:
    """A piece of the reply; `calls` are whole function calls in OpenAI's form."""

    content: str = ""
    reasoning: str = ""
    calls: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True)
class Outcome:
    """How a run ended, with its whole reply."""

    state: str
    code: str | None = None
    error: str | None = None
    retryable: bool | None = None
    finish: str | None = None
    usage: UsageShape | None = None
    content: str = ""
    reasoning: str = ""
    calls: Sequence[dict[str, Any]] = ()

    @property
    def is_error(self) -> bool:
        return self.state in (State.FAILED, State.INTERRUPTED)


class Following:
    """Hears of a run from `steps` on, until `leave`; whoever leaves before the end stops the run."""

    reads_blocks = False

    def __init__(self, run: Run, *, deltas: bool) -> None:
        self._run_id: UUID = run.pk
        self._topic: UUID = run.conversation_id
        self._deltas = deltas
        self._frames: deque[str] = deque()
        self._news = asyncio.Event()
        self._told = _Told()
        self._place = (0, 0)
        self._outcome: Outcome | None = None

    async def steps(self) -> AsyncIterator[Delta | Outcome | None]:
        """Yield deltas as they come, then the outcome; None after each `SILENCE`.

        It begins with what is written already, and the deltas together are the stored reply whenever the
        run was joined. Without `deltas` only the outcome comes.
        """
        hub.join(self._topic, self)
        if written := self._written():
            yield written
        else:
            await self._look()  # it may have ended before anyone listened
        loop = asyncio.get_running_loop()
        told = loop.time()
        while not self._is_over:
            while self._frames:
                if delta := await self._read(self._frames.popleft()):
                    yield delta
                    told = loop.time()
            if await self._is_silent_until(told + SILENCE):
                yield None
                told = loop.time()
        if self._outcome is not None:
            if self._deltas and (rest := self._told.rest(self._outcome)):
                yield rest
            yield self._outcome

    async def outcome(self) -> Outcome:
        """Wait for the end."""
        async for step in self.steps():
            if isinstance(step, Outcome):
                return step
        raise RuntimeError("the steps of a run end with its outcome")

    def deliver(self, topic: UUID, frame: Frame) -> None:
        if frame.kind != "block" and (self._deltas or frame.kind != "delta"):
            self._frames.append(frame.text)
            self._news.set()

    def leave(self) -> None:
        hub.leave(self._topic, self)
        if not self._is_over:
            engine.request_stop(self._run_id)  # at once, whatever the database is busy with
            task = asyncio.get_running_loop().create_task(in_database(_stop, self._run_id))
            _stopping.add(task)
            task.add_done_callback(_stopping.discard)

    @property
    def _is_over(self) -> bool:
        return self._outcome is not None

    def _written(self) -> Delta | None:
        reply = hub.replies.get(self._topic)
        if reply is None or reply.run_id != self._run_id or not self._deltas:
            return None
        content, reasoning = reply.text()
        self._place = (reply.epoch, reply.seq)
        return self._told.note(Delta(content, reasoning)) if content or reasoning else None

    async def _read(self, text: str) -> Delta | None:
        frame = orjson.loads(text)
        meta = frame["meta"]
        if meta.get("run") != str(self._run_id):
            return None
        if meta["event"] in FINAL:
            await self._look()
        if meta["event"] != "reply.delta" or not self._is_next(meta["epoch"], meta["seq"]):
            return None
        delta = frame["delta"]
        return self._told.note(
            Delta(delta["content"], delta.get("reasoning_content", ""), delta.get("tool_calls", ()))
        )

    def _is_next(self, epoch: int, seq: int) -> bool:
        """Whether nothing is missing before it. After a gap only the end tells the rest."""
        next_seq = self._place[1] + 1 if self._place[0] == epoch else 1
        if seq != next_seq:
            return False
        self._place = (epoch, seq)
        return True

    async def _is_silent_until(self, end: float) -> bool:
        """Wait for news; True at the end without any, which is when a run that was deleted is noticed.

        What isn't passed on, such as the preview of a question, is news but breaks no silence.
        """
        if self._is_over:
            return False
        try:
            async with asyncio.timeout_at(end):
                await self._news.wait()
        except TimeoutError:
            await self._look()
            return True
        self._news.clear()
        return False

    async def _look(self) -> None:
        self._outcome = await in_database(read_outcome, self._run_id)


class _Told:
    """How much of the reply has been told."""

    def __init__(self) -> None:
        self._content = self._reasoning = self._calls = 0

    def note(self, delta: Delta) -> Delta:
        self._content += len(delta.content)
        self._reasoning += len(delta.reasoning)
        self._calls += len(delta.calls)
        return delta

    def rest(self, outcome: Outcome) -> Delta | None:
        content, reasoning = outcome.content[self._content :], outcome.reasoning[self._reasoning :]
        calls = outcome.calls[self._calls :]
        return Delta(content, reasoning, calls) if content or reasoning or calls else None


def read_outcome(run_id: UUID) -> Outcome | None:
    """How the run ended; None while it is active."""
    run = Run.objects.select_related("reply").filter(pk=run_id).first()
    if run is None:
        return Outcome(State.FAILED, "not_found", _("The conversation was deleted."), retryable=False)
    if run.is_active:
        return None
    theirs = passed_on(run, run.reply.function_calls)
    calls = [{"index": index, **to_openai(call)} for index, call in enumerate(theirs)]
    return Outcome(
        state=run.state,
        code=run.code,
        error=run.error,
        retryable=run.retryable,
        finish=run.finish,
        usage=usage_shape(run),
        content=run.reply.content,
        reasoning=run.reply.reasoning,
        calls=calls,
    )


def passed_on(run: Run, calls: Sequence[FunctionCallShape]) -> list[FunctionCallShape]:
    """The calls that are the client's to answer; questions for the person aren't."""
    return [call for call in calls if run.asking == Asking.PASSED_ON or call["name"] not in OURS]


def _stop(run_id: UUID) -> None:
    if (run := Run.objects.filter(pk=run_id).first()) is not None:
        stop_run(run)

"""Answering: calls of the model until one begins to answer, within what may be tried again."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ParamSpec

import aiohttp
from django.db import Error as DatabaseFault
from django.utils.translation import gettext as _

from askweb.conversations.function_calls import to_openai
from askweb.conversations.models import Conversation
from askweb.images.sending import with_image_data
from askweb.preferences.sources import refuse_blocked_above
from askweb.providers.adapting import Request
from askweb.providers.addresses import is_guarded
from askweb.providers.calling import Call, call_model
from askweb.providers.capabilities import remember
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.events import (
    BrokenCall,
    Ending,
    FunctionCall,
    FunctionCallDelta,
    ReasoningDelta,
    TextDelta,
)
from askweb.providers.models import Provider
from askweb.providers.reaching import reach
from askweb.runs.database import in_database
from askweb.runs.delivering import deliver
from askweb.runs.live import LiveReply
from askweb.runs.means import Means
from askweb.runs.models import Asking, Run, State
from askweb.runs.rendering import render_whole
from askweb.runs.results import (
    WAITING,
    Result,
    Usage,
    broken_call,
    refused_by,
    result_of,
    stored_call,
    too_many_mistakes,
    too_many_steps,
)
from askweb.runs.retrying import Retries, announce_retry
from askweb.runs.sending import request_of, store_sent
from askweb.runs.settling import UnsavedText
from askweb.runs.stepping import MOST_MISTAKES, MOST_STEPS, Parked, Step, park, step_of, store_step
from askweb.runs.turns import Turn
from questions.deciding import OURS, Asked, Deciding, Decision
from questions.followup import Outcome
from questions.offering import names_of

logger = logging.getLogger(__name__)

P = ParamSpec("P")
Body = dict[str, object]

DELTAS = (TextDelta, ReasoningDelta, FunctionCallDelta)


@dataclass(frozen=True)
class Attempt:
    """One call's result; `error` is what it failed with before its first delta, if it did.

    `step` is there where the model is to be called again, at once or after an answer.
    """

    result: Result
    error: ProviderError | None = None
    step: Step | None = None


class Answering:
    """One answer to one run, written into its live reply."""

    def __init__(self, run: Run, provider: Provider, reply: LiveReply, means: Means) -> None:
        self._run = run
        self._provider = provider
        self._reply = reply
        self._means = means
        self._usage = Usage.of(run)

    async def answer(self) -> Result:
        """Call the model until it has said its last word, or asks the person, which gives `WAITING`.

        Raises `ProviderError` when there is no way to the provider, and a `Problem` when what a tool had asked
        can't be made into a prompt, or the prompt holds what may not be sent any more.
        """
        async with reach(self._provider, self._means.local) as endpoint:
            while True:
                attempt = await self._call(endpoint)
                if attempt.step is None:
                    return attempt.result
                if (result := await self._take(attempt.step)) is not None:
                    return result

    async def _take(self, step: Step) -> Result | None:
        """Store a turn that isn't the last; None where the model is to be called again."""
        decision = step.decision
        if decision.mistakes >= MOST_MISTAKES:
            return Result(
                State.FAILED, too_many_mistakes().changes | self._usage.changes, list(decision.calls)
            )
        if self._run.steps >= MOST_STEPS:
            return Result(State.FAILED, too_many_steps().changes | self._usage.changes, list(decision.calls))
        if decision.asked is not None:
            # A signal may come meanwhile: then this is still done, and what the signal asks for after it.
            parked = await asyncio.shield(self._park(step, decision.asked))
            if parked != "taken":
                return Result(State.STOPPED) if parked == "stopped" else WAITING
            step = replace(step, decision=decision.taken())
        await self._means.in_database(store_step, self._run, step)
        self._run.steps += 1
        self._run.mistakes = step.decision.mistakes
        return None

    async def _park(self, step: Step, asked: Asked) -> Parked:
        rendered = await render_whole(self._run, self._reply.text()[0])

        def act(content: str, reasoning: str) -> Parked:
            text = UnsavedText(content, reasoning, after=self._reply.saved_seq)
            return park(self._run, step, asked, text, rendered, seq=self._reply.seq)

        return await self._means.checkpoints.save_with(self._reply, act, self._means.sleep) or "lost"

    async def _call(self, endpoint: Endpoint) -> Attempt:
        """One call. After the first delta nothing is tried again: it would be a second bill and text."""
        request, body, guarded = await self._means.in_database(_prepare, self._run, self._provider)
        session = self._means.sessions.for_calls(guarded=guarded)
        retries = Retries(self._means.clock)
        while True:
            attempt = await self._attempt(session, endpoint, request, body)
            if attempt.error is None or not await self._try_again(attempt.error, request, retries):
                return attempt
            body = await self._means.in_database(_body, request, self._run)

    async def _attempt(
        self, session: aiohttp.ClientSession, endpoint: Endpoint, request: Request, body: Body
    ) -> Attempt:
        timers, capabilities = self._means.timers, request.capabilities
        try:
            async with call_model(session, endpoint, body, timers=timers, capabilities=capabilities) as call:
                return await self._read(call, request)
        except ProviderError as error:
            return Attempt(refused_by(error), error)

    async def _read(self, call: Call, request: Request) -> Attempt:
        looks = self._run.asking != Asking.PASSED_ON
        turn = Turn(self._reply, with_questions=looks, apart=self._run.steps > 1)
        begun = False
        try:
            async for events in call.batches():
                if not begun and any(isinstance(event, DELTAS) for event in events):
                    begun = True
                    await self._remember(request)
                fits = turn.add(events)
                self._means.checkpoints.note(self._reply)
                if not fits:
                    return Attempt(Result(State.COMPLETED, {"finish": "length"}))
        finally:
            followup = turn.end()
        ending = call.ended()
        if not begun and (error := ending.error or _broken_off(ending)):
            return Attempt(result_of(ending), error)
        return self._ended(ending, turn, followup)

    def _ended(self, ending: Ending, turn: Turn, followup: Outcome | None) -> Attempt:
        """Where the model asks the person, or tries to, this was not its last turn."""
        usage = self._usage = self._usage.with_call(ending)
        decision = self._decide(ending, followup)
        if decision.goes_on:
            self._reply.flush()
            return Attempt(WAITING, step=step_of(self._reply, turn, decision, ending, usage.changes))
        result = result_of(ending)
        self._reply.add_calls([to_openai(call) for call in decision.calls if call["result"] is None])
        return Attempt(replace(result, changes=result.changes | usage.changes, calls=list(decision.calls)))

    def _decide(self, ending: Ending, followup: Outcome | None) -> Decision:
        if self._run.asking == Asking.PASSED_ON or ending.outcome != "finished":
            return Decision([stored_call(made) for made in ending.calls])
        made: list[FunctionCall | BrokenCall] = [each for each in ending.broken if each.name in OURS]
        made = sorted([*ending.calls, *made], key=lambda call: call.place)
        calls = [stored_call(each) if isinstance(each, FunctionCall) else broken_call(each) for each in made]
        deciding = Deciding(
            mistakes=self._run.mistakes,
            nobody=self._run.asking == Asking.REFUSED,
            theirs=names_of(self._run.options),
            chinese=self._run.language.startswith("zh"),
        )
        with self._run.in_language():
            return deciding.decide(calls, followup)

    async def _remember(self, request: Request) -> None:
        """The model has taken what was left of the request: so it did refuse the rest."""
        if request.learned:
            await self._may_fail(remember, self._provider, self._run.model, request.learned)

    async def _try_again(self, error: ProviderError, request: Request, retries: Retries) -> bool:
        if request.give_way(error):
            await self._means.in_database(store_sent, self._run, request.fitted)
            return True
        pause = retries.next_pause(error)
        if pause is None:
            return False
        await self._may_fail(
            announce_retry, self._run, attempt=retries.count, seconds=round(pause, 1), error=error
        )
        await self._means.sleep(pause)
        return True

    async def _may_fail(self, act: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """What only helps must not cost the answer."""
        try:
            await in_database(act, *args, **kwargs)
        except DatabaseFault:
            logger.exception("run %s goes on without: %s", self._run.pk, act.__name__)


def _broken_off(ending: Ending) -> ProviderError | None:
    """A connection that dropped may hold the next time."""
    if ending.outcome != "interrupted":
        return None
    return ProviderError("provider.unavailable", _("The provider broke off before its answer began."))


def _body(request: Request, run: Run) -> Body:
    """What is sent, with the data of the images that it names."""
    body = request.body()
    return {**body, "messages": with_image_data(request.fitted.messages, run.conversation.user_id)}


def _prepare(run: Run, provider: Provider) -> tuple[Request, Body, bool]:
    """What to send, its body, and whether only to a public address. Raises a `Problem` when a host of its context was blocked
    since it was asked.
    """
    deliver(run)
    run.conversation = Conversation.objects.select_related("user").get(pk=run.conversation_id)
    if run.conversation.user.blocked_hosts:
        refuse_blocked_above(run.conversation.user, run.message)
    request = request_of(run, provider)
    return request, _body(request, run), is_guarded(provider)

"""Answering: calls of the model until one begins to answer, within what may be tried again."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ParamSpec

import aiohttp
from django.db import Error as DatabaseFault
from django.utils.translation import gettext as _

from askweb.conversations.function_calls import to_openai
from askweb.providers.adapting import Request
from askweb.providers.addresses import is_guarded
from askweb.providers.calling import Call, call_model
from askweb.providers.capabilities import remember
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, Event, FunctionCallDelta, ReasoningDelta, TextDelta
from askweb.providers.models import Provider
from askweb.providers.reaching import reach
from askweb.runs.database import in_database
from askweb.runs.live import LiveReply
from askweb.runs.means import Means
from askweb.runs.models import Run, State
from askweb.runs.results import Result, refused_by, result_of, stored_call
from askweb.runs.retrying import Retries, announce_retry
from askweb.runs.sending import request_of, store_sent

logger = logging.getLogger(__name__)

P = ParamSpec("P")

ANSWER_LIMIT = 2 * 1024 * 1024
"""Characters of one reply, reasoning included; a longer one is cut there and ends with `finish: length`."""

DELTAS = (TextDelta, ReasoningDelta, FunctionCallDelta)


@dataclass(frozen=True)
class Attempt:
    """One call's result; `error` is what it failed with before its first delta, if it did."""

    result: Result
    error: ProviderError | None = None


class Answering:
    """One answer to one run, written into its live reply."""

    def __init__(self, run: Run, provider: Provider, reply: LiveReply, means: Means) -> None:
        self._run = run
        self._provider = provider
        self._reply = reply
        self._means = means

    async def answer(self) -> Result:
        """Call the model. After the first delta nothing is tried again: it would be a second bill and text.

        Raises `ProviderError` when there is no way to the provider.
        """
        request, guarded = await in_database(_prepare, self._run, self._provider)
        session = self._means.sessions.for_calls(guarded=guarded)
        retries = Retries(self._means.clock)
        async with reach(self._provider, self._means.local) as endpoint:
            while True:
                attempt = await self._attempt(session, endpoint, request)
                if attempt.error is None or not await self._try_again(attempt.error, request, retries):
                    return attempt.result

    async def _attempt(self, session: aiohttp.ClientSession, endpoint: Endpoint, request: Request) -> Attempt:
        try:
            async with call_model(
                session,
                endpoint,
                request.body(),
                timers=self._means.timers,
                capabilities=request.capabilities,
            ) as call:
                return await self._read(call, request)
        except ProviderError as error:
            return Attempt(refused_by(error), error)

    async def _read(self, call: Call, request: Request) -> Attempt:
        begun = False
        async for events in call.batches():
            if not begun and any(isinstance(event, DELTAS) for event in events):
                begun = True
                await self._remember(request)
            if not self._add(events):
                return Attempt(Result(State.COMPLETED, {"finish": "length"}))
        ending = call.ended()
        self._reply.add_calls([to_openai(stored_call(made)) for made in ending.calls])
        return Attempt(result_of(ending), None if begun else ending.error or _broken_off(ending))

    def _add(self, events: Sequence[Event]) -> bool:
        """Add the events' text to the reply, as far as there is room; False when it did not all fit."""
        fits = True
        for event in events:
            if isinstance(event, TextDelta | ReasoningDelta):
                room = max(0, ANSWER_LIMIT - self._reply.size)
                fits = fits and len(event.text) <= room
                text = event.text[:room]
                self._reply.add(text) if isinstance(event, TextDelta) else self._reply.add(reasoning=text)
        self._means.checkpoints.note(self._reply)
        return fits

    async def _remember(self, request: Request) -> None:
        """The model has taken what was left of the request: so it did refuse the rest."""
        if request.learned:
            await self._may_fail(remember, self._provider, self._run.model, request.learned)

    async def _try_again(self, error: ProviderError, request: Request, retries: Retries) -> bool:
        if request.give_way(error):
            await in_database(store_sent, self._run, request.fitted)
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


def _prepare(run: Run, provider: Provider) -> tuple[Request, bool]:
    """What to send, and whether only to a public address."""
    return request_of(run, provider), is_guarded(provider)

"""Trying a provider out: one tiny real call, and a verdict that a person can act on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from asgiref.sync import async_to_sync
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from askweb.providers.adapting import Request
from askweb.providers.addresses import is_guarded
from askweb.providers.calling import Timers, call_model
from askweb.providers.capabilities import capabilities_of, remember
from askweb.providers.connecting import opened
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ErrorCode, ProviderError
from askweb.providers.events import Ending, ReasoningDelta, TextDelta
from askweb.providers.listing import list_models
from askweb.providers.local.configured import configured_model
from askweb.providers.local.supervising import LocalServer
from askweb.providers.models import ModelInfo, Provider
from askweb.providers.reaching import reach
from askweb.providers.shapes import VerdictShape, local_models

TIMERS = Timers(connect=5, first_byte=15, between=15, total=20)
LONGEST = 20.0
QUESTION = {"role": "user", "content": "Say OK."}
OPTIONS: Mapping[str, object] = {"max_tokens": 16}

WORDS: Mapping[ErrorCode, object] = {
    "provider.auth": gettext_lazy("The key was refused. Check that it is whole, and for this provider."),
    "provider.billing": gettext_lazy("The key is right, but the account has no credit left."),
    "provider.rate_limit": gettext_lazy("The provider answers, but allows no more calls for now."),
    "provider.model_unknown": gettext_lazy("The provider answers, but has no such model."),
    "provider.unavailable": gettext_lazy("The provider can't be reached, or has a fault."),
    "provider.timeout": gettext_lazy("The provider did not answer in time."),
    "provider.protocol": gettext_lazy("What answers there does not speak OpenAI's protocol."),
    "provider.address_refused": gettext_lazy("This address is not allowed."),
}


@dataclass(frozen=True)
class Checked:
    """`error` is None when the model answered. `learned` is what it refused on the way."""

    model: str
    error: ProviderError | None
    learned: Mapping[str, object]


def check(provider: Provider, model: str = "") -> VerdictShape:
    """Ask the model, else the provider's default one, to say a word. Takes at most 20 seconds.

    For a view or a command, not for the event loop.
    """
    started = time.monotonic()
    checked: Checked = async_to_sync(_check)(provider, model or provider.default_model, is_guarded(provider))
    if checked.learned:
        remember(provider, checked.model, checked.learned)
    milliseconds = round((time.monotonic() - started) * 1000)
    error = checked.error
    return {
        "ok": error is None,
        "code": error.code if error else None,
        "message": _worked(checked.model, milliseconds) if error is None else _failed(error),
        "model": checked.model,
        "milliseconds": milliseconds,
    }


def models_of(provider: Provider) -> list[ModelInfo]:
    """The models that a provider says it has. Raises `ProviderError`. Not for the event loop."""
    if provider.is_local:
        return local_models()
    listed: list[ModelInfo] = async_to_sync(_models_of)(provider, is_guarded(provider))
    return listed


def _worked(model: str, milliseconds: int) -> str:
    return _("It works: {model} answered after {milliseconds} ms.").format(
        model=model, milliseconds=milliseconds
    )


def _failed(error: ProviderError) -> str:
    words = str(WORDS.get(error.code, _("The provider refused the call.")))
    return f"{words} {error.message}".strip()


async def _models_of(provider: Provider, guarded: bool) -> list[ModelInfo]:
    async with opened() as sessions:
        endpoint = Endpoint(provider.base_url, provider.api_key, provider.headers)
        return await list_models(sessions.for_calls(guarded=guarded), endpoint)


async def _check(provider: Provider, model: str, guarded: bool) -> Checked:
    """Anything that goes wrong is what was found out."""
    try:
        async with asyncio.timeout(LONGEST), _local_for_now() as local:
            if not model:
                model = await _first_model(provider, guarded)
            return await _ask(provider, model, local, guarded)
    except TimeoutError:
        return Checked(model, ProviderError("provider.timeout", ""), {})
    except ProviderError as error:
        return Checked(model, error, {})


@asynccontextmanager
async def _local_for_now() -> AsyncIterator[LocalServer]:
    """One of its own: the process's belongs to the loop that runs the runs, and this may be another."""
    local = LocalServer(configured_model())
    try:
        yield local
    finally:
        await local.stop()


async def _first_model(provider: Provider, guarded: bool) -> str:
    known = local_models() if provider.is_local else provider.known_models
    models = known or await _models_of(provider, guarded)
    if not models:
        raise ProviderError("provider.model_unknown", "Name a model to try.")
    return str(models[0]["id"])


async def _ask(provider: Provider, model: str, local: LocalServer, guarded: bool) -> Checked:
    request = Request(model, [QUESTION], OPTIONS, capabilities_of(provider, model))
    async with opened() as sessions, reach(provider, local) as endpoint:
        session = sessions.for_calls(guarded=guarded)
        while True:
            async with call_model(session, endpoint, request.body(), timers=TIMERS) as call:
                said = False
                async for events in call.batches():
                    said = said or any(isinstance(event, TextDelta | ReasoningDelta) for event in events)
                    if said:  # enough is known, and the rest would cost
                        return Checked(model, None, request.learned)
            error = _fault(call.ended())
            if error is None or not request.give_way(error):
                return Checked(model, error, request.learned if error is None else {})


def _fault(ending: Ending) -> ProviderError | None:
    if ending.outcome == "finished":
        return None
    return ending.error or ProviderError("provider.protocol", "The answer broke off before its first word.")

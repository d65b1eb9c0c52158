"""Learning how a model counts tokens, from the usage that its provider returns."""

import json

from django.db import transaction

from askweb.providers.models import Provider
from askweb.runs.models import Asking, Run
from prompts.estimating import Estimator, Size, measure, measure_messages
from prompts.models import Assembly
from questions.offering import with_ask_user

LEAST, MOST = 0.5, 3.0
"""A model counts neither less than half nor more than three times what is estimated without knowing it."""
LOCAL = Estimator(wide=2.3, narrow=1.5)
"""The small model that comes along: its tokenizer was made for English."""
UPWARDS, DOWNWARDS = 0.7, 0.2
"""How far one observation moves the ratio: an estimate that is too low fails, one that is too high only cuts."""
REFUSED = 1.25
"""A prompt that was refused as too long has at least so much more than was estimated."""
WORTH_KEEPING = 0.01
LEAST_TOKENS = 200
"""Shorter prompts tell more of the provider's own frame than of its tokens."""
MOSTLY = 0.8


def estimator_of(provider: Provider, model: str) -> Estimator:
    known = provider.token_ratios.get(model, {})
    first = LOCAL if provider.is_local else Estimator()
    return Estimator(_bounded(known.get("wide", first.wide)), _bounded(known.get("narrow", first.narrow)))


def learn_from(run: Run) -> None:
    """Compare what was estimated with what the provider counted, or with its refusal as too long."""
    is_refused = run.code == "provider.context_too_long"
    if run.provider is None or not (run.prompt_tokens or is_refused) or not _is_plain(run):
        return
    assembly = Assembly.objects.filter(run=run).first()
    messages = measure_messages(assembly.shape()["messages"]) if assembly else Size()
    size = messages + _offered(run)
    if messages.total < LEAST_TOKENS or not (kind := _kind(size)):
        return
    known = estimator_of(run.provider, run.model)
    observed = known.of(size) * REFUSED if is_refused else run.prompt_tokens or 0
    other = size.narrow * known.narrow if kind == "wide" else size.wide * known.wide
    _move(run.provider, run.model, kind, (observed - other) / (size.wide if kind == "wide" else size.narrow))


def _is_plain(run: Run) -> bool:
    """One call of words alone: images and a client's functions are counted in ways of their own."""
    return run.steps <= 1 and not run.options.get("tools") and not run.message.images


def _offered(run: Run) -> Size:
    """The function that asks the person, which providers count, too."""
    return measure(json.dumps(with_ask_user({})["tools"])) if run.asking == Asking.OFFERED else Size()


@transaction.atomic
def _move(provider: Provider, model: str, kind: str, observed: float) -> None:
    """Move the ratio towards what was observed; other runs may have moved it meanwhile."""
    for row in Provider.objects.select_for_update().filter(pk=provider.pk):
        known = getattr(estimator_of(row, model), kind)
        step = UPWARDS if observed > known else DOWNWARDS
        ratio = round(known + step * (_bounded(observed) - known), 3)
        if abs(ratio - known) < WORTH_KEEPING:
            continue
        ratios = {**row.token_ratios, model: {**row.token_ratios.get(model, {}), kind: ratio}}
        Provider.objects.filter(pk=row.pk).update(token_ratios=ratios)


def _kind(size: Size) -> str:
    """The kind of script that nearly all of it is in; empty where it is mixed, which tells of neither."""
    if size.wide >= MOSTLY * size.total:
        return "wide"
    return "narrow" if size.narrow >= MOSTLY * size.total else ""


def _bounded(ratio: float) -> float:
    return min(max(ratio, LEAST), MOST)

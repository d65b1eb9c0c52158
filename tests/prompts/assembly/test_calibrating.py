"""Estimates learn from what providers count: quickly upwards, slowly down, never beyond reason."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from askweb.providers.models import LOCAL, Provider
from askweb.runs.models import Asking, Run, State
from askweb.runs.settling import settle
from prompts.calibrating import estimator_of
from prompts.estimating import measure, measure_messages
from prompts.models import Assembly
from questions.offering import with_ask_user
from tests.conversations.conftest import Ask

pytestmark = pytest.mark.django_db

ENGLISH, CHINESE = "Many words about the sea. " * 100, "月亮牵引着大海。" * 400
Counted = Callable[..., Provider]


@pytest.fixture
def counted(ask: Ask, provider: Provider) -> Counted:
    """Post a text and let the provider count that many times the tokens that were estimated."""

    def counted(text: str, times: float, **options: Any) -> Provider:
        run = Run.objects.get(pk=ask(text)["run"]["id"])
        run.options, run.asking = options, Asking.ALLOWED
        size = measure_messages(Assembly.objects.get(run=run).shape()["messages"])
        settle(run, State.COMPLETED, prompt_tokens=round(size.total * times), completion_tokens=1)
        provider.refresh_from_db()
        return provider

    return counted


def test_an_estimate_that_is_too_low_rises_at_once(counted: Counted) -> None:
    assert 1.6 < estimator_of(counted(ENGLISH, 2.0), "parrot").narrow < 2.0


def test_one_that_is_too_high_falls_slowly(counted: Counted) -> None:
    assert 0.85 < estimator_of(counted(ENGLISH, 0.5), "parrot").narrow < 0.95


@pytest.mark.parametrize(("times", "bound"), [(50.0, 3.0), (0.01, 0.5)])
def test_there_are_bounds(counted: Counted, times: float, bound: float) -> None:
    for _again in range(20):
        known = counted(ENGLISH, times)
    assert estimator_of(known, "parrot").narrow == pytest.approx(bound, abs=0.05)


def test_what_one_script_teaches_is_not_held_against_another(counted: Counted) -> None:
    estimator = estimator_of(counted(CHINESE, 2.0), "parrot")
    assert estimator.wide > 1.6
    assert estimator.narrow == 1.0


def test_what_one_model_teaches_is_not_held_against_another(counted: Counted) -> None:
    assert estimator_of(counted(ENGLISH, 2.0), "cockatoo").narrow == 1.0


def test_short_prompts_and_those_with_functions_teach_nothing(counted: Counted) -> None:
    counted("Hi", 3.0)
    assert counted(ENGLISH, 3.0, tools=[{"type": "function"}]).token_ratios == {}


def test_the_function_that_asks_the_person_is_counted_for_what_it_is(ask: Ask, provider: Provider) -> None:
    run = Run.objects.get(pk=ask(ENGLISH)["run"]["id"])
    words = measure_messages(Assembly.objects.get(run=run).shape()["messages"])
    function = measure(json.dumps(with_ask_user({})["tools"]))
    settle(run, State.COMPLETED, prompt_tokens=words.total + function.total, completion_tokens=1)
    provider.refresh_from_db()
    assert (run.asking, provider.token_ratios) == (Asking.OFFERED, {})


def test_a_refusal_as_too_long_teaches_too(ask: Ask, provider: Provider) -> None:
    settle(Run.objects.get(pk=ask(ENGLISH)["run"]["id"]), State.FAILED, code="provider.context_too_long")
    provider.refresh_from_db()
    assert estimator_of(provider, "parrot").narrow > 1.1


def test_the_next_prompt_is_counted_by_what_was_learned(counted: Counted, ask: Ask) -> None:
    before = Assembly.objects.get(run=ask(ENGLISH)["run"]["id"]).shape()["tokens"]
    counted(ENGLISH, 3.0)
    assert Assembly.objects.get(run=ask(ENGLISH)["run"]["id"]).shape()["tokens"] > 1.5 * before


@pytest.mark.parametrize("stored", [{"wide": 99, "narrow": 0}])
def test_stored_ratios_are_bounded_too(stored: Any) -> None:
    estimator = estimator_of(Provider(token_ratios={"m": stored}), "m")
    assert (estimator.wide, estimator.narrow) == (3.0, 0.5)


def test_the_local_model_begins_with_what_its_tokenizer_takes() -> None:
    assert estimator_of(Provider(preset=LOCAL), "m").wide > 2

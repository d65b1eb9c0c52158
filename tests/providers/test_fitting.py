"""Making a request fit its model."""

import pytest

from askweb.providers.capabilities import Capabilities, capabilities_of, remember
from askweb.providers.fitting import fit
from askweb.providers.models import Provider

SYSTEM = {"role": "system", "content": "Be kind."}
USER = {"role": "user", "content": "Hi"}
REPLY = {"role": "assistant", "content": "Hello"}
CALLING = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "look"}}]}
RESULT = {"role": "tool", "content": "seen", "tool_call_id": "1"}


def test_a_model_that_takes_everything_gets_exactly_what_was_asked():
    odd = [{"role": "assistant", "content": None, "name": "x"}, USER, USER, SYSTEM]
    fitted = fit(odd, {"temperature": 0, "seed": 7}, Capabilities())
    assert (fitted.messages, fitted.changes) == (odd, [])
    assert fitted.body("m") == {
        "messages": odd,
        "temperature": 0,
        "seed": 7,
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
    }


@pytest.mark.parametrize(
    ("layer", "messages", "fitted"),
    [
        ({"system_role": False}, [SYSTEM, USER], [{"role": "user", "content": "Be kind.\n\nHi"}]),
        ({"system_role": False}, [SYSTEM, REPLY], [{"role": "user", "content": "Be kind."}, REPLY]),
        ({"system_role": False}, [USER], [USER]),
        ({"roles_alternate": True}, [USER, USER, REPLY], [{"role": "user", "content": "Hi\n\nHi"}, REPLY]),
        ({"empty_content": False}, [USER, CALLING, RESULT], [USER, {**CALLING, "content": None}, RESULT]),
        ({"empty_content": False}, [{"role": "user", "content": ""}, USER], [USER]),
        (
            {"empty_content": False},
            [CALLING, {**RESULT, "content": ""}],
            [{**CALLING, "content": None}, {**RESULT, "content": "(empty)"}],
        ),
    ],
)
def test_messages_are_made_to_fit(layer, messages, fitted):
    got = fit(messages, {}, Capabilities().with_layer(layer))
    assert got.messages == fitted
    assert len(got.changes) == (fitted != messages)


@pytest.mark.parametrize(
    ("layer", "options", "fitted"),
    [
        ({"refuses": ["temperature"]}, {"temperature": 1, "top_p": 1}, {"top_p": 1}),
        ({"refuses": ["tools"]}, {"tools": [1], "tool_choice": "auto", "parallel_tool_calls": True}, {}),
        ({"token_limit": "max_completion_tokens"}, {"max_tokens": 9}, {"max_completion_tokens": 9}),
        ({"token_limit": "max_tokens"}, {"max_completion_tokens": 9}, {"max_tokens": 9}),
        ({"token_limit": "max_tokens"}, {"max_tokens": 9}, {"max_tokens": 9}),
        ({"token_limit": "max_tokens", "refuses": ["max_tokens"]}, {"max_completion_tokens": 9}, {}),
    ],
)
def test_options_are_made_to_fit(layer, options, fitted):
    got = fit([USER], options, Capabilities().with_layer(layer))
    assert got.options == {"stream_options": {"include_usage": True}, **fitted}
    assert bool(got.changes) == (fitted != options)


def test_token_counts_are_not_asked_of_a_model_that_refuses_to_give_them():
    assert fit([USER], {}, Capabilities(refuses=frozenset({"stream_options"}))).options == {}


@pytest.mark.parametrize(
    ("layer", "more"),
    [
        ({}, {}),
        ({"sends_reasoning": True}, {"reasoning_content": "Hm."}),
        ({"sends_reasoning": True, "refuses": ["reasoning_content"]}, {}),
    ],
)
def test_reasoning_goes_back_only_where_it_is_wanted(layer, more):
    thought = {**REPLY, "askweb_reasoning": "Hm."}
    assert fit([thought], {}, Capabilities().with_layer(layer)).messages == [{**REPLY, **more}]


def test_the_input_is_never_changed():
    messages = [SYSTEM, {**USER}, {**USER}]
    fit(messages, {}, Capabilities(system_role=False, roles_alternate=True, empty_content=False))
    assert messages == [SYSTEM, USER, USER]


@pytest.mark.parametrize(
    ("preset", "model", "expected"),
    [
        ("openai", "gpt-4o", Capabilities(token_limit="max_completion_tokens", think_tags=False)),
        (
            "deepseek",
            "deepseek-reasoner",
            Capabilities(frozenset(), "max_tokens", True, True, think_tags=False),
        ),
        ("ollama", "llama3", Capabilities()),
        ("", "anything", Capabilities()),
        ("gone-in-a-later-release", "anything", Capabilities()),
    ],
)
def test_presets_know_their_models(preset, model, expected):
    assert capabilities_of(Provider(preset=preset), model) == expected


def test_what_a_person_sets_goes_before_the_preset():
    provider = Provider(
        preset="moonshot", capabilities={"*": {"empty_content": True}, "k": {"think_open": True}}
    )
    expected = Capabilities(token_limit="max_tokens", think_open=True)
    assert capabilities_of(provider, "k") == expected


def test_what_was_learned_adds_up_and_stays_with_its_model(provider):
    remember(provider, "a", {"refuses": ["temperature"]})
    remember(provider, "a", {"refuses": ["top_p"], "system_role": False})
    provider.refresh_from_db()
    assert provider.capabilities == {"a": {"refuses": ["temperature", "top_p"], "system_role": False}}
    assert capabilities_of(provider, "b") == Capabilities()

"""What the official client can send reaches the provider as it was sent."""

from typing import Any

import pytest
from openai import OpenAI

from tests.stand_ins import sse
from tests.stand_ins.upstream import Upstream

HI = [{"role": "user", "content": "Hi"}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": "string"}, "at": {"type": "string"}},
        },
    },
}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"place":"Huế"}'}}
SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "person",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer", "maximum": 150}},
            "required": ["name", "age"],
            "additionalProperties": False,
        },
    },
}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0KGgo" * 500}}
TEXT = {"type": "text", "text": "What is this?"}


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "user", "content": "Hi"}],
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi", "name": "ann"}],
        [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "  spaces  "}],
        [{"role": "user", "content": [TEXT, PICTURE]}],
        [
            {"role": "user", "content": "Weather?"},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_1", "content": "Rain"},
        ],
        [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello, my name is"}],
        [
            {"role": "user", "content": "1"},
            {"role": "user", "content": "2"},
            {"role": "system", "content": "3"},
        ],
        [{"role": "assistant", "content": ""}, {"role": "user", "content": "Hi"}],
        [{"role": "system", "content": "Say something."}],
        [{"role": "function", "name": "old", "content": "7"}, {"role": "user", "content": "Hi"}],
    ],
)
def test_messages_are_sent_exactly(
    client: OpenAI, model: str, upstream: Upstream, messages: list[dict[str, Any]]
) -> None:
    client.chat.completions.create(model=model, messages=messages)
    assert upstream.next_call().body["messages"] == messages


@pytest.mark.parametrize(
    "option",
    [
        {"temperature": 5.5},
        {"temperature": 0},
        {"top_p": 0.25},
        {"stop": ["\n", "###"]},
        {"seed": 42},
        {"n": 1},
        {"max_tokens": 5},
        {"max_completion_tokens": 5},
        {"logit_bias": {"50256": -100}},
        {"response_format": SCHEMA},
        {"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "weather"}}},
        {"parallel_tool_calls": False},
        {"reasoning_effort": "low"},
        {"user": "ann"},
        {
            "extra_body": {
                "grammar": 'root ::= "yes"',
                "top_k": 3,
                "chat_template_kwargs": {"thinking": False},
            }
        },
    ],
    ids=lambda option: next(iter(option)),
)
def test_options_are_sent_untouched(
    client: OpenAI, model: str, upstream: Upstream, option: dict[str, Any]
) -> None:
    client.chat.completions.create(model=model, messages=HI, **option)
    body = upstream.next_call().body
    sent = option.get("extra_body", option)
    assert {name: body[name] for name in sent} == sent


def test_a_schema_keeps_the_order_of_its_keys(client: OpenAI, model: str, upstream: Upstream) -> None:
    client.chat.completions.create(model=model, messages=HI, response_format=SCHEMA)
    sent = upstream.next_call().body["response_format"]
    assert str(sent) == str(SCHEMA)


@pytest.mark.parametrize("asked", [None, {}, {"include_usage": False}, {"include_obfuscation": False}])
def test_usage_is_asked_for_whatever_the_client_wants(
    client: OpenAI, model: str, upstream: Upstream, asked: dict[str, bool] | None
) -> None:
    list(client.chat.completions.create(model=model, messages=HI, stream=True, stream_options=asked))
    assert upstream.next_call().body["stream_options"] == {**(asked or {}), "include_usage": True}


def test_nothing_is_added(client: OpenAI, model: str, upstream: Upstream) -> None:
    client.chat.completions.create(model=model, messages=HI)
    assert set(upstream.next_call().body) == {"model", "messages", "stream", "stream_options"}


@pytest.mark.parametrize("stream", [False, True])
def test_the_clients_own_functions_make_the_round_trip(
    client: OpenAI, model: str, upstream: Upstream, stream: bool
) -> None:
    upstream.will_send(sse.chunk("", tool_calls=[{"index": 0, **CALL}]), sse.finish("tool_calls"))
    asked = [{"role": "user", "content": "Weather?"}]
    call = _calls(client, stream, model=model, messages=asked, tools=[WEATHER])
    assert call == CALL
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "Rain"}]
    history = [*asked, {"role": "assistant", "content": None, "tool_calls": [call]}, *results]
    completion = client.chat.completions.create(model=model, messages=history, tools=[WEATHER])
    assert completion.choices[0].message.content == "Fine."
    upstream.next_call()
    assert upstream.next_call().body["messages"] == history


def _calls(client: OpenAI, stream: bool, **asked: Any) -> Any:
    """The one call that the model makes."""
    if stream:
        chunks = [chunk.choices[0] for chunk in client.chat.completions.create(stream=True, **asked)]
        assert chunks[-1].finish_reason == "tool_calls"
        (call,) = [call for chunk in chunks for call in chunk.delta.tool_calls or []]
        return call.model_dump(exclude={"index"})
    (choice,) = client.chat.completions.create(**asked).choices
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
    return choice.message.tool_calls[0].model_dump(exclude_none=True)

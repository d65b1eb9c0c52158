"""Whole answers and streams, as the official client reads them."""

import orjson
import pytest
from openai import AsyncOpenAI, OpenAI

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

HI = [{"role": "user", "content": "Hi"}]
USAGE = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
COUNTED = b"data: " + orjson.dumps({"id": "c1", "choices": [], "usage": USAGE}) + b"\n\n"


def test_a_completion_is_the_whole_answer(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("Hello", " 你好"))
    completion = client.chat.completions.create(model=model, messages=HI)
    assert completion.choices[0].message.content == "Hello 你好"
    assert completion.choices[0].finish_reason == "stop"
    assert completion.model == model
    assert completion.id.startswith("chatcmpl-")


async def test_the_async_client_gets_the_same(
    async_client: AsyncOpenAI, model: str, upstream: Upstream
) -> None:
    upstream.will_send(*sse.reply("Hello"))
    completion = await async_client.chat.completions.create(model=model, messages=HI)
    assert completion.choices[0].message.content == "Hello"


def test_usage_is_what_the_provider_counted(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hi"), sse.finish().removesuffix(sse.DONE), COUNTED, sse.DONE)
    usage = client.chat.completions.create(model=model, messages=HI).usage
    assert usage is not None
    assert usage.model_dump(exclude_none=True) == USAGE


def test_reasoning_has_a_place_of_its_own(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("<think>Well", "…</think>", "Yes."))
    message = client.chat.completions.create(model=model, messages=HI).choices[0].message
    assert (message.content, message.model_extra["reasoning_content"]) == ("Yes.", "Well…")


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("eos", "stop"),
    ],
)
def test_finish_reasons_are_those_of_openai(
    client: OpenAI, model: str, upstream: Upstream, sent: str, told: str
) -> None:
    upstream.will_send(sse.chunk("Hi"), sse.finish(sent))
    assert client.chat.completions.create(model=model, messages=HI).choices[0].finish_reason == told


def test_a_stream_is_standard_chunks(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("Hel", "lo"))
    chunks = list(client.chat.completions.create(model=model, messages=HI, stream=True))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Hello"
    assert [chunk.choices[0].finish_reason for chunk in chunks[-2:]] == [None, "stop"]
    assert {(chunk.id, chunk.created, chunk.model, chunk.object) for chunk in chunks} == {
        (chunks[0].id, chunks[0].created, model, "chat.completion.chunk")
    }


async def test_the_async_client_streams(async_client: AsyncOpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("Hel", "lo"))
    stream = await async_client.chat.completions.create(model=model, messages=HI, stream=True)
    assert "".join([chunk.choices[0].delta.content or "" async for chunk in stream]) == "Hello"


def test_reasoning_is_streamed_apart(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("", reasoning_content="Well…"), *sse.reply("Yes."))
    deltas = [
        c.choices[0].delta for c in client.chat.completions.create(model=model, messages=HI, stream=True)
    ]
    assert [d.model_extra["reasoning_content"] for d in deltas if d.model_extra] == ["Well…"]
    assert "".join(delta.content or "" for delta in deltas) == "Yes."


def test_usage_is_streamed_last_where_it_is_asked_for(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hi"), sse.finish().removesuffix(sse.DONE), COUNTED, sse.DONE)
    asked = {"stream": True, "stream_options": {"include_usage": True}}
    *before, last = client.chat.completions.create(model=model, messages=HI, **asked)
    assert last.choices == []
    assert last.usage.model_dump(exclude_none=True) == USAGE
    assert {chunk.usage for chunk in before} == {None}


def test_usage_is_not_streamed_unasked(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hi"), sse.finish().removesuffix(sse.DONE), COUNTED, sse.DONE)
    chunks = list(client.chat.completions.create(model=model, messages=HI, stream=True))
    assert all(chunk.choices and chunk.usage is None for chunk in chunks)


def test_the_first_delta_does_not_wait_for_the_second(client: OpenAI, model: str, upstream: Upstream) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("Hel"), gate, *sse.reply("lo"))
    stream = client.chat.completions.create(model=model, messages=HI, stream=True)
    assert [next(stream).choices[0].delta.content for _ in range(2)] == ["", "Hel"]
    gate.open()
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "lo"


def test_the_events_are_plain_to_curl(live: LiveServer, model: str, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("Hello"))
    answer = live.post("/v1/chat/completions", {"model": model, "messages": HI, "stream": True})
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    *events, done, end = answer.body.split(b"\n\n")
    assert (done, end) == (b"data: [DONE]", b"")
    assert orjson.loads(events[1].removeprefix(b"data: "))["choices"][0]["delta"] == {"content": "Hello"}


def test_the_provider_is_always_asked_to_stream(client: OpenAI, model: str, upstream: Upstream) -> None:
    client.chat.completions.create(model=model, messages=HI)
    body = upstream.next_call().body
    assert (body["stream"], body["stream_options"]["include_usage"]) == (True, True)

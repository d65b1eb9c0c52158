"""Questions over OpenAI's API: only clients that want them get them, and then the stream stays open."""

import threading
from typing import Any

import pytest
from openai import OpenAI

from tests.live.asking import OFFERED, XML, answer, ask_by_function, ask_by_xml, sent
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

HI: Any = [{"role": "user", "content": "Hi"}]
ASKING: Any = {"meta": {"questions": True}}


def answer_when_asked(server: LiveServer) -> threading.Thread:
    """Answer the newest pending set as soon as there is one."""
    path = "/api/questions/?status=pending"
    earlier = {row["id"] for row in server.get(path).json["results"]}

    def act() -> None:
        def new() -> list[Any]:
            return [row for row in server.get(path).json["results"] if row["id"] not in earlier]

        answer(server, until("a question is pending", new)[0])

    thread = threading.Thread(target=act)
    thread.start()
    return thread


@pytest.mark.parametrize("by", [ask_by_function, ask_by_xml])
def test_a_stream_stays_open_while_the_person_answers(
    live: LiveServer, upstream: Upstream, client: OpenAI, model: str, by: Any
) -> None:
    by(upstream)
    answering = answer_when_asked(live)
    with client.chat.completions.create(model=model, messages=HI, stream=True, extra_body=ASKING) as stream:
        chunks = list(stream)
    answering.join()
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text.endswith("Fine.")
    assert "<ask" not in text
    assert not any(chunk.choices[0].delta.tool_calls for chunk in chunks)


def test_a_whole_answer_comes_after_the_persons(
    live: LiveServer, upstream: Upstream, client: OpenAI, model: str
) -> None:
    ask_by_function(upstream)
    answering = answer_when_asked(live)
    completion = client.chat.completions.create(model=model, messages=HI, extra_body=ASKING)
    answering.join()
    (choice,) = completion.choices
    assert (choice.message.content, choice.message.tool_calls, choice.finish_reason) == (
        "Fine.",
        None,
        "stop",
    )
    upstream.next_call()
    assert sent(upstream)[-1]["role"] == "tool"


def test_without_the_wish_nothing_is_offered(upstream: Upstream, client: OpenAI, model: str) -> None:
    client.chat.completions.create(model=model, messages=HI)
    assert "tools" not in upstream.next_call().body


def test_without_the_wish_a_call_is_the_clients(upstream: Upstream, client: OpenAI, model: str) -> None:
    ask_by_function(upstream)
    (choice,) = client.chat.completions.create(model=model, messages=HI).choices
    assert choice.message.tool_calls
    assert (choice.message.tool_calls[0].id, choice.finish_reason) == ("call_1", "tool_calls")


def test_without_the_wish_xml_is_text(upstream: Upstream, client: OpenAI, model: str) -> None:
    ask_by_xml(upstream)
    (choice,) = client.chat.completions.create(model=model, messages=HI).choices
    assert choice.message.content == XML


def test_a_clients_own_functions_stand_beside_ours(upstream: Upstream, client: OpenAI, model: str) -> None:
    weather: Any = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}
    upstream.will_send(
        *sse.calls(sse.call("weather", {"place": "Huế"}), sse.call("ask_user", OFFERED, "call_2", 1))
    )
    (choice,) = client.chat.completions.create(
        model=model, messages=HI, tools=[weather], extra_body=ASKING
    ).choices
    names = [tool["function"]["name"] for tool in upstream.next_call().body["tools"]]
    assert names == ["weather", "ask_user"]
    assert [call.id for call in choice.message.tool_calls or ()] == ["call_1"]


def test_a_clients_own_ask_user_is_left_to_it(upstream: Upstream, client: OpenAI, model: str) -> None:
    own: Any = {"type": "function", "function": {"name": "ask_user", "parameters": {"type": "object"}}}
    ask_by_function(upstream)
    (choice,) = client.chat.completions.create(
        model=model, messages=HI, tools=[own], extra_body=ASKING
    ).choices
    assert upstream.next_call().body["tools"] == [own]
    assert choice.finish_reason == "tool_calls"

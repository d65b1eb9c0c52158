"""Each call is a conversation like any other."""

from typing import Any

from openai import OpenAI

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

HI = [{"role": "user", "content": "Hi"}]


def ask(client: OpenAI, model: str, *messages: dict[str, Any], **meta: Any) -> dict[str, str]:
    """Ask, and return our own ids."""
    completion = client.chat.completions.create(model=model, messages=messages, extra_body={"meta": meta})
    ids: dict[str, str] = completion.model_extra["meta"]
    return ids


def stored(live: LiveServer, conversation: str) -> list[tuple[str, str]]:
    """Role and text of each message, oldest first."""
    messages = live.get(f"/api/conversations/{conversation}/messages/").json["results"]
    return [(message["role"], message["content"]) for message in reversed(messages)]


def said(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}


def test_history_and_answer_are_stored(client: OpenAI, live: LiveServer, model: str) -> None:
    parts = {"role": "user", "content": [{"type": "text", "text": t} for t in ("one", "two")]}
    ids = ask(client, model, said("system", "S"), said("user", "A"), said("assistant", "B"), parts)
    assert stored(live, ids["conversation"]) == [
        ("user", "A"),
        ("assistant", "B"),
        ("user", "one\ntwo"),
        ("assistant", "Fine."),
    ]


def test_the_assembly_keeps_the_exact_messages(client: OpenAI, live: LiveServer, model: str) -> None:
    parts = {"role": "user", "content": [{"type": "text", "text": "one"}], "name": "ann"}
    ids = ask(client, model, parts)
    assert live.get(f"/api/messages/{ids['message']}/assembly/").json["messages"] == [parts]


def test_a_call_that_is_not_stored_leaves_no_trace_in_the_list(
    client: OpenAI, live: LiveServer, model: str
) -> None:
    ids = ask(client, model, *HI, store=False)
    listed = [each["id"] for each in live.get("/api/conversations/").json["results"]]
    assert ids["conversation"] not in listed
    assert live.get(f"/api/conversations/{ids['conversation']}/").json["temporary"] is True


def test_a_conversation_continues_with_what_is_new(
    client: OpenAI, live: LiveServer, model: str, upstream: Upstream
) -> None:
    first = ask(client, model, said("developer", "D"), *HI)
    again = ask(client, model, said("user", "More"), conversation=first["conversation"])
    assert again["conversation"] == first["conversation"]
    upstream.next_call()
    assert upstream.next_call().body["messages"] == [
        said("developer", "D"),
        *HI,
        said("assistant", "Fine."),
        said("user", "More"),
    ]


def test_a_whole_history_sent_again_is_stored_once(
    client: OpenAI, live: LiveServer, model: str, upstream: Upstream
) -> None:
    first = ask(client, model, *HI)
    history = [*HI, said("assistant", "Fine."), said("user", "More")]
    ask(client, model, *history, conversation=first["conversation"])
    assert [text for _role, text in stored(live, first["conversation"])] == ["Hi", "Fine.", "More", "Fine."]
    upstream.next_call()
    assert upstream.next_call().body["messages"] == history


def test_a_reworded_question_is_a_branch(client: OpenAI, live: LiveServer, model: str) -> None:
    first = ask(client, model, *HI)
    path = (*HI, said("assistant", "Fine."))
    second = ask(client, model, *path, said("user", "More"), conversation=first["conversation"])
    third = ask(client, model, *path, said("user", "Less"), conversation=first["conversation"])
    assert live.message(third["message"])["parent"] == live.message(second["message"])["parent"]


def test_results_of_functions_continue_a_conversation(
    client: OpenAI, live: LiveServer, model: str, upstream: Upstream
) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    first = ask(client, model, *HI, {"role": "assistant", "content": None, "tool_calls": [call]})
    result = {"role": "tool", "tool_call_id": "call_1", "content": "noon"}
    history = [*HI, {"role": "assistant", "content": None, "tool_calls": [call]}, result]
    again = ask(client, model, *history, conversation=first["conversation"])
    assert again["message"] == first["message"]
    upstream.next_call()
    assert upstream.next_call().body["messages"] == history


def test_the_same_client_id_asks_once(client: OpenAI, model: str, upstream: Upstream) -> None:
    first = ask(client, model, *HI, client_id=f"v1-{model}")
    assert ask(client, model, *HI, client_id=f"v1-{model}") == first
    upstream.next_call()
    assert upstream.count_calls() == 0


def test_the_same_client_id_streams_the_stored_answer(client: OpenAI, model: str) -> None:
    extra = {"meta": {"client_id": f"v1-{model}"}}
    client.chat.completions.create(model=model, messages=HI, extra_body=extra)
    chunks = client.chat.completions.create(model=model, messages=HI, extra_body=extra, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Fine."

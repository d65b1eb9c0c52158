"""Our own keys, `context` and `meta`, in the official client's `extra_body`."""

from openai import OpenAI

from tests.stand_ins.upstream import Upstream

HI = [{"role": "user", "content": "Hi"}]
PAGE = {"id": "page", "title": "Tides", "url": "https://example.org/", "selection": "The moon pulls the sea."}


def test_a_tool_words_the_last_question(client: OpenAI, model: str, upstream: Upstream) -> None:
    extra = {"context": [PAGE], "meta": {"tool": "explain"}}
    history = [{"role": "user", "content": "A"}, {"role": "assistant", "content": "B"}]
    client.chat.completions.create(model=model, messages=[*history, *HI], extra_body=extra)
    sent = upstream.next_call().body["messages"]
    assert sent[-3:-1] == history
    assert "The moon pulls the sea." in sent[-1]["content"]
    assert sent[-1]["content"] != "Hi"


def test_a_tool_can_be_named_as_the_model(client: OpenAI, model: str, upstream: Upstream) -> None:
    completion = client.chat.completions.create(
        model="tool:explain", messages=HI, extra_body={"context": [PAGE]}
    )
    body = upstream.next_call().body
    assert body["model"] == "parrot"
    assert "The moon pulls the sea." in body["messages"][-1]["content"]
    assert completion.model == "tool:explain"


def test_context_alone_is_assembled(client: OpenAI, model: str, upstream: Upstream) -> None:
    client.chat.completions.create(model=model, messages=HI, extra_body={"context": [PAGE]})
    assert "The moon pulls the sea." in upstream.next_call().body["messages"][-1]["content"]


def test_a_finished_prompt_is_not_assembled_again(client: OpenAI, model: str, upstream: Upstream) -> None:
    extra = {"context": [PAGE], "meta": {"assembled": True}}
    client.chat.completions.create(model=model, messages=HI, extra_body=extra)
    assert upstream.next_call().body["messages"] == HI


def test_a_system_message_of_the_clients_is_the_only_one(
    client: OpenAI, model: str, upstream: Upstream
) -> None:
    brief = {"role": "system", "content": "Be brief."}
    client.chat.completions.create(model="tool:explain", messages=[brief, *HI])
    assert [m for m in upstream.next_call().body["messages"] if m["role"] == "system"] == [brief]


def test_a_tool_keeps_the_pictures(client: OpenAI, model: str, upstream: Upstream) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "What?"}, picture]
    client.chat.completions.create(model="tool:explain", messages=[{"role": "user", "content": content}])
    assert upstream.next_call().body["messages"][-1]["content"][1:] == [picture]


def test_a_bare_model_goes_to_the_default_provider(client: OpenAI, model: str, upstream: Upstream) -> None:
    client.chat.completions.create(model="cockatoo", messages=HI)
    assert upstream.next_call().body["model"] == "cockatoo"

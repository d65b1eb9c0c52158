"""Each fault raises the exception that the official client has for it."""

from collections.abc import Iterator
from typing import Any

import openai
import orjson
import pytest
from openai import OpenAI

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

HI = [{"role": "user", "content": "Hi"}]


def refusal(code: str | None = None, message: str = "No.") -> bytes:
    return orjson.dumps({"error": {"message": message, "type": "some_error", "code": code}})


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("status", "body", "exception", "told", "code"),
    [
        (401, refusal("invalid_api_key"), openai.AuthenticationError, 401, "invalid_api_key"),
        (404, refusal("model_not_found"), openai.NotFoundError, 404, "model_not_found"),
        (400, refusal("context_length_exceeded"), openai.BadRequestError, 400, "context_length_exceeded"),
        (400, refusal("content_filter"), openai.BadRequestError, 400, "content_filter"),
        (400, refusal("unsupported_value"), openai.BadRequestError, 400, "provider.bad_request"),
        (429, refusal("rate_limit_exceeded"), openai.RateLimitError, 429, "rate_limit_exceeded"),
        (429, refusal("insufficient_quota"), openai.RateLimitError, 429, "insufficient_quota"),
        (402, refusal(), openai.RateLimitError, 429, "insufficient_quota"),
        (503, refusal(), openai.InternalServerError, 503, "provider.unavailable"),
        (504, refusal(), openai.InternalServerError, 504, "provider.timeout"),
        (200, b"<html>Hello", openai.InternalServerError, 502, "provider.protocol"),
    ],
)
def test_what_the_provider_refuses(
    client: OpenAI,
    model: str,
    upstream: Upstream,
    stream: bool,
    status: int,
    body: bytes,
    exception: type[openai.APIStatusError],
    told: int,
    code: str,
) -> None:
    for _attempt in range(5):
        at_once = {"retry-after-ms": "1"}
        upstream.will_send(body, status=status, content_type="application/json", headers=at_once)
    with pytest.raises(exception) as caught:
        client.chat.completions.create(model=model, messages=HI, stream=stream)
    assert (caught.value.status_code, caught.value.code) == (told, code)


@pytest.mark.parametrize("code", ["insufficient_quota", "context_length_exceeded"])
def test_a_client_is_told_what_is_not_worth_repeating(
    live: LiveServer, model: str, upstream: Upstream, code: str
) -> None:
    upstream.will_send(refusal(code), status=429, content_type="application/json")
    with (
        OpenAI(base_url=f"{live.url}/v1", api_key=live.token) as client,
        pytest.raises(openai.APIStatusError),
    ):
        client.chat.completions.create(model=model, messages=HI)
    upstream.next_call()
    assert upstream.count_calls() == 0


@pytest.mark.parametrize(
    ("asked", "param"),
    [
        ({"n": 2}, "n"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "king", "content": "Hi"}]}, "messages[0].role"),
        ({"model": "x" * 201}, "model"),
        ({"extra_body": {"context": {}}}, "context"),
        ({"extra_body": {"meta": {"store": "yes"}}}, "meta.store"),
        ({"extra_body": {"stream": "yes"}}, "stream"),
        ({"extra_body": {"stream_options": 1}}, "stream_options"),
        ({"seed": 2**64}, "seed"),
    ],
)
def test_what_cannot_be_asked(client: OpenAI, model: str, asked: dict[str, Any], param: str) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(**{"model": model, "messages": HI, **asked})
    assert caught.value.param == param


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "tool:nonsense"},
        {"extra_body": {"meta": {"tool": "nonsense"}}},
        {"extra_body": {"meta": {"provider": "nonsense"}}},
        {"extra_body": {"meta": {"conversation": "nonsense"}}},
        {"extra_body": {"meta": {"conversation": "019ad5a8-7e6f-7d3f-8a29-1cb1e0d4a3a5"}}},
    ],
)
def test_what_is_not_there(client: OpenAI, model: str, asked: dict[str, Any]) -> None:
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(**{"model": model, "messages": HI, **asked})


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["/v1/embeddings", "/v1/chat/completions/", "/v1/"])
def test_an_address_that_is_not_there(live: LiveServer, method: str, path: str) -> None:
    answer = live.request(method, path)
    assert (answer.status, answer.code) == (404, "not_found")


def test_broken_json(live: LiveServer) -> None:
    answer = live.request("POST", "/v1/chat/completions", b"{")
    assert (answer.status, answer.code) == (400, "json.broken")


def test_an_unknown_token(live: LiveServer) -> None:
    with OpenAI(base_url=f"{live.url}/v1", api_key="nonsense", max_retries=0) as client:
        with pytest.raises(openai.AuthenticationError):
            client.chat.completions.create(model="m", messages=HI)
        with pytest.raises(openai.AuthenticationError):
            client.models.list()


@pytest.fixture
def reader(live: LiveServer) -> Iterator[OpenAI]:
    """A device that may only read."""
    add = "from askweb.accounts.models import User; print(User.objects.owner().new_device('r', ('read',))[1])"
    token = live.manage("shell", "-v0", "-c", add)
    with OpenAI(base_url=f"{live.url}/v1", api_key=token, max_retries=0) as client:
        yield client


def test_a_device_that_may_only_read(reader: OpenAI, model: str) -> None:
    assert model in {each.id for each in reader.models.list()}
    with pytest.raises(openai.PermissionDeniedError):
        reader.chat.completions.create(model=model, messages=HI)


def test_a_conversation_that_is_being_answered(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hel"), upstream.gate())
    with client.chat.completions.create(model=model, messages=HI, stream=True) as stream:
        conversation = next(stream).model_extra["meta"]["conversation"]
        with pytest.raises(openai.ConflictError) as caught:
            client.chat.completions.create(
                model=model, messages=HI, extra_body={"meta": {"conversation": conversation}}
            )
    assert caught.value.code == "run.active"


@pytest.mark.parametrize("path", ["/v1/embeddings", "/v1/", "/v1/models/nonsense"])
def test_what_there_is_none_of_has_the_same_shape(live: LiveServer, path: str) -> None:
    answer = live.get(path)
    assert (answer.status, set(answer.json["error"])) == (404, {"message", "type", "param", "code"})


def test_an_error_in_the_stream_has_no_done(live: LiveServer, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hel"), b"data: " + refusal("overloaded_error") + b"\n\n")
    answer = live.post("/v1/chat/completions", {"model": model, "messages": HI, "stream": True})
    last = answer.body.strip().split(b"\n\n")[-1]
    assert answer.status == 200
    assert orjson.loads(last.removeprefix(b"data: "))["error"]["code"] == "provider.unavailable"


def test_an_error_in_the_stream_is_raised(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hel"), b"data: " + refusal("overloaded_error") + b"\n\n")
    stream = client.chat.completions.create(model=model, messages=HI, stream=True)
    with pytest.raises(openai.APIError, match="No"):
        list(stream)


def test_half_an_answer_is_no_completion(client: OpenAI, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hel"), cut=True)
    with pytest.raises(openai.InternalServerError):
        client.chat.completions.create(model=model, messages=HI)

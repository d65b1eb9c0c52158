"""A run's calls: what is tried again and what is not, in front of the person; what is left out, and remembered."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from askweb.providers.errors import ProviderError
from askweb.runs.retrying import Retries
from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

SOON = {"Retry-After": "0.1"}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def pauses(*errors: ProviderError, each_call_takes: float = 0) -> list[float | None]:
    """The pause after each of these errors, on a clock that only calls and pauses move."""
    clock = Clock()
    retries = Retries(clock)
    found: list[float | None] = []
    for error in errors:
        clock.now += each_call_takes
        found.append(retries.next_pause(error))
        clock.now += found[-1] or 0
    return found


def busy(retry_after: float | None = None) -> ProviderError:
    return ProviderError("provider.rate_limit", "busy", status=429, retry_after=retry_after)


@pytest.mark.parametrize(
    ("errors", "each_call_takes", "expected"),
    [
        ([busy(), busy(), busy()], 0, [1.0, 4.0, None]),
        ([busy(7), busy(7), busy(7)], 0, [7, 7, None]),
        ([busy(0), busy(0), busy(0)], 0, [0, 0, None]),
        ([busy(20)], 0, [20]),
        ([busy(20.5)], 0, [None]),
        ([busy(12), busy(12)], 0, [12, None]),
        ([busy(), busy()], 17, [1.0, None]),
        ([busy()], 30, [None]),
        ([ProviderError("provider.auth", "no")], 0, [None]),
        ([ProviderError("provider.context_too_long", "no")], 0, [None]),
        ([ProviderError("provider.timeout", "no")], 1, [1.0]),
    ],
)
def test_at_most_twice_and_within_20_seconds(errors, each_call_takes, expected):
    assert pauses(*errors, each_call_takes=each_call_takes) == expected


def assembly(live: LiveServer, asked: Asked) -> Any:
    return live.get(f"/api/messages/{asked.message}/assembly/").json


def refuses(upstream: Upstream, *words: str) -> None:
    for each in words:
        body = orjson.dumps({"error": {"message": each}})
        upstream.will_send(body, status=400, content_type="application/json")


def test_a_busy_provider_is_asked_again(live, upstream):
    upstream.will_send(b"busy", status=503, headers=SOON)
    upstream.will_send(b"busy", status=429, headers=SOON)
    asked = live.ask(live.add_provider(upstream))
    assert live.ended(asked.run)["state"] == "completed"
    assert (live.message(asked.reply)["content"], upstream.count_calls()) == ("Fine.", 3)


def test_after_the_third_refusal_it_fails_in_the_providers_words(live, upstream):
    for _ in range(3):
        upstream.will_send(b"still busy", status=503, headers=SOON)
    run = live.ended(live.ask(live.add_provider(upstream)).run)
    assert (run["code"], run["error"], run["retryable"]) == ("provider.unavailable", "still busy", True)
    assert upstream.count_calls() == 3


def test_the_person_sees_how_long_it_takes(live, upstream):
    gate = upstream.gate()
    upstream.will_send(gate, b"busy", status=429, headers={"Retry-After": "0.5"})
    asked = live.ask(live.add_provider(upstream))
    with live.socket() as socket:
        subscribe(socket, asked)
        gate.open()
        told = next_event(socket, "run.retrying")
    shown = {key: told[key] for key in ("run", "message", "attempt", "of", "seconds", "code", "error")}
    assert shown == {
        "run": asked.run,
        "message": asked.reply,
        "attempt": 1,
        "of": 2,
        "seconds": 0.5,
        "code": "provider.rate_limit",
        "error": "busy",
    }


def test_it_can_be_stopped_while_it_waits(live, upstream):
    gate = upstream.gate()
    upstream.will_send(gate, b"busy", status=429, headers={"Retry-After": "15"})
    asked = live.ask(live.add_provider(upstream))
    with live.socket() as socket:
        subscribe(socket, asked)
        gate.open()
        next_event(socket, "run.retrying")
        live.post(f"/api/runs/{asked.run}/stop/")
        next_event(socket, "run.stopped")
    assert (live.run(asked.run)["state"], upstream.count_calls()) == ("stopped", 1)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"status": 429, "headers": {"Retry-After": "60"}}, "provider.rate_limit"),
        ({"status": 401}, "provider.auth"),
        ({"status": 402}, "provider.billing"),
        ({"status": 400}, "provider.bad_request"),
        ({"status": 302, "headers": {"Location": "http://127.0.0.1:9/"}}, "provider.protocol"),
    ],
)
def test_what_does_not_pass_by_itself_is_not_tried_again(live, upstream, answer, code):
    upstream.will_send(b"no", **answer)
    run = live.ended(live.ask(live.add_provider(upstream)).run)
    assert (run["code"], upstream.count_calls()) == (code, 1)


@pytest.mark.parametrize("delta", [{"content": "Once"}, {"content": "", "reasoning_content": "Hm."}])
def test_nothing_is_tried_again_after_the_first_delta(live, upstream, delta):
    text = delta.pop("content")
    upstream.will_send(sse.chunk(text, **delta), b'data: {"error":{"message":"overloaded","code":503}}\n\n')
    run = live.ended(live.ask(live.add_provider(upstream)).run)
    assert (run["code"], upstream.count_calls()) == ("provider.unavailable", 1)


def test_what_is_refused_is_left_out_and_the_assembly_says_so(live, upstream):
    refuses(upstream, "stream_options is not supported", "temperature can only be 1 here")
    asked = live.ask(live.add_provider(upstream), temperature=0.5)
    assert live.ended(asked.run)["state"] == "completed"
    bodies = [upstream.next_call().body for _ in range(3)]
    assert ["temperature" in body for body in bodies] == [True, True, False]
    assert assembly(live, asked)["messages"] == bodies[-1]["messages"]
    assert [each.split()[0] for each in assembly(live, asked)["warnings"]] == [
        "stream_options",
        "temperature",
    ]


def test_it_is_remembered_for_the_next_time(live, upstream):
    provider = live.add_provider(upstream)
    refuses(upstream, "temperature can only be 1 here")
    live.ended(live.ask(provider, temperature=0.5).run)
    asked = live.ask(provider, temperature=0.5)
    live.ended(asked.run)
    bodies = [upstream.next_call().body for _ in range(3)]
    assert ("temperature" in bodies[-1], upstream.count_calls()) == (False, 0)
    assert len(assembly(live, asked)["warnings"]) == 1


def test_another_model_of_the_provider_is_not_affected(live, upstream):
    provider = live.add_provider(upstream)
    refuses(upstream, "temperature can only be 1 here")
    live.ended(live.ask(provider, temperature=0.5).run)
    live.ended(live.ask(provider, temperature=0.5, model="owl").run)
    assert "temperature" in [upstream.next_call().body for _ in range(3)][-1]


def test_a_refusal_that_leaving_out_does_not_help_is_not_remembered(live, upstream):
    provider = live.add_provider(upstream)
    refuses(upstream, "temperature can only be 1 here", "odd")
    run = live.ended(live.ask(provider, temperature=0.5).run)
    live.ended(live.ask(provider, temperature=0.5).run)
    assert (run["code"], run["error"]) == ("provider.bad_request", "odd")
    assert "temperature" in [upstream.next_call().body for _ in range(3)][-1]


def test_without_a_system_role_each_turn_is_sent_with_the_system_message_once(live, upstream):
    provider = live.add_provider(upstream)
    refuses(upstream, "System role not supported")
    first = live.ask(provider, "One")
    live.ended(first.run)
    second = live.ask(provider, "Two", conversation=first.conversation)
    live.ended(second.run)
    before, *_, sent = [upstream.next_call().body["messages"] for _ in range(3)]
    system = before[0]["content"]
    assert sent == [
        {"role": "user", "content": f"{system}\n\nOne"},
        {"role": "assistant", "content": "Fine."},
        {"role": "user", "content": "Two"},
    ]
    assert assembly(live, second)["messages"] == sent


def test_a_model_with_the_system_role_gets_it_back(live, upstream):
    provider = live.add_provider(upstream, capabilities={"parrot": {"system_role": False}})
    first = live.ask(provider, "One")
    live.ended(first.run)
    live.ended(live.ask(provider, "Two", conversation=first.conversation, model="owl").run)
    sent = [upstream.next_call().body["messages"] for _ in range(2)][-1]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[1]["content"] == "One"


@pytest.mark.parametrize(("sends", "more"), [(False, {}), (True, {"reasoning_content": "Hm."})])
def test_reasoning_goes_back_only_to_models_that_want_it(live, upstream, sends, more):
    provider = live.add_provider(upstream, capabilities={"*": {"sends_reasoning": sends}})
    upstream.will_send(sse.chunk("", reasoning_content="Hm."), *sse.reply("Hello"))
    first = live.ask(provider, "One")
    live.ended(first.run)
    second = live.ask(provider, "Two", conversation=first.conversation)
    live.ended(second.run)
    sent = [upstream.next_call().body["messages"] for _ in range(2)][-1]
    assert sent[2] == {"role": "assistant", "content": "Hello", **more}
    assert assembly(live, second)["messages"] == sent


def test_a_readers_provider_does_not_lead_inside(live, upstream):
    """Its name was harmless when it was saved, and leads to this machine when it is called."""
    token = live.new_person("reader-with-a-provider")
    row = {"base_url": "https://api.example.com/v1", "default_model": "parrot"}
    provider = live.post("/api/providers/", row, token=token).json
    change = f"Provider.objects.filter(pk={provider['id']!r}).update(base_url={upstream.base_url!r})"
    live.manage("shell", "-v0", "-c", f"from askweb.providers.models import Provider; {change}")
    envelope = {"messages": [{"role": "user", "content": "Hi"}]}
    asked = Asked.by(live.post("/api/conversations/", envelope, token=token))
    run = until("the run ends", lambda: ended(live, asked, token))
    assert (run["code"], upstream.count_calls()) == ("provider.address_refused", 0)


def ended(live: LiveServer, asked: Asked, token: str) -> Any:
    run = live.get(f"/api/runs/{asked.run}/", token=token).json
    return None if run["state"] in ("queued", "streaming") else run


def subscribe(socket: Any, asked: Asked) -> None:
    command = {"command": "subscribe", "conversation": asked.conversation}
    socket.send(orjson.dumps({"meta": command}).decode())
    next_event(socket, "conversation.snapshot")


def next_event(socket: Any, name: str) -> dict[str, Any]:
    """The next event of this name."""
    while True:
        meta: dict[str, Any] = orjson.loads(socket.recv(20))["meta"]
        if meta["event"] == name:
            return meta

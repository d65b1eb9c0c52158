"""Who closes the connection wants no more of the answer."""

import http.client
import subprocess
from contextlib import closing

import orjson
import pytest
from openai import OpenAI

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

HI = [{"role": "user", "content": "Hi"}]


def test_closing_the_stream_stops_its_run(
    client: OpenAI, live: LiveServer, model: str, upstream: Upstream
) -> None:
    upstream.will_send(sse.chunk("Hel"), upstream.gate())
    with client.chat.completions.create(model=model, messages=HI, stream=True) as stream:
        run = next(stream).model_extra["meta"]["run"]
    assert upstream.next_call().closed_at()
    assert live.ended(run)["state"] == "stopped"


@pytest.mark.parametrize("stream", [True, False])
def test_closing_before_the_first_delta_stops_it_too(
    live: LiveServer, model: str, upstream: Upstream, stream: bool
) -> None:
    upstream.will_send(upstream.gate())
    body = orjson.dumps({"model": model, "messages": HI, "stream": stream})
    headers = {"Authorization": f"Bearer {live.token}", "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", live.port)) as connection:
        connection.request("POST", "/v1/chat/completions", body, headers)
        call = upstream.next_call()
    assert call.closed_at()


def test_curl_that_is_interrupted_stops_it(live: LiveServer, model: str, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("Hel"), upstream.gate())
    body = orjson.dumps({"model": model, "messages": HI, "stream": True})
    command = ["curl", "-sN", f"{live.url}/v1/chat/completions", "-d", body]
    command += ["-H", f"Authorization: Bearer {live.token}", "-H", "Content-Type: application/json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as curl:
        assert curl.stdout is not None
        assert curl.stdout.readline().startswith(b"data: {")
        curl.terminate()
    assert upstream.next_call().closed_at()


def test_what_was_written_until_then_is_kept(
    client: OpenAI, live: LiveServer, model: str, upstream: Upstream
) -> None:
    upstream.will_send(sse.chunk("Hel"), upstream.gate())
    with client.chat.completions.create(model=model, messages=HI, stream=True) as stream:
        reply = next(stream).model_extra["meta"]["reply"]
    kept = until("the run stops", lambda: _if_stopped(live, reply))
    assert kept == "Hel"


def test_deleting_the_conversation_ends_the_stream(
    client: OpenAI, live: LiveServer, model: str, upstream: Upstream
) -> None:
    upstream.will_send(sse.chunk("Hel"), upstream.gate())
    with client.chat.completions.create(model=model, messages=HI, stream=True) as stream:
        conversation = next(stream).model_extra["meta"]["conversation"]
        live.request("DELETE", f"/api/conversations/{conversation}/")
        assert upstream.next_call().closed_at()


@pytest.mark.parametrize("stream", [True, False])
def test_revoking_the_device_stops_what_it_asked_for(
    live: LiveServer, model: str, upstream: Upstream, stream: bool
) -> None:
    token = live.manage("device_token", "lost")
    id_ = next(each["id"] for each in live.get("/api/devices/").json["results"] if each["name"] == "lost")
    upstream.will_send(sse.chunk("Hel"), upstream.gate())
    body = orjson.dumps({"model": model, "messages": HI, "stream": stream})
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", live.port, timeout=20)) as connection:
        connection.request("POST", "/v1/chat/completions", body, headers)
        call = upstream.next_call()
        if stream:
            connection.getresponse().readline()
        assert live.request("DELETE", f"/api/devices/{id_}/").status == 204
        assert call.closed_at()


def _if_stopped(live: LiveServer, reply: str) -> str | None:
    message = live.message(reply)
    return message["content"] if message["state"] == "stopped" else None

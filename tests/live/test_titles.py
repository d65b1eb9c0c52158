"""Titles by a model: only for who wants them, only once, and never over the person's own."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from tests.live.asking import OFFERED
from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until


@pytest.fixture(autouse=True)
def wanted(live: LiveServer) -> Iterator[None]:
    set_wish(live, wanted=True)
    yield
    set_wish(live, wanted=False)


def set_wish(server: LiveServer, *, wanted: bool) -> None:
    body = orjson.dumps({"model_titles": wanted})
    assert server.request("PATCH", "/api/settings/", body).status == 200


def title(server: LiveServer, asked: Asked) -> str:
    text: str = server.get(f"/api/conversations/{asked.conversation}/").json["title"]
    return text


def ask(server: LiveServer, upstream: Upstream, provider: str, *answers: list[bytes]) -> Asked:
    upstream.will_send(*sse.reply("The moon."))
    for answer in answers:
        upstream.will_send(*answer)
    asked = server.ask(provider, "Why are there tides?")
    server.ended(asked.run)
    return asked


def test_the_model_is_asked_for_a_title_after_the_first_answer(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    asked = ask(live, upstream, parrot, sse.reply('"Tides and the moon."\n'))
    until("it has its title", lambda: title(live, asked) == "Tides and the moon")
    upstream.next_call()
    wish: Any = upstream.next_call().body
    assert "Why are there tides?" in wish["messages"][-1]["content"]
    assert "tools" not in wish


def test_14_a_title_that_asks_is_told_that_nobody_is_there(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    call = sse.calls(sse.call("ask_user", OFFERED))
    asked = ask(live, upstream, parrot, call, sse.reply("Tides"))
    until("it has its title", lambda: title(live, asked) == "Tides")
    upstream.next_call(), upstream.next_call()
    assert "No person can be asked here" in upstream.next_call().body["messages"][-1]["content"]
    assert live.get(f"/api/questions/?conversation={asked.conversation}").json["results"] == []


def test_a_failed_call_leaves_the_title_as_it_was(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    upstream.will_send(*sse.reply("The moon."))
    upstream.will_send(b"{}", status=500, content_type="application/json")
    asked = live.ask(parrot, "Why are there tides?")
    live.ended(asked.run)
    upstream.next_call(), upstream.next_call()
    assert title(live, asked) == "Why are there tides?"


def test_the_persons_own_title_stays(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    gate = upstream.gate()
    upstream.will_send(gate, *sse.reply("The moon."))
    asked = live.ask(parrot, "Why?")
    live.request("PATCH", f"/api/conversations/{asked.conversation}/", b'{"title": "Mine"}')
    gate.open()
    live.ended(asked.run)
    after = live.ask(parrot, "And?", conversation=asked.conversation)
    live.ended(after.run)
    upstream.next_call(), upstream.next_call()
    assert (title(live, asked), upstream.count_calls()) == ("Mine", 0)


def test_nobody_gets_one_unasked(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    set_wish(live, wanted=False)
    asked = ask(live, upstream, parrot)
    after = live.ask(parrot, "And?", conversation=asked.conversation)
    live.ended(after.run)
    upstream.next_call(), upstream.next_call()
    assert (title(live, asked), upstream.count_calls()) == ("Why are there tides?", 0)

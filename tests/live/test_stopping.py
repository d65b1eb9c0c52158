"""Stopping: what was written is kept, and the provider stops costing at once."""

import time

import pytest

from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

AT_ONCE = 0.25


@pytest.fixture
def streaming(live: LiveServer, upstream: Upstream, parrot: str) -> Asked:
    """A run whose provider has said "Partly" and then nothing more."""
    upstream.will_send(sse.chunk("Partly"), upstream.gate())
    asked = live.ask(parrot)
    until("text is stored", lambda: live.message(asked.reply)["content"] == "Partly")
    return asked


def stop(server: LiveServer, asked: Asked) -> None:
    assert server.post(f"/api/runs/{asked.run}/stop/").status == 200


def test_the_provider_sees_its_connection_end_while_it_streams(
    live: LiveServer, upstream: Upstream, streaming: Asked
) -> None:
    call, before = upstream.next_call(), time.monotonic()
    stop(live, streaming)
    assert call.closed_at() - before < AT_ONCE


def test_the_provider_sees_its_connection_end_before_its_first_byte(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    upstream.will_send(upstream.gate())
    asked = live.ask(parrot)
    call, before = upstream.next_call(), time.monotonic()
    stop(live, asked)
    assert call.closed_at() - before < AT_ONCE
    assert live.ended(asked.run)["state"] == "stopped"


def test_the_text_so_far_is_kept(live: LiveServer, streaming: Asked) -> None:
    stop(live, streaming)
    assert live.ended(streaming.run)["state"] == "stopped"
    reply = live.message(streaming.reply)
    assert (reply["content"], reply["state"]) == ("Partly", "stopped")


def test_stopping_again_changes_nothing(live: LiveServer, streaming: Asked) -> None:
    stop(live, streaming)
    stopped = live.ended(streaming.run)
    stop(live, streaming)
    assert live.run(streaming.run) == stopped


def test_the_conversation_goes_on_after_a_stop(live: LiveServer, parrot: str, streaming: Asked) -> None:
    stop(live, streaming)
    live.ended(streaming.run)
    after = live.ask(parrot, conversation=streaming.conversation)
    assert live.ended(after.run)["state"] == "completed"


def test_a_second_question_meanwhile_is_refused(live: LiveServer, parrot: str, streaming: Asked) -> None:
    answer = live.try_ask(parrot, conversation=streaming.conversation)
    assert (answer.status, answer.code) == (409, "run.active")


def test_a_deleted_conversation_ends_its_call(live: LiveServer, upstream: Upstream, streaming: Asked) -> None:
    assert live.request("DELETE", f"/api/conversations/{streaming.conversation}/").status == 204
    assert upstream.next_call().closed_at()

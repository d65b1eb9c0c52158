"""The end of the process, sudden or asked for: nothing that was kept is lost, nothing stays undecided."""

import signal

import orjson
import pytest
from websockets.exceptions import ConnectionClosed

from tests.live.follower import Follower
from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Gate, Upstream
from tests.waiting import until


@pytest.fixture
def gate(upstream: Upstream) -> Gate:
    return upstream.gate()


@pytest.fixture
def streaming(mortal: LiveServer, upstream: Upstream, mortal_parrot: str, gate: Gate) -> Asked:
    """A run that has said, and stored, "Kept. ", and says "All." once the gate is open."""
    upstream.will_send(sse.chunk("Kept. "), gate, *sse.reply("All."))
    asked = mortal.ask(mortal_parrot)
    until("text is stored", lambda: mortal.message(asked.reply)["content"] == "Kept. ")
    return asked


def test_a_killed_server_keeps_the_text_and_says_that_the_run_was_interrupted(
    mortal: LiveServer, mortal_parrot: str, streaming: Asked
) -> None:
    mortal.kill()
    mortal.let_leases_expire()
    mortal.restart()
    run = mortal.ended(streaming.run)
    reply = mortal.message(streaming.reply)
    assert (run["state"], run["code"], run["retryable"]) == ("interrupted", "run.interrupted", True)
    assert (reply["state"], reply["content"]) == ("interrupted", "Kept. ")
    after = mortal.ask(mortal_parrot, conversation=streaming.conversation)
    assert mortal.ended(after.run)["state"] == "completed"


def test_text_is_stored_while_it_is_written(mortal: LiveServer, streaming: Asked) -> None:
    assert mortal.run(streaming.run)["state"] == "streaming"
    assert mortal.message(streaming.reply)["content"] == "Kept. "


def test_a_queued_run_outlives_the_server(mortal: LiveServer, mortal_parrot: str, streaming: Asked) -> None:
    waiting = mortal.ask(mortal_parrot)
    assert mortal.run(waiting.run)["state"] == "queued"
    mortal.kill()
    mortal.restart()
    assert mortal.ended(waiting.run)["state"] == "completed"
    assert mortal.message(waiting.reply)["content"] == "Fine."


def test_a_follower_goes_on_after_a_crash(mortal: LiveServer, streaming: Asked) -> None:
    with mortal.socket() as socket:
        follower = Follower(socket, streaming.conversation)
        follower.until_text(streaming.reply, "Kept. ")
        mortal.kill()
    mortal.let_leases_expire()
    mortal.restart()
    mortal.ended(streaming.run)
    with mortal.socket() as socket:
        follower.resume(socket)
        follower.until_ended(streaming.run)
    assert follower.messages[streaming.reply]["state"] == "interrupted"
    assert follower.text(streaming.reply) == "Kept. "


def test_asked_to_end_it_tells_its_clients_and_lets_runs_finish(
    mortal: LiveServer, streaming: Asked, gate: Gate
) -> None:
    with mortal.socket() as socket:
        socket.send('{"meta": {"command": "ping"}}')
        socket.recv(5)
        mortal.signal(signal.SIGTERM)
        told = orjson.loads(socket.recv(5))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(5)
    assert (told["meta"]["event"], closed.value.rcvd and closed.value.rcvd.code) == (
        "server.restarting",
        4012,
    )
    gate.open()
    assert mortal.running.wait(10) == 0
    mortal.restart()
    assert mortal.run(streaming.run)["state"] == "completed"
    assert mortal.message(streaming.reply)["content"] == "Kept. All."


def test_ctrl_c_does_not_wait_for_runs(mortal: LiveServer, streaming: Asked) -> None:
    mortal.signal(signal.SIGINT)
    assert mortal.running.wait(10) == 0
    mortal.restart()
    assert mortal.run(streaming.run)["state"] == "interrupted"
    assert mortal.message(streaming.reply)["content"] == "Kept. "

"""Runs that one process takes, another executes and a third shows."""

import time

import pytest

from tests.live.asking import answer, ask_by_function, question_set
from tests.live.follower import Follower
from tests.stand_ins import sse
from tests.stand_ins.lossy_redis import CALM, DEAF, LossyRedis
from tests.stand_ins.own_redis import Redis
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.several import SeveralProcesses
from tests.stand_ins.upstream import Gate, Upstream
from tests.waiting import until

pytestmark = pytest.mark.postgresql
AT_ONCE = 0.25


@pytest.fixture
def gate(upstream: Upstream) -> Gate:
    return upstream.gate()


@pytest.fixture
def streaming(several: SeveralProcesses, upstream: Upstream, parrot: str, gate: Gate) -> Asked:
    """A run that has said, and stored, "Kept. ", and says "All." once the gate is open."""
    upstream.will_send(sse.chunk("Kept. "), gate, *sse.reply("All."))
    asked = several.ask(parrot)
    until("text is stored", lambda: several.message(asked.reply)["content"] == "Kept. ")
    return asked


def test_every_web_process_shows_what_a_worker_writes(
    several: SeveralProcesses, other: LiveServer, streaming: Asked, gate: Gate
) -> None:
    with several.socket() as here, other.socket() as there:
        followers = [Follower(socket, streaming.conversation) for socket in (here, there)]
        for each in followers:
            each.until_text(streaming.reply, "Kept. ")
        gate.open()
        for each in followers:
            each.until_ended(streaming.run)
    assert [each.text(streaming.reply) for each in followers] == ["Kept. All.", "Kept. All."]
    assert several.message(streaming.reply)["content"] == "Kept. All."


def test_who_comes_in_the_middle_misses_nothing(
    several: SeveralProcesses, other: LiveServer, upstream: Upstream, parrot: str
) -> None:
    words = [f"{number} " for number in range(400)]
    gates = [upstream.gate() for _part in range(4)]
    parts = [[gate, *map(sse.chunk, words[at * 100 : at * 100 + 100])] for at, gate in enumerate(gates)]
    upstream.will_send(*(piece for part in parts for piece in part), *sse.reply(""))
    asked = several.ask(parrot)
    with several.socket() as first, other.socket() as second, several.socket() as third:
        follower = Follower(first, asked.conversation)
        gates[0].open()
        follower.until(lambda: "99 " in follower.text(asked.reply))
        late = Follower(second, asked.conversation)  # before a checkpoint holds what was just said
        gates[1].open()
        late.until(lambda: "199 " in late.text(asked.reply))
        gates[2].open()
        latest = Follower(third, asked.conversation)
        gates[3].open()
        for each in (follower, late, latest):
            each.until_ended(asked.run)
            assert each.text(asked.reply) == "".join(words)
            assert each.subscriptions <= 1 + each.events.count("heartbeat")  # which may come before its news


def test_blocks_are_rendered_for_those_who_watch(
    several: SeveralProcesses, other: LiveServer, upstream: Upstream, parrot: str
) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("# Title\n\nText\n\n"), gate, *sse.reply("End"))
    asked = several.ask(parrot)
    with other.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until(lambda: "reply.block" in follower.events or "<h1" in str(follower.messages))
        gate.open()
        follower.until_ended(asked.run)


def test_stop_reaches_the_worker_at_once(
    several: SeveralProcesses, upstream: Upstream, streaming: Asked
) -> None:
    call, before = upstream.next_call(), time.monotonic()
    assert several.post(f"/api/runs/{streaming.run}/stop/").status == 200
    assert call.closed_at() - before < AT_ONCE
    assert several.ended(streaming.run)["state"] == "stopped"
    assert several.message(streaming.reply)["content"] == "Kept. "


def test_what_a_model_asks_is_answered_in_another_process(
    several: SeveralProcesses, other: LiveServer, upstream: Upstream, parrot: str
) -> None:
    ask_by_function(upstream)
    upstream.will_send(*sse.reply("Done."))
    asked = several.ask(parrot)
    row = question_set(several, asked)
    with several.socket() as socket:
        follower = Follower(socket, asked.conversation)
        answer(other, row)
        follower.until_ended(asked.run)
    assert "question.answered" in follower.events or "heartbeat" in follower.events
    assert several.message(asked.reply)["content"] == "Done."


def test_an_openai_client_streams_what_a_worker_writes(
    several: SeveralProcesses, upstream: Upstream, parrot: str
) -> None:
    words = [f"{number} " for number in range(300)]
    upstream.will_send(*sse.reply(*words))
    body = {"model": f"{parrot}/parrot", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    told = several.post("/v1/chat/completions", body).body.decode()
    assert all(f'"{word}' in told or f" {word}" in told or word in told for word in words)
    assert told.rstrip().endswith("data: [DONE]")


class TestAKilledWorker:
    def test_its_text_is_kept_and_another_goes_on(
        self, several: SeveralProcesses, upstream: Upstream, parrot: str, streaming: Asked
    ) -> None:
        several.kill_workers()
        waiting = several.ask(parrot)
        several.let_leases_expire()
        several.start_workers()
        assert several.ended(streaming.run)["code"] == "run.interrupted"
        assert several.message(streaming.reply)["content"] == "Kept. "
        assert several.ended(waiting.run)["state"] == "completed"
        again = several.post(f"/api/messages/{streaming.reply}/continue/", {"client_id": parrot})
        assert several.ended(Asked.by(again).run)["state"] == "completed"
        assert several.message(streaming.reply)["content"] == "Kept. Fine."

    def test_one_that_is_asked_to_end_finishes_what_it_writes(
        self, several: SeveralProcesses, streaming: Asked, gate: Gate
    ) -> None:
        with several.socket() as socket:
            follower = Follower(socket, streaming.conversation)
            follower.until_text(streaming.reply, "Kept. ")
            for each in several.workers:
                each.terminate()
            gate.open()
            follower.until_ended(streaming.run)
        assert follower.text(streaming.reply) == "Kept. All."
        assert [each.wait(20) for each in several.workers] == [0, 0]
        assert several.run(streaming.run)["state"] == "completed"
        assert several.message(streaming.reply)["content"] == "Kept. All."
        several.start_workers()


def test_a_killed_web_process_costs_no_run(
    several: SeveralProcesses, other: LiveServer, streaming: Asked, gate: Gate
) -> None:
    with other.socket() as socket:
        follower = Follower(socket, streaming.conversation)
        several.webs[0].kill()
        several.webs[0].wait()
        gate.open()
        follower.until_ended(streaming.run)
        assert follower.text(streaming.reply) == "Kept. All."
    several.start_web(0)
    assert several.message(streaming.reply)["content"] == "Kept. All."


class TestLostNews:
    """Heartbeats, which bring them in any case, come every 12 seconds."""

    SOON = 4.0

    def test_of_an_end_are_told_as_soon_as_news_come_again(
        self, several: SeveralProcesses, lossy: LossyRedis, streaming: Asked, gate: Gate
    ) -> None:
        with several.socket() as socket:
            follower = Follower(socket, streaming.conversation)
            follower.until_text(streaming.reply, "Kept. ")
            lossy.chances = DEAF
            gate.open()
            several.ended(streaming.run)
            lossy.chances = CALM
            follower.until(lambda: follower.has_ended(streaming.run), seconds=self.SOON)
        assert follower.text(streaming.reply) == "Kept. All."

    def test_of_a_text_are_told_though_the_model_says_no_more(
        self, several: SeveralProcesses, lossy: LossyRedis, upstream: Upstream, parrot: str, gate: Gate
    ) -> None:
        end = upstream.gate()
        upstream.will_send(sse.chunk("Kept. "), gate, sse.chunk("More. "), end, *sse.reply("All."))
        asked = several.ask(parrot)
        with several.socket() as socket:
            follower = Follower(socket, asked.conversation)
            follower.until_text(asked.reply, "Kept. ")
            lossy.chances = DEAF
            gate.open()
            until("it is stored", lambda: several.message(asked.reply)["content"] == "Kept. More. ")
            lossy.chances = CALM
            follower.until(lambda: follower.text(asked.reply) == "Kept. More. ", seconds=self.SOON)
            end.open()
            follower.until_ended(asked.run)
        assert follower.text(asked.reply) == "Kept. More. All."


class TestARedisThatIsGone:
    def test_runs_go_on_and_who_watches_ends_with_the_stored_text(
        self, several: SeveralProcesses, redis: Redis, streaming: Asked, gate: Gate
    ) -> None:
        with several.socket() as socket:
            follower = Follower(socket, streaming.conversation)
            follower.until_text(streaming.reply, "Kept. ")
            redis.kill()
            gate.open()
            assert several.ended(streaming.run)["state"] == "completed"
            follower.until_ended(streaming.run)
            assert follower.text(streaming.reply) == "Kept. All."
        redis.start()

    def test_stop_still_reaches_the_worker(
        self, several: SeveralProcesses, redis: Redis, upstream: Upstream, streaming: Asked
    ) -> None:
        redis.kill()
        call = upstream.next_call()
        assert several.post(f"/api/runs/{streaming.run}/stop/").status == 200
        call.closed_at(within=5)
        redis.start()
        assert several.ended(streaming.run)["state"] == "stopped"

    def test_people_can_still_come_in_and_ask(
        self, several: SeveralProcesses, redis: Redis, upstream: Upstream, parrot: str
    ) -> None:
        redis.kill()
        asked = several.ask(parrot)
        with several.socket() as socket:
            follower = Follower(socket, asked.conversation)
            follower.until_ended(asked.run)
        assert follower.text(asked.reply) == "Fine."
        redis.start()

    def test_it_is_told_and_keeps_nobody_out(self, several: SeveralProcesses, redis: Redis) -> None:
        redis.kill()
        answer = several.get("/ready/", token="")
        redis.start()
        assert (answer.status, answer.json["ready"], answer.json["redis"]) == (200, True, "ConnectionError")
        assert several.get("/ready/", token="").json["redis"] == "ok"

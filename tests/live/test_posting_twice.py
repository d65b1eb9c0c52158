"""A client id makes a post safe to repeat."""

import secrets
from concurrent.futures import ThreadPoolExecutor

from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream


def test_the_same_post_again_gives_the_same_ids_and_starts_nothing(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    client_id = secrets.token_hex()
    first = live.ask(parrot, client_id=client_id)
    live.ended(first.run)
    assert live.ask(parrot, client_id=client_id) == first
    assert upstream.count_calls() == 1


def test_eight_at_once_start_one_run(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    client_id = secrets.token_hex()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: live.try_ask(parrot, client_id=client_id), range(8)))
    asked = {Asked.by(answer) for answer in answers}
    assert len(asked) == 1
    live.ended(asked.pop().run)
    assert upstream.count_calls() == 1


def test_eight_follow_ups_at_once_start_one_run(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    first = live.ask(parrot)
    live.ended(first.run)
    upstream.will_send(gate := upstream.gate(), *sse.reply("Done."))
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: live.try_ask(parrot, conversation=first.conversation), range(8)))
    gate.open()
    assert sorted(answer.status for answer in answers)[:2] == [202, 409]
    assert {answer.code for answer in answers if answer.status != 202} == {"run.active"}

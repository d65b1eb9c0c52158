"""A subscriber gets the snapshot first, then what it doesn't hold, each once; and no more than it keeps up with."""

import json
from typing import Any

import pytest

from askweb.accounts.models import User
from askweb.conversations import consumers
from askweb.conversations.consumers import Socket
from askweb.conversations.outbox import LIMIT, Outbox
from askweb.conversations.subscribing import Subscription
from askweb.ids import new_id
from askweb.runs.hub import Frame, Hub

HERE, RUN, EARLIER, LATER = (new_id() for _ in range(4))


def delta(seq: int, *, run: Any = RUN, epoch: int = 1, text: str = "") -> Frame:
    return Frame(text or f"{seq}", HERE, epoch, seq, kind="delta", run=run)


def event(revision: int, text: str = "") -> Frame:
    return Frame(text or f"event {revision}", HERE, revision=revision)


def snapshot(seq: int = 0, *, run: Any = RUN, epoch: int = 1, revision: int = 10) -> Frame:
    return Frame("snapshot", HERE, epoch, seq, revision, kind="snapshot", run=run)


@pytest.fixture
def outbox() -> Outbox:
    async def send(text: str) -> None:
        raise AssertionError("nothing is sent here")

    return Outbox(send)


@pytest.fixture
def subscription(outbox: Outbox) -> Subscription:
    return Subscription(HERE, outbox)


def told(outbox: Outbox) -> list[str]:
    return list(outbox._waiting)


CASES = {
    "nothing was held": (snapshot(), [], []),
    "deltas that it holds": (snapshot(2), [delta(1), delta(2), delta(3)], ["3"]),
    "deltas of an earlier epoch": (snapshot(1, epoch=2), [delta(9), delta(2, epoch=2)], ["2"]),
    "deltas of a later epoch": (snapshot(9), [delta(1, epoch=2)], ["1"]),
    "events that it holds": (snapshot(), [event(9), event(10), event(11)], ["event 11"]),
    "a run that ended before it": (snapshot(run=None, epoch=0), [delta(1), delta(2), event(10)], []),
    "a run that ended before it, its event still to come": (snapshot(run=None, epoch=0), [delta(1)], []),
    "a run that began after it": (snapshot(run=None, epoch=0), [event(11), delta(1)], ["event 11", "1"]),
    "an earlier run and the active one": (
        snapshot(1),
        [delta(5, run=EARLIER), event(9), delta(1), delta(2)],
        ["2"],
    ),
    "the active run and a later one": (
        snapshot(1),
        [delta(1), event(11), event(12), delta(1, run=LATER, text="later")],
        ["event 11", "event 12", "later"],
    ),
    "an event without a revision": (snapshot(), [event(0)], ["event 0"]),
}


@pytest.mark.parametrize(("first", "held", "after"), CASES.values(), ids=CASES)
def test_what_was_held_comes_after_the_snapshot_unless_it_holds_it(
    subscription: Subscription, outbox: Outbox, first: Frame, held: list[Frame], after: list[str]
) -> None:
    for frame in held:
        subscription.deliver(frame)
    assert told(outbox) == []
    subscription.open(first)
    assert told(outbox) == ["snapshot", *after]


def test_what_comes_later_is_passed_on_as_it_comes(subscription: Subscription, outbox: Outbox) -> None:
    subscription.open(snapshot())
    for frame in (delta(1), event(11), delta(2)):
        subscription.deliver(frame)
    assert told(outbox) == ["snapshot", "1", "event 11", "2"]


class TestCredit:
    def test_who_acknowledges_nothing_is_told_once_and_gets_no_more(
        self, subscription: Subscription, outbox: Outbox
    ) -> None:
        subscription.open(snapshot())
        for seq in range(1, 6):
            subscription.deliver(delta(seq, text="x" * (LIMIT // 2)))
        sent = told(outbox)
        assert len(sent) == 4
        meta = json.loads(sent[-1])["meta"]
        assert (meta["event"], meta["code"], meta["conversation"]) == ("error", "socket.behind", str(HERE))
        assert subscription.is_behind

    def test_who_acknowledges_gets_on(self, subscription: Subscription, outbox: Outbox) -> None:
        subscription.open(snapshot())
        for seq in range(1, 6):
            subscription.deliver(delta(seq, text="x" * (LIMIT // 2)))
            outbox.acknowledge(HERE, 1, seq)
        assert (len(told(outbox)), subscription.is_behind) == (6, False)

    def test_counts_bytes_rather_than_characters(self, outbox: Outbox) -> None:
        outbox.put(delta(1, text="找" * (LIMIT // 3 + 1)))
        assert outbox.is_full

    def test_an_acknowledged_frame_covers_all_before_it(self, outbox: Outbox) -> None:
        for frame in (event(1, "x" * LIMIT), delta(1), Frame("y", new_id(), 1, 1, kind="delta"), delta(2)):
            outbox.put(frame)
        outbox.acknowledge(HERE, 1, 2)
        assert outbox._put == outbox._seen

    @pytest.mark.parametrize(("epoch", "seq"), [(1, 0), (0, 99)])
    def test_a_frame_that_was_not_seen_is_not_covered(self, outbox: Outbox, epoch: int, seq: int) -> None:
        outbox.put(delta(1, text="x" * LIMIT))
        outbox.acknowledge(HERE, epoch, seq)
        assert outbox.is_full

    def test_another_conversations_acknowledgement_does_not_count(self, outbox: Outbox) -> None:
        outbox.put(delta(1, text="x" * LIMIT))
        outbox.acknowledge(new_id(), 1, 1)
        assert outbox.is_full


class TestSubscribingAgain:
    @pytest.fixture
    def large(self) -> Frame:
        return Frame("x" * LIMIT, HERE, 1, 3, 10, kind="snapshot", run=RUN)

    @pytest.fixture
    def socket(self, outbox: Outbox, large: Frame, monkeypatch: pytest.MonkeyPatch) -> Socket:
        async def take_snapshot(*arguments: object) -> Frame:
            return large

        monkeypatch.setattr(consumers, "hub", Hub())
        monkeypatch.setattr(consumers, "take_snapshot", take_snapshot)
        socket = Socket()
        socket.person, socket.outbox, socket.subscriptions = User(), outbox, {}
        return socket

    @pytest.fixture
    def here(self) -> dict[str, Any]:
        return {"conversation": str(HERE)}

    async def test_brings_no_second_large_snapshot_before_the_first_is_acknowledged(
        self, socket: Socket, outbox: Outbox, here: Any
    ) -> None:
        for _again in range(3):
            await socket.subscribe(here)
        first, *errors = told(outbox)
        assert len(first) == LIMIT
        assert [json.loads(each)["meta"]["code"] for each in errors] == ["socket.behind"] * 2

    async def test_after_leaving_brings_none_either(self, socket: Socket, outbox: Outbox, here: Any) -> None:
        await socket.subscribe(here)
        await socket.unsubscribe(here)
        await socket.subscribe(here)
        assert json.loads(told(outbox)[1])["meta"]["code"] == "socket.behind"

    async def test_brings_one_once_it_is_acknowledged(
        self, socket: Socket, outbox: Outbox, large: Frame, here: Any
    ) -> None:
        await socket.subscribe(here)
        await socket.ack({**here, "epoch": 1, "seq": 3})
        await socket.subscribe(here)
        assert told(outbox) == [large.text, large.text]

    async def test_brings_one_to_whoever_was_told_to(
        self, socket: Socket, outbox: Outbox, large: Frame, here: Any
    ) -> None:
        await socket.subscribe(here)
        socket.deliver(HERE, delta(4))
        await socket.subscribe(here)
        assert [told(outbox)[0], told(outbox)[2]] == [large.text, large.text]

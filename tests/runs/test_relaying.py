"""Between processes: who misses news notices it, and what was followed on hearsay begins anew."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from askweb.conversations.models import Message
from askweb.ids import new_id
from askweb.runs import beating, heartbeats, relaying
from askweb.runs.beating import keep_beating
from askweb.runs.heartbeats import Standing, send_heartbeats
from askweb.runs.hub import Hub
from askweb.runs.live import Piece
from askweb.runs.mirroring import Mirror, Stored
from askweb.runs.models import Run
from askweb.runs.relaying import Relay

SOON = 5


class Layer:
    """Keeps what is sent to a group; away while `fault` is set."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.fault: Exception | None = None

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        self.sent.put_nowait(message)

    async def next(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.sent.get(), SOON)


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Layer:
    layer = Layer()
    monkeypatch.setattr(relaying, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(relaying, "PULSE", 0.02)
    monkeypatch.setattr(relaying, "REST", 0.02)
    return layer


@pytest.fixture
async def relay(layer: Layer) -> Relay:
    return Relay(Hub())


@pytest.fixture
async def telling(relay: Relay) -> AsyncIterator[Relay]:
    task = asyncio.create_task(relay.keep_telling())
    yield relay
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def news(number: int | None, by: str = "another") -> dict[str, Any]:
    message = {"by": by, "items": []}
    return message if number is None else {**message, "number": number}


class TestTelling:
    async def test_numbers_each_message_and_sends_one_though_there_is_nothing_to_say(
        self, telling: Relay, layer: Layer
    ) -> None:
        told = [await layer.next() for _message in range(3)]
        assert [(each["number"], each["items"]) for each in told] == [(1, []), (2, []), (3, [])]

    async def test_gives_what_could_not_be_sent_its_number_again(self, telling: Relay, layer: Layer) -> None:
        layer.fault = ConnectionError()
        assert (await layer.next())["number"] == 1
        assert layer.fault is None

    async def test_leaves_a_gap_where_what_waited_was_too_much_to_keep(
        self, relay: Relay, layer: Layer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(relaying, "MOST_WAITING", 2)
        for number in range(3):
            relay._put(["text", number])
        await relay._send(relay._waiting, [])
        told = await layer.next()
        assert (told["number"], told["items"]) == (2, [["text", 2]])


class TestHearing:
    @pytest.mark.parametrize(
        ("numbers", "missed"),
        [
            ([1, 2, 3], False),
            ([2], True),
            ([1, 3], True),
            ([1, 1, 2], False),
            ([1, 2, 1, 3], False),
            ([None, None], False),
        ],
        ids=["all", "began in the middle", "a gap", "twice", "late", "an older release"],
    )
    async def test_notices_a_gap(self, relay: Relay, numbers: list[int | None], missed: bool) -> None:
        for number in numbers:
            relay._hear(news(number))
        assert relay.missed.is_set() is missed

    async def test_counts_each_process_by_itself_and_this_one_too(self, relay: Relay) -> None:
        relay._hear(news(1, "a"))
        relay._hear(news(1, "b"))
        relay._hear(news(1, relay._name))
        assert not relay.missed.is_set()
        relay._hear(news(3, relay._name))
        assert relay.missed.is_set()


async def test_who_missed_something_looks_at_once_and_again_a_moment_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beats: asyncio.Queue[Hub] = asyncio.Queue()

    async def close_none(hub: Hub) -> None:
        """All may listen."""

    monkeypatch.setattr(beating, "send_heartbeats", beats.put)
    monkeypatch.setattr(beating, "close_lost", close_none)
    monkeypatch.setattr(beating, "AGAIN", 0.01)
    hub, missed = Hub(), asyncio.Event()
    task = asyncio.create_task(keep_beating(hub, missed))
    missed.set()
    for _beat in range(2):
        assert await asyncio.wait_for(beats.get(), SOON) is hub
    assert not missed.is_set()
    task.cancel()


class TestAMirror:
    @pytest.mark.parametrize(
        ("seq", "is_active", "stays"),
        [
            (3, True, [True, True]),
            (2, True, [True, True]),
            (4, True, [True, False]),
            (3, False, [False, False]),
        ],
        ids=["as stored", "ahead", "behind twice", "of a run that has ended"],
    )
    async def test_is_compared_with_what_is_stored(
        self, layer: Layer, monkeypatch: pytest.MonkeyPatch, seq: int, is_active: bool, stays: list[bool]
    ) -> None:
        hub = Hub()
        hub.relay = Relay(hub)
        conversation = new_id()
        run = Run(conversation_id=conversation, reply=Message(role="assistant"), epoch=1, seq=3)
        hub.replies[conversation] = Mirror(Stored(run, "text", ""), hub)
        standing = Standing(conversation, 1, run.pk if is_active else None, 1, seq)

        async def read(*_arguments: object) -> list[Standing]:
            return [standing]

        monkeypatch.setattr(heartbeats, "in_database", read)
        looks = [(await send_heartbeats(hub), conversation in hub.replies) for _look in range(2)]
        assert [is_there for _again, is_there in looks] == stays
        assert [again for again, _is_there in looks] == [seq == 4, False]

    async def test_may_get_what_was_on_its_way_between_two_looks(self, layer: Layer) -> None:
        hub = Hub()
        hub.relay = Relay(hub)
        run = Run(conversation_id=new_id(), reply=Message(role="assistant"), epoch=1, seq=3)
        mirror = hub.replies[run.conversation_id] = Mirror(Stored(run, "text", ""), hub)
        mirrors = hub.relay.mirrors
        assert mirrors.compare(run.conversation_id, run.pk, 1, 4)
        mirror.take(Piece(run.conversation_id, run.pk, 1, 4, " and more"))
        assert mirrors.compare(run.conversation_id, run.pk, 1, 5)
        assert hub.replies[run.conversation_id] is mirror

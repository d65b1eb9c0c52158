"""However a socket ends, nothing of it stays behind."""

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError

from askweb.accounts.access import Access
from askweb.accounts.models import User
from askweb.conversations import consumers
from askweb.conversations.consumers import Socket
from askweb.ids import new_id
from askweb.runs.hub import Frame, Hub

HERE = new_id()
CONNECT = {"type": "websocket.connect"}
DISCONNECT = {"type": "websocket.disconnect"}
SUBSCRIBE = {
    "type": "websocket.receive",
    "text": f'{{"meta": {{"command": "subscribe", "conversation": "{HERE}"}}}}',
}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    async def admit(scope: Mapping[str, Any]) -> Access:
        return Access(User(), session_key="s")

    hub = Hub()
    monkeypatch.setattr(consumers, "hub", hub)
    monkeypatch.setattr(consumers, "admit", admit)
    return hub


def snapshot_is(monkeypatch: pytest.MonkeyPatch, outcome: Frame | Exception) -> None:
    async def take(person: UUID, conversation: UUID, hub: Hub) -> Frame:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(consumers, "take_snapshot", take)


class Client:
    """Sends these messages, and then nothing more; reads nothing."""

    def __init__(self, *messages: dict[str, str]) -> None:
        self._messages = list(messages)
        self.is_silent = asyncio.Event()
        self.socket = Socket()
        self.served = asyncio.ensure_future(self.socket({"type": "websocket"}, self._send, self._read))

    async def _send(self) -> dict[str, str]:
        if not self._messages:
            self.is_silent.set()
            await asyncio.Event().wait()
        return self._messages.pop(0)

    async def _read(self, message: dict[str, Any]) -> None:
        """Nobody looks."""


async def test_when_the_client_goes(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot_is(monkeypatch, Frame("snapshot", HERE))
    await Client(CONNECT, SUBSCRIBE, DISCONNECT).served
    assert (hub.topics(), hub.sockets) == ([], set())


async def test_when_the_database_fails(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot_is(monkeypatch, OperationalError("database is locked"))
    with pytest.raises(OperationalError):
        await Client(CONNECT, SUBSCRIBE).served
    assert (hub.topics(), hub.sockets) == ([], set())


async def test_when_it_is_killed(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot_is(monkeypatch, Frame("snapshot", HERE))
    client = Client(CONNECT, SUBSCRIBE)
    await client.is_silent.wait()
    client.served.cancel()
    await asyncio.wait([client.served])
    assert (hub.topics(), hub.sockets) == ([], set())

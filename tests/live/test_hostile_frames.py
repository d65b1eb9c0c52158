"""Ten thousand frames that no client of ours would send: the server lives, keeps nothing, and serves others."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from tests.stand_ins.server import LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream

FRAMES = 10_000
LOT = 50
SEED = 4455
PING = '{"meta": {"command": "ping"}}'
GROWTH = 24 * 1024
"""Kilobytes that a process may gain while its caches fill."""

pytestmark = pytest.mark.once

COMMANDS = (
    "subscribe",
    "unsubscribe",
    "ack",
    "ping",
    "answer",
    "__call__",
    "tell",
    "",
    None,
    7,
    ["ping"],
    {},
)
NUMBERS = (0, 1, -1, 2**31, 2**63, 10**400, 1.5, 1e308, True, None, "1", [], {})
TEXTS = (
    "",
    "x",
    "\x00",
    "\ud800",
    "‮",
    "é" * 9_000,
    "'; DROP TABLE runs_run; --",
    "{{7*7}}",
    "../../etc/passwd",
)


class Attacker:
    """Makes frames by chance, the same ones each time, about conversations of which one is its own."""

    def __init__(self, conversation: str) -> None:
        self._chance = random.Random(SEED)  # noqa: S311 - not for secrets
        self._conversations = (
            conversation,
            conversation.upper(),
            f"{{{conversation}}}",
            "0" * 32,
            *TEXTS,
            *NUMBERS,
        )
        self._kinds: tuple[Callable[[], str | bytes], ...] = (
            self._command,
            self._broken,
            self._nested,
            self._bytes,
        )

    def frame(self) -> str | bytes:
        return self._chance.choices(self._kinds, (8, 2, 1, 1))[0]()

    def _command(self) -> str:
        pick = self._chance.choice
        meta = {
            "command": pick(COMMANDS),
            "conversation": pick(self._conversations),
            "after": pick(({"epoch": pick(NUMBERS), "seq": pick(NUMBERS)}, *NUMBERS)),
            "epoch": pick(NUMBERS),
            "seq": pick(NUMBERS),
        }
        kept = {name: value for name, value in meta.items() if self._chance.random() < 0.8}
        return json.dumps(pick(({"meta": kept}, {"meta": kept, "messages": [kept] * 5}, kept, [kept])))

    def _broken(self) -> str:
        text = self._command()
        return text[: self._chance.randrange(len(text))] + self._chance.choice(
            ("", "}", "NaN", "\\u", '"', "]" * 99)
        )

    def _nested(self) -> str:
        depth = self._chance.randrange(20_000)
        return self._chance.choice(("[", '{"meta":', '{"meta": {"command": [')) * depth

    def _bytes(self) -> bytes:
        return self._chance.randbytes(self._chance.randrange(4_000))


@pytest.fixture
def server(new_server: MakeServer) -> LiveServer:
    server = new_server()
    server.start()
    return server


def test_ten_thousand_hostile_frames(server: LiveServer, upstream: Upstream) -> None:
    provider = server.add_provider(upstream)
    asked = server.ask(provider)
    server.ended(asked.run)
    attacker = Attacker(asked.conversation)
    _attack(server, attacker, FRAMES // 5)
    before = _resident(server), _open_files(server)
    _attack(server, attacker, FRAMES)
    grown = _resident(server) - before[0], _open_files(server) - before[1]
    assert grown[0] < GROWTH, f"grew by {grown[0]} KB"
    assert grown[1] <= 2
    assert "Traceback" not in server.log
    assert server.ended(server.ask(provider, "Still there?").run)["state"] == "completed"


def _attack(server: LiveServer, attacker: Attacker, frames: int) -> None:
    """Each lot is followed by a ping, whose answer says that all before it was read."""
    for _lot in range(frames // LOT):
        with server.socket() as socket:
            for _frame in range(LOT):
                socket.send(attacker.frame())
            socket.send(PING)
            _drain(socket)


def _drain(socket: ClientConnection) -> None:
    while not _is_pong(json.loads(socket.recv(20))):
        pass


def _is_pong(frame: Any) -> bool:
    return bool(frame["meta"]["event"] == "pong")


def _resident(server: LiveServer) -> int:
    status = Path(f"/proc/{server.running.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def _open_files(server: LiveServer) -> int:
    return len(list(Path(f"/proc/{server.running.pid}/fd").iterdir()))

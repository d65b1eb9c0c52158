"""A disk that is full or read-only, a database that is locked: told as such, nothing lost, and over by itself."""

import http.client
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import orjson
import pytest

from tests.live.follower import Follower
from tests.stand_ins import sse
from tests.stand_ins.disk import Disk, mounted
from tests.stand_ins.server import Answer, Asked, LiveServer, MakeServer
from tests.stand_ins.upstream import Gate, Upstream
from tests.waiting import until

pytestmark = pytest.mark.sqlite

UNAVAILABLE = (503, "database.unavailable")
PIECE = "字" * 1000
PIECES = 100
WHOLE = "Kept. " + PIECE * PIECES
SIZES = (400_000, 40_000, 4_000, 400, 1)
"""Characters of questions: what is left of a full disk is taken by smaller and smaller ones."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    with mounted(tmp_path_factory.mktemp("disk"), 16) as disk:
        yield disk


@pytest.fixture(scope="module")
def server(disk: Disk, migrated: Path, new_server: MakeServer) -> LiveServer:
    """On that disk; it waits a second for a locked database, not 20."""
    database = shutil.copy(migrated, disk.folder)
    server = new_server(ASKWEB_DATA=str(disk.folder), DATABASE_URL=f"sqlite:///{database}?timeout=1")
    server.start()
    assert server.token
    return server


@pytest.fixture
def parrot(server: LiveServer, upstream: Upstream) -> str:
    return server.add_provider(upstream)


@pytest.fixture
def gate(upstream: Upstream) -> Gate:
    return upstream.gate()


@pytest.fixture
def streaming(server: LiveServer, upstream: Upstream, parrot: str, gate: Gate) -> Asked:
    """A run that has said, and stored, "Kept. ", and says the rest of `WHOLE` once the gate is open."""
    return begun(server, upstream, parrot, gate)


def begun(server: LiveServer, upstream: Upstream, provider: str, gate: Gate) -> Asked:
    upstream.will_send(sse.chunk("Kept. "), gate, *sse.reply(*[PIECE] * PIECES))
    asked = server.ask(provider)
    until("text is stored", lambda: server.message(asked.reply)["content"] == "Kept. ")
    return asked


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Somebody else writes, and takes their time."""
    with closing(sqlite3.connect(folder / "db.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def ask_until_refused(server: LiveServer, provider: str, size: int) -> Answer:
    return until(
        "a post is refused",
        lambda: answer if (answer := server.try_ask(provider, "x" * size)).status >= 500 else None,
    )


def is_whole(server: LiveServer, asked: Asked, provider: str) -> None:
    """Nothing is lost, and the next question is answered."""
    assert server.ended(asked.run)["state"] == "completed"
    assert server.message(asked.reply)["content"] == WHOLE
    assert server.ended(server.ask(provider).run)["state"] == "completed"


def test_a_full_disk(
    server: LiveServer, disk: Disk, upstream: Upstream, parrot: str, streaming: Asked, gate: Gate
) -> None:
    with server.socket() as socket:
        follower = Follower(socket, streaming.conversation)
        disk.fill()
        refused = [ask_until_refused(server, parrot, size) for size in SIZES]
        assert {(each.status, each.code) for each in refused} == {UNAVAILABLE}
        assert server.get("/api/conversations/").status == 200
        gate.open()
        follower.until_text(streaming.reply, WHOLE)
        until("the end can't be stored", lambda: "could not be saved; trying again" in server.log)
        assert server.run(streaming.run)["state"] == "streaming"
        disk.make_room()
        follower.until_ended(streaming.run)
    is_whole(server, streaming, parrot)


def test_a_database_that_is_locked(
    server: LiveServer, disk: Disk, parrot: str, streaming: Asked, gate: Gate
) -> None:
    with server.socket() as socket:
        follower = Follower(socket, streaming.conversation)
        with locked(disk.folder):
            refused = server.try_ask(parrot)
            assert (refused.status, refused.code) == UNAVAILABLE
            assert server.get("/api/conversations/").status == 200
            gate.open()
            follower.until_text(streaming.reply, WHOLE)
            assert server.run(streaming.run)["state"] == "streaming"
        follower.until_ended(streaming.run)
    is_whole(server, streaming, parrot)


@pytest.mark.long
def test_a_database_that_is_locked_for_half_a_minute(
    new_server: MakeServer, upstream: Upstream, gate: Gate
) -> None:
    server = new_server()
    server.start()
    parrot = server.add_provider(upstream)
    asked = begun(server, upstream, parrot, gate)
    with locked(server.folder):
        began = time.monotonic()
        gate.open()
        assert post_patiently(server, parrot) == UNAVAILABLE
        assert 19 < time.monotonic() - began < 25
        time.sleep(30 - (time.monotonic() - began))
    is_whole(server, asked, parrot)


def post_patiently(server: LiveServer, provider: str) -> tuple[int, str]:
    envelope = {"meta": {"provider": provider}, "messages": [{"role": "user", "content": "Hi"}]}
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=40)) as connection:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"}
        connection.request("POST", "/api/conversations/", orjson.dumps(envelope), headers)
        response = connection.getresponse()
        return response.status, orjson.loads(response.read())["error"]["code"]


class TestStarting:
    """One sentence, whatever is there already."""

    @pytest.fixture(params=["nothing", "a database"])
    def full(self, request: pytest.FixtureRequest, migrated: Path, tmp_path: Path) -> Iterator[Disk]:
        with mounted(tmp_path, 8) as disk:
            if request.param == "a database":
                shutil.copy(migrated, disk.folder)
                (disk.folder / "secret_key").write_text("secret" * 9)
            disk.fill()
            yield disk

    def refusal(self, server: LiveServer, disk: Disk) -> str:
        refused = server.try_manage("up", ASKWEB_DATA=str(disk.folder))
        assert refused.returncode == 1
        assert len(refused.stderr.splitlines()) == 1, refused.stderr
        return refused.stderr

    def test_on_a_full_disk_is_refused(self, new_server: MakeServer, full: Disk) -> None:
        told = self.refusal(new_server(), full)
        assert "No space left on device" in told or "is full. Make room on it" in told
        assert str(full.folder) in told

    def test_on_a_read_only_one_is_refused(self, new_server: MakeServer, full: Disk) -> None:
        full.make_room()
        full.make_read_only()
        told = self.refusal(new_server(), full)
        assert f"{full.folder}: Read-only file system." in told

    def test_leaves_nothing_behind_that_is_in_the_way(self, new_server: MakeServer, full: Disk) -> None:
        server = new_server(ASKWEB_DATA=str(full.folder))
        server.try_manage("up")
        full.make_room()
        server.start()
        server.close()

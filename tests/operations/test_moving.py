"""Moving from SQLite to PostgreSQL: everything, once, or nothing at all."""

import fcntl
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from subprocess import CompletedProcess
from typing import Any
from uuid import UUID

import pytest

from askweb.operations.moving import CannotMove, move
from tests.operations.conftest import Filled, MakeDatabase
from tests.operations.filling import ANSWER, PAGE
from tests.stand_ins.server import LiveServer

pytestmark = pytest.mark.postgresql
OWN = {"django_migrations", "sqlite_sequence"}
READ_ANEW = ("conversations_searchedconversation", "conversations_searchdocument")


@dataclass(frozen=True)
class Refused:
    result: CompletedProcess[str]
    message_id: str
    counts: dict[str, int]


@pytest.fixture(scope="module")
def database(new_database: MakeDatabase) -> str:
    return new_database()


@pytest.fixture(scope="module")
def source(filled: Filled) -> LiveServer:
    return filled.server()


@pytest.fixture(scope="module")
def refused(filled: Filled, database: str, tmp_path_factory: pytest.TempPathFactory) -> Refused:
    """The move of a database in which PostgreSQL can't hold one character, into the empty database."""
    spoilt = shutil.copytree(filled.folder, tmp_path_factory.mktemp("spoilt") / "data")
    with closing(sqlite3.connect(spoilt / "db.sqlite3")) as connection:
        (id_,) = connection.execute(
            "SELECT id FROM conversations_message WHERE role = 'assistant'"
        ).fetchone()
        connection.execute("UPDATE conversations_message SET reasoning = 'a' || char(0) WHERE id = ?", [id_])
        connection.commit()
    result = LiveServer(spoilt).try_manage("move_to_postgresql", database)
    return Refused(result, str(UUID(id_)), LiveServer(spoilt, database_url=database).count_rows())


@pytest.fixture(scope="module")
def moved(refused: Refused, filled: Filled, source: LiveServer, database: str) -> Iterator[LiveServer]:
    """The server on PostgreSQL. That a move was refused before does not matter."""
    told = source.manage("move_to_postgresql", database)
    assert "each is the same on both sides. Set DATABASE_URL" in told
    server = filled.server(database_url=database)
    yield server
    server.close()


@pytest.fixture(scope="module")
def counts(moved: LiveServer) -> dict[str, int]:
    """What was there before the server changed anything."""
    return moved.count_rows()


@pytest.fixture(scope="module")
def running(moved: LiveServer, counts: dict[str, int]) -> LiveServer:
    moved.start()
    return moved


def test_every_row_of_every_table_comes_along(source: LiveServer, counts: dict[str, int]) -> None:
    before = source.count_rows()
    kept = [name for name in before if not name.startswith("conversations_search") and name not in OWN]
    assert {name: counts[name] for name in kept} == {name: before[name] for name in kept}
    assert [counts[name] for name in READ_ANEW] == [0, 0]
    filled_ones = ("conversations_content", "images_image", "questions_questionset", "audit_auditentry")
    assert all(counts[name] for name in (*filled_ones, "prompts_tool", "accounts_device", "runs_run"))


def test_a_server_on_it_shows_everything_and_can_read_providers_keys(
    running: LiveServer, filled: Filled
) -> None:
    assert running.message(filled.message)["context"] == [PAGE]
    assert running.message(filled.reply)["content"] == ANSWER
    assert running.ended(running.ask("parrot").run)["state"] == "completed"
    assert filled.next_key() == "Bearer sk-test"


def test_ids_go_on_after_those_that_came_along(running: LiveServer) -> None:
    again = [{"role": "user", "content": "Noch einmal"}]
    envelope = {"context": [PAGE], "meta": {"provider": "parrot"}, "messages": again}
    assert running.post("/api/conversations/", envelope).status == 201


def test_search_finds_what_came_along(running: LiveServer, filled: Filled) -> None:
    found = running.get("/api/conversations/?q=%E5%86%99%E4%BA%86%E4%BB%80%E4%B9%88").json["results"]
    assert filled.conversation in [row["id"] for row in found]


def test_what_postgresql_cannot_hold_is_named_and_nothing_is_moved(refused: Refused) -> None:
    assert refused.result.returncode == 1
    assert refused.result.stderr == (
        f"CommandError: Nothing was moved: in conversations_message, the row {refused.message_id} has a NUL character "
        "in its column reasoning, which PostgreSQL refuses. Correct or delete it, then try again.\n"
    )
    made = OWN | {"django_content_type", "auth_permission"}
    assert not [name for name, count in refused.counts.items() if count and name not in made]


def test_a_database_with_rows_is_refused(moved: LiveServer, source: LiveServer, database: str) -> None:
    result = source.try_manage("move_to_postgresql", database)
    assert result.returncode == 1
    assert "The database is in use: " in result.stderr


def test_a_server_that_runs_is_named(filled: Filled, settings: Any) -> None:
    settings.DATA_DIR, settings.ON_SQLITE = filled.folder, True
    with (filled.folder / "lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate(0)
        print("process 7 at http://127.0.0.1:8000", file=lock, flush=True)
        with pytest.raises(
            CannotMove, match=r"in use by process 7 at http://127\.0\.0\.1:8000\. Stop that server"
        ):
            move("postgresql://127.0.0.1/askweb", print)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("mysql://host/name", "must look like postgresql://user:password@host/name"),
        ("postgresql://host:port/name", "can't be read"),
    ],
)
def test_what_is_no_address_is_told(filled: Filled, address: str, why: str, settings: Any) -> None:
    settings.DATA_DIR, settings.ON_SQLITE = filled.folder, True
    with pytest.raises(CannotMove, match=why):
        move(address, print)

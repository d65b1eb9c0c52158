"""A copy of the data folder, made while the server runs, is a data folder itself."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from askweb.operations.backing_up import CannotBackUp, back_up
from tests.operations.conftest import Filled
from tests.operations.filling import ANSWER, CHINESE
from tests.stand_ins.server import LiveServer

FILES = ["db.sqlite3", "provider_key", "secret_key"]


@pytest.fixture
def folder(filled: Filled, tmp_path: Path, settings: Any) -> Path:
    """A data folder that this process has for its own."""
    settings.DATA_DIR = shutil.copytree(filled.folder, tmp_path / "data")
    settings.ON_SQLITE = True
    return tmp_path / "data"


@pytest.fixture
def restored(folder: Path, filled: Filled, tmp_path: Path) -> Iterator[LiveServer]:
    """A server that runs on a copy of the folder."""
    back_up(tmp_path / "monday")
    server = filled.server(tmp_path / "monday")
    server.start()
    yield server
    server.close()


def test_it_has_the_database_and_the_secrets_for_nobody_else_to_read(folder: Path, tmp_path: Path) -> None:
    assert back_up(tmp_path / "monday") == FILES
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "monday").iterdir()}
    assert modes == dict.fromkeys(FILES, 0o600)
    assert (tmp_path / "monday").stat().st_mode & 0o777 == 0o700
    assert {path.name for path in tmp_path.iterdir()} == {"data", "monday"}


def test_a_server_on_it_has_all_conversations_and_can_read_providers_keys(
    restored: LiveServer, filled: Filled, tmp_path: Path, settings: Any
) -> None:
    message = restored.message(filled.message)
    assert message["context"][0]["content"] == CHINESE
    assert restored.message(filled.reply)["content"] == ANSWER
    assert restored.ended(restored.ask("parrot").run)["state"] == "completed"
    assert filled.next_key() == "Bearer sk-test"
    settings.DATA_DIR = restored.folder
    call_command("backup", str(tmp_path / "tuesday"))
    assert count(tmp_path / "tuesday", "conversations_conversation") == 2


def test_what_exists_is_never_written_over(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("data", "link"):
        with pytest.raises(CannotBackUp, match=f"/{name} exists already. Choose a name that is free"):
            back_up(tmp_path / name)


def test_a_folder_that_is_not_there_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotBackUp, match="monday can't be written: No such file or directory"):
        back_up(tmp_path / "copies" / "monday")


def test_what_others_write_meanwhile_is_not_waited_for(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(folder / "db.sqlite3", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM questions_questionset")
        back_up(tmp_path / "monday")
        writer.execute("COMMIT")
    assert count(tmp_path / "monday", "questions_questionset") > count(folder, "questions_questionset") == 0


def test_secrets_that_come_from_the_environment_are_not_in_it(folder: Path, tmp_path: Path) -> None:
    for name in ("secret_key", "provider_key"):
        (folder / name).unlink()
    assert back_up(tmp_path / "monday") == ["db.sqlite3"]


def test_nothing_is_left_of_a_copy_with_a_fault(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(folder / "db.sqlite3", isolation_level=None)) as spoiling:
        spoiling.execute("DELETE FROM accounts_user")
    with pytest.raises(CannotBackUp, match="names a row of accounts_user that is not there"):
        back_up(tmp_path / "monday")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_what_is_no_database_is_told(folder: Path, tmp_path: Path) -> None:
    (folder / "db.sqlite3").write_text("nonsense" * 1000)
    with pytest.raises(CannotBackUp, match="can't be copied: file is not a database"):
        back_up(tmp_path / "monday")


def test_postgresql_is_copied_by_its_own_program(tmp_path: Path, settings: Any) -> None:
    settings.ON_SQLITE = False
    with pytest.raises(CommandError, match=r'pg_dump --format=custom .*"\$DATABASE_URL"'):
        call_command("backup", str(tmp_path / "monday"))


def count(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / "db.sqlite3")) as connection:
        (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - ours
    return int(rows)

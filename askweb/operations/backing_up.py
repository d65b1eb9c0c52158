"""A copy of the data folder, made while the server runs."""

import os
import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from django.conf import settings

DATABASE = "db.sqlite3"
KEYS = "provider_key"
SESSIONS = "secret_key"


class CannotBackUp(Exception):
    """Why there is no copy, and what to do, in a sentence."""


def back_up(target: Path) -> list[str]:
    """Make the folder `target`, which is a data folder itself; return the names of its files.

    It is there whole, or not at all: it is made beside itself under another name, checked, written to the disk,
    and renamed.
    """
    if not settings.ON_SQLITE:
        raise CannotBackUp(
            "The data are in PostgreSQL, which makes its own copies while it runs: "
            'pg_dump --format=custom --file=askweb.dump "$DATABASE_URL". Keep the secrets with it: ASKWEB_SECRET_KEY '
            f"and ASKWEB_PROVIDER_KEYS, or else the files {SESSIONS} and {KEYS} in {settings.DATA_DIR}."
        )
    if os.path.lexists(target):
        raise CannotBackUp(f"{target} exists already. Choose a name that is free.")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        draft.mkdir(mode=0o700)
        _fill(draft)
        draft.rename(target)
        _sync(target.parent)
    except OSError as error:
        raise CannotBackUp(f"{target} can't be written: {error.strerror or error}.") from error
    except sqlite3.Error as error:
        raise CannotBackUp(
            f"The database {settings.DATA_DIR / DATABASE} can't be copied: {error}."
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return sorted(path.name for path in target.iterdir())


def _fill(folder: Path) -> None:
    """Secrets of keys are looked at before and after: `rotate_provider_keys` may run meanwhile."""
    before = _text(KEYS)
    _copy_database(folder / DATABASE)
    after = _text(KEYS)
    kept = dict.fromkeys([*after.split(), *before.split()])
    for name, text in ((KEYS, "\n".join(kept)), (SESSIONS, _text(SESSIONS))):
        if text:
            _write(folder / name, text)
    _sync(folder)


def _copy_database(path: Path) -> None:
    """All at once: readers and writers go on, as the write-ahead log keeps what they do apart from this snapshot.

    In steps it would begin anew whenever somebody writes.
    """
    _write(path, "")
    with (
        closing(sqlite3.connect(f"{(settings.DATA_DIR / DATABASE).as_uri()}?mode=rw", uri=True)) as source,
        closing(sqlite3.connect(path)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file; the server changes it back
        _check(copy)


def _check(copy: sqlite3.Connection) -> None:
    (found,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise CannotBackUp(f"The copy is damaged, and so may be the database: {found}.")
    broken = copy.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        table, row, other, _number = broken
        raise CannotBackUp(f"Row {row} of {table} names a row of {other} that is not there.")


def _text(name: str) -> str:
    try:
        return (settings.DATA_DIR / name).read_text()
    except FileNotFoundError:  # it comes from the environment
        return ""


def _write(path: Path, text: str) -> None:
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

"""The databases of a benchmark: a new one of SQLite and, where DATABASE_URL names one, of PostgreSQL, which is dropped
behind it; and what is measured on both.

A script that reads rows runs itself again, with `--here`, on each of them, and says there what it has found as JSON.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import urlsplit

HERE = "--here"


@dataclass(frozen=True)
class Beside:
    """Medians in milliseconds of the same with few and with many."""

    database: str
    what: str
    few: float
    many: float

    @property
    def times(self) -> float:
        return self.many / self.few

    def __str__(self) -> str:
        return f"{self.database:12} {self.what:28} {self.few:7.2f} {self.many:7.2f}   × {self.times:.2f}"


@dataclass(frozen=True)
class Compared:
    rows: Sequence[Beside]

    @property
    def worst(self) -> Beside:
        return max(self.rows, key=lambda row: row.times)


def on_each(script: str, numbers: Sequence[int]) -> dict[str, Any]:
    """What the script says of each database, by its name."""
    with tempfile.TemporaryDirectory(prefix="askweb-benchmark-") as folder:
        own = {"ASKWEB_DATA": folder, "ASKWEB_LOCAL_MODEL": "off", "DATABASE_URL": ""}
        said = {"SQLite": _said(script, numbers, own)}
        if url := os.environ.get("DATABASE_URL", ""):
            with _made_database(url, f"askweb_benchmark_{os.getpid()}") as made:
                said["PostgreSQL"] = _said(script, numbers, own | {"DATABASE_URL": made})
        return said


def compared(script: str, few: int, many: int) -> Compared:
    """Of a script that says rows of what, with few, and with many."""
    said = on_each(script, (few, many))
    return Compared([Beside(database, *row) for database, rows in said.items() for row in rows])


def _said(script: str, numbers: Sequence[int], environment: dict[str, str]) -> Any:
    words = [sys.executable, script, HERE, *map(str, numbers)]
    done = subprocess.run(words, env=os.environ | environment, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


@contextmanager
def _made_database(url: str, name: str) -> Iterator[str]:
    """The address of a new database of this name, on the server of another one's address."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def set_up() -> None:
    """Make the tables in the database of the environment."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def tidy() -> None:
    """What autovacuum, or `PRAGMA optimize`, does a little later by itself."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def medians(acts: Sequence[Callable[[], float]], repeats: int) -> list[float]:
    """Of what each act says it took, by turns, so that what else the machine does falls on all alike."""
    rounds = [[act() for act in acts] for _repeat in range(repeats + 1)]
    return [median(each) for each in zip(*rounds[1:], strict=True)]

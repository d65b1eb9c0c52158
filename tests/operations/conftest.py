"""A data folder on SQLite that has something of everything, and a provider that answers."""

import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.required import PROJECT
from tests.stand_ins.server import LiveServer, _on_postgresql
from tests.stand_ins.upstream import Upstream


@dataclass(frozen=True)
class Filled:
    """The folder, the token of a device, and ids. No server runs there; leave it as it is."""

    folder: Path
    upstream: Upstream
    token: str
    conversation: str
    message: str
    reply: str

    def server(self, folder: Path | None = None, database_url: str = "") -> LiveServer:
        server = LiveServer(folder or self.folder, database_url=database_url)
        server._token = self.token
        return server

    def next_key(self) -> str:
        """The key that comes with the newest call of the provider."""
        while self.upstream.count_calls() > 1:
            self.upstream.next_call()
        return self.upstream.next_call().headers["Authorization"]


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    folder, upstream = tmp_path_factory.mktemp("filled"), Upstream()
    told = subprocess.run(
        [sys.executable, "-m", "tests.operations.filling", upstream.base_url],
        cwd=PROJECT,
        env=LiveServer(folder).environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    yield Filled(folder, upstream, **json.loads(told.stdout))
    upstream.close()


MakeDatabase = Callable[[], str]


@pytest.fixture(scope="session")
def new_database(postgresql: str) -> Iterator[MakeDatabase]:
    names: list[str] = []

    def make() -> str:
        names.append(f"askweb_moved_{secrets.token_hex(6)}")
        _on_postgresql(postgresql, f"CREATE DATABASE {names[-1]}")
        return f"{postgresql.rpartition('/')[0]}/{names[-1]}"

    yield make
    for name in names:
        _on_postgresql(postgresql, f"DROP DATABASE {name} WITH (FORCE)")

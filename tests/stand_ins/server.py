"""The product itself as a child process, as its person starts it."""

import http.client
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.required import PROJECT
from tests.stand_ins.commands import Commands
from tests.stand_ins.upstream import Upstream
from tests.waiting import LONG, until

UP = ("manage.py", "up")
EXTENSION = "abcdefghijklmnopabcdefghijklmnop"
"""The id of an extension that may be paired."""


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; `json` is None where the body is something else."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body) if self.body else None

    @property
    def code(self) -> str:
        code: str = self.json["error"]["code"]
        return code


@dataclass(frozen=True)
class Asked:
    """The ids that a post led to."""

    conversation: str
    message: str
    reply: str
    run: str

    @classmethod
    def by(cls, answer: Answer) -> "Asked":
        assert answer.status in (201, 202), answer.body
        posted = answer.json
        return cls(*(posted[key]["id"] for key in ("conversation", "message", "reply", "run")))


class LiveServer:
    """One server on a data folder and a database of its own, on a port of 127.0.0.1."""

    def __init__(self, folder: Path, *, database_url: str = "", **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._database_url = database_url
        self._environment = environment
        self._log = folder / "log"
        self._token = ""
        self._commands: Commands | None = None
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def token(self) -> str:
        self._token = self._token or self.manage("device_token", "tests")
        return self._token

    def start(self, command: Sequence[str] = UP) -> None:
        """Start and wait until it listens; `manage.py up` has said the sign-in line by then."""
        self._log.unlink(missing_ok=True)
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *command], cwd=PROJECT, env=self.environment(), stdout=log, stderr=log
            )
        until(f"{command} is ready", lambda: self._is_ready(command), seconds=60)

    def _is_ready(self, command: Sequence[str]) -> bool:
        assert self.running.poll() is None, f"the server ended while starting:\n{self.log}"
        return "Sign in:" in self.log if command == UP else self.listens()

    def listens(self) -> bool:
        with closing(socket.socket()) as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def running(self) -> subprocess.Popen[bytes]:
        assert self.process is not None, "the server was not started"
        return self.process

    def restart(self) -> None:
        self.start()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.running.kill()
        self.running.wait()

    def signal(self, number: signal.Signals) -> None:
        self.running.send_signal(number)

    def terminate(self) -> int:
        """Ask it to end, and return its exit code."""
        self.signal(signal.SIGTERM)
        return self.running.wait(30)

    def close(self) -> None:
        if self._commands is not None:
            self._commands.close()
            self._commands = None
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def environment(self, **more: str) -> dict[str, str]:
        ours = ("ASKWEB_", "DJANGO_", "PYTEST_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return kept | {
            "ASKWEB_DATA": str(self.folder),
            "ASKWEB_LOCAL_MODEL": "off",
            "ASKWEB_FIND_PROVIDERS": "off",
            "ASKWEB_EXTENSION_IDS": EXTENSION,
            "DATABASE_URL": self._database_url,
            "ASKWEB_SIGN_IN_RATE": "off",
            "ASKWEB_POSTING_RATE": "off",
            "ASKWEB_RUNS_AT_ONCE_PER_PERSON": "1000",
            "ASKWEB_RUNS_PER_DAY": "100000",
            "REDIS_URL": "",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
            **self._environment,
            **more,
        }

    def keep_commands(self) -> None:
        """Hold a process ready for management commands, which saves starting Django for each."""
        self._commands = Commands(self.environment())

    def manage(self, *arguments: str) -> str:
        """What a management command prints."""
        result = self.try_manage(*arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    def try_manage(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        if self._commands is not None and not environment:
            return self._commands.run(*arguments)
        command = [sys.executable, "manage.py", *arguments]
        env = self.environment(**environment)
        return subprocess.run(
            command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=60, check=False
        )

    def sign_in_link(self) -> str:
        return self.manage("sign_in_link")

    def new_person(self, name: str) -> str:
        """Add another person and return a device token of theirs."""
        add = f"User.objects.create_user({name!r}).new_device('tests')[1]"
        return self.manage("shell", "-v0", "-c", f"from askweb.accounts.models import User; print({add})")

    def get(self, path: str, *, token: str | None = None) -> Answer:
        return self.request("GET", path, token=token)

    def post(self, path: str, json: object = None, *, token: str | None = None) -> Answer:
        return self.request("POST", path, orjson.dumps(json), token=token)

    def request(
        self, method: str, path: str, body: bytes | None = None, *, token: str | None = None, **headers: str
    ) -> Answer:
        """Send bytes as they are; `token=""` sends none."""
        token = self.token if token is None else token
        headers = {"Content-Type": "application/json", **headers}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)) as connection:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())

    def add_provider(self, upstream: Upstream, **fields: object) -> str:
        """Configure the stand-in as a provider and return its slug."""
        slug = f"p{secrets.token_hex(8)}"
        row = {"slug": slug, "base_url": upstream.base_url, "default_model": "parrot", "api_key": "sk-test"}
        answer = self.post("/api/providers/", row | fields)
        assert answer.status == 201, answer.body
        return slug

    def ask(
        self, provider: str, text: str = "Hi", *, conversation: str | None = None, **meta: object
    ) -> Asked:
        return Asked.by(self.try_ask(provider, text, conversation=conversation, **meta))

    def try_ask(
        self, provider: str, text: str = "Hi", *, conversation: str | None = None, **meta: object
    ) -> Answer:
        path = f"/api/conversations/{conversation}/messages/" if conversation else "/api/conversations/"
        envelope = {"meta": {"provider": provider, **meta}, "messages": [{"role": "user", "content": text}]}
        return self.post(path, envelope)

    def run(self, id_: str) -> Any:
        return self.get(f"/api/runs/{id_}/").json

    def message(self, id_: str) -> Any:
        return self.get(f"/api/messages/{id_}/").json

    def ended(self, run: str, *, seconds: float = LONG) -> Any:
        """The run, once it has ended."""
        return until(f"run {run} ends; the log is\n{self.log}", lambda: self._if_ended(run), seconds=seconds)

    def _if_ended(self, id_: str) -> Any:
        run = self.run(id_)
        return None if run["state"] in ("queued", "streaming", "waiting") else run

    def socket(self, **options: Any) -> ClientConnection:
        """An open socket with a fresh ticket, to use in a `with` statement."""
        token = options.pop("token", None)
        ticket = self.post("/api/socket-tickets/", token=token).json["ticket"]
        return self.open_socket(f"?ticket={ticket}", **options)

    def open_socket(self, query: str = "", **options: Any) -> ClientConnection:
        address = f"ws://127.0.0.1:{self.port}/ws/{query}"
        options = {"max_size": None, "max_queue": None, "compression": None, "proxy": None, **options}
        return connect(address, **options)

    def count_rows(self) -> dict[str, int]:
        """How many rows each table of its database holds."""
        with closing(self._connect()) as connection:
            tables = [name for (name,) in connection.execute(self._tables).fetchall()]
            counts = [connection.execute(f'SELECT count(*) FROM "{name}"').fetchone() for name in tables]  # noqa: S608
        return {name: count[0] for name, count in zip(tables, counts, strict=True) if count}

    def let_leases_expire(self) -> None:
        """As if it had been gone for an hour. On SQLite it waits for no lease."""
        if self._database_url:
            earlier = "UPDATE runs_run SET lease_expires_at = now() - interval '1 hour'"
            _on_postgresql(self._database_url, earlier)

    @property
    def _tables(self) -> str:
        if self._database_url:
            return "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        return "SELECT name FROM sqlite_master WHERE type = 'table'"

    def _connect(self) -> Any:
        if self._database_url:
            return psycopg.connect(self._database_url)
        return sqlite3.connect(f"file:{self.folder}/db.sqlite3?mode=ro", uri=True)


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port: int = listener.getsockname()[1]
        return port


MakeServer = Callable[..., LiveServer]


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database with all tables: making them takes as long as all else that starts a server."""
    server = LiveServer(tmp_path_factory.mktemp("migrated"))
    server.manage("migrate", "-v0")
    return server.folder / "db.sqlite3"


@pytest.fixture(scope="session")
def new_server(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[MakeServer]:
    """Makes servers that are not started yet, each with its own data folder and database."""
    servers: list[LiveServer] = []
    databases: list[str] = []

    def make(kind: type[LiveServer] | None = None, **options: Any) -> LiveServer:
        address = os.environ.get("DATABASE_URL", "")
        if address.startswith("postgres"):
            databases.append(f"askweb_live_{secrets.token_hex(6)}")
            _on_postgresql(address, f"CREATE DATABASE {databases[-1]}")
            address = address.rpartition("/")[0] + f"/{databases[-1]}"
        folder = tmp_path_factory.mktemp("askweb")
        if not address:
            shutil.copy(migrated, folder)
        servers.append((kind or _kind())(folder, database_url=address, **options))
        return servers[-1]

    yield make
    for server in servers:
        server.close()
    for database in databases:
        _on_postgresql(os.environ["DATABASE_URL"], f"DROP DATABASE {database} WITH (FORCE)")


def _kind() -> type[LiveServer]:
    """One process, unless ASKWEB_TEST_PROCESSES says "several"."""
    from tests.stand_ins.several import SeveralProcesses  # which is one of these

    return SeveralProcesses if os.environ.get("ASKWEB_TEST_PROCESSES") == "several" else LiveServer


def _on_postgresql(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)


@pytest.fixture(scope="session")
def live(new_server: MakeServer) -> LiveServer:
    """The server that most tests share; leave it running."""
    server = new_server()
    server.start()
    server.keep_commands()
    return server


@pytest.fixture(scope="session")
def _mortal(new_server: MakeServer) -> LiveServer:
    return new_server(ASKWEB_RUNS_AT_ONCE="1")


@pytest.fixture
def mortal(_mortal: LiveServer) -> LiveServer:
    """A running server that a test may kill. It runs one run at a time; its data stay from test to test."""
    if not _mortal.listens():
        _mortal.close()
        _mortal.start()
    return _mortal

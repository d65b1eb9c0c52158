"""Two web processes and two workers on PostgreSQL, with a Redis of their own that a test may kill."""

import copy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stand_ins.server import LiveServer, MakeServer, free_port
from tests.stand_ins.several import SeveralProcesses
from tests.stand_ins.upstream import Upstream
from tests.waiting import until


class Redis:
    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("redis-server") or pytest.skip("redis: redis-server is not installed")
        command = [
            program,
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(self._folder),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until("Redis listens", self._listens)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _listens(self) -> bool:
        ping = subprocess.run(["redis-cli", "-p", str(self.port), "ping"], capture_output=True, check=False)
        return ping.stdout.strip() == b"PONG"


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    redis = Redis(tmp_path_factory.mktemp("redis"))
    redis.start()
    yield redis
    redis.kill()


@pytest.fixture(scope="session")
def several(new_server: MakeServer, postgresql: str, redis: Redis) -> SeveralProcesses:
    """Leave two of each running."""
    server = new_server(SeveralProcesses, webs=2, workers=2, REDIS_URL=redis.url)
    assert isinstance(server, SeveralProcesses)
    server.start()
    return server


@pytest.fixture
def other(several: SeveralProcesses) -> LiveServer:
    """The second web process."""
    return at(several, 1)


def at(server: SeveralProcesses, index: int) -> LiveServer:
    """The same server, spoken to by way of one of its web processes."""
    web = copy.copy(server)
    web.port = server.ports[index]
    return web


@pytest.fixture
def parrot(several: SeveralProcesses, upstream: Upstream) -> str:
    return several.add_provider(upstream)

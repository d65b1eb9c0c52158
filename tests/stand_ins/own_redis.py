"""A Redis of the tests' own, which they may kill."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stand_ins.server import free_port
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

    @property
    def pid(self) -> int:
        assert self._process is not None, "Redis was not started"
        return self._process.pid

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

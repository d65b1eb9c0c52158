"""A PostgreSQL of a test's own, which it may restart."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.stand_ins.server import free_port


class PostgreSQL:
    """In a new folder; `initdb` refuses root, so there the user `postgres` runs it."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"postgresql://askweb@127.0.0.1:{self.port}/postgres"
        self._folder = folder
        self._data = folder / "data"
        self._bin = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)

    def create(self) -> None:
        if self._bin is None:
            pytest.skip("postgresql: there is no /usr/lib/postgresql")
        if os.getuid() == 0:
            subprocess.run(["chown", "postgres", self._folder], check=True)
        self._run("initdb", "-D", self._data, "-U", "askweb", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self._folder} -c max_connections=300"
        self._run("pg_ctl", "-D", self._data, "-l", self._data / "log", "-w", "-o", options, "start")

    def stop(self) -> None:
        """As a power cut would; what was committed stays."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop")

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def _run(self, program: str, *arguments: object) -> None:
        command = shlex.join([f"{self._bin}/{program}", *map(str, arguments)])
        if os.getuid() == 0:
            command = shlex.join(["su", "postgres", "-s", "/bin/sh", "-c", f"cd / && {command}"])
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)  # noqa: S602 - quoted above

"""The product as several processes on one machine: workers, and web processes that answer the same addresses."""

import copy
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.required import PROJECT
from tests.stand_ins.server import UP, LiveServer, free_port
from tests.waiting import until


class SeveralProcesses(LiveServer):
    """What `manage.py up` does in one process. `port` is the first web process's."""

    def __init__(self, *arguments: Any, webs: int = 1, workers: int = 1, **environment: str) -> None:
        super().__init__(*arguments, **{"REDIS_URL": os.environ.get("REDIS_URL", ""), **environment})
        self.ports = [self.port, *(free_port() for _web in range(webs - 1))]
        self.webs: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self._count = workers

    def start(self, command: Sequence[str] = UP) -> None:
        if command != UP:
            super().start(command)
            return
        self._log.unlink(missing_ok=True)
        self.manage("migrate", "-v0")
        self.workers = [self.run_command("worker") for _worker in range(self._count)]
        self.webs = [self.run_command("web", PORT=str(port)) for port in self.ports]
        self.process = self.webs[0]
        self._wait_until_ready(workers=self._count, webs=len(self.ports))

    def at(self, index: int) -> "SeveralProcesses":
        """The same server, spoken to by way of one of its web processes."""
        web = copy.copy(self)
        web.port = self.ports[index]
        return web

    def kill_workers(self) -> None:
        for each in self.workers:
            each.kill()
            each.wait()

    def start_workers(self) -> None:
        before = self._told("Working on")
        self.workers = [self.run_command("worker") for _worker in range(self._count)]
        self._wait_until_ready(workers=before + self._count)

    def start_worker(self, index: int) -> None:
        before = self._told("Working on")
        self.workers[index] = self.run_command("worker")
        self._wait_until_ready(workers=before + 1)

    def start_web(self, index: int) -> None:
        before = self._told("Serving")
        self.webs[index] = self.run_command("web", PORT=str(self.ports[index]))
        self.process = self.webs[0]
        self._wait_until_ready(webs=before + 1)

    def replace(self, index: int) -> None:
        """Have a web process and a worker end in order, and others take their place."""
        webs, workers = self._told("Serving"), self._told("Working on")
        both = (self.webs[index], self.workers[index])
        for each in both:
            each.terminate()
        assert [each.wait(40) for each in both] == [0, 0]
        self.webs[index] = self.run_command("web", PORT=str(self.ports[index]))
        self.workers[index] = self.run_command("worker")
        self.process = self.webs[0]
        self._wait_until_ready(workers=workers + 1, webs=webs + 1)

    def run_command(self, name: str, **environment: str) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", name],
                cwd=PROJECT,
                env=self.environment(**environment),
                stdout=log,
                stderr=log,
            )

    def _wait_until_ready(self, *, workers: int = 0, webs: int = 0) -> None:
        def are_ready() -> bool:
            for each in self.processes:
                assert each.poll() is None, f"a process ended while starting:\n{self.log}"
            return self._told("Working on") >= workers and self._told("Serving") >= webs

        until("workers and web processes are ready", are_ready, seconds=60)

    def _told(self, words: str) -> int:
        return self.log.count(words)

    @property
    def processes(self) -> list[subprocess.Popen[bytes]]:
        return [*self.webs, *self.workers]

    def restart(self) -> None:
        for each in self.processes:
            each.wait(30)
        self.start()

    def kill(self) -> None:
        for each in self.processes:
            each.kill()
            each.wait()

    def signal(self, number: signal.Signals) -> None:
        for each in self.processes:
            each.send_signal(number)

    def terminate(self) -> int:
        self.signal(signal.SIGTERM)
        return max(each.wait(30) for each in self.processes)

    def close(self) -> None:
        super().close()
        self.kill()

"""The servers of a benchmark: started in a folder of their own, awaited, and stopped."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from load import Measurement, Order, Server

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path.insert(0, str(PROJECT))

from tests.chaos.postgresql import PostgreSQL  # noqa: E402 - needs the path
from tests.stand_ins.own_redis import Redis  # noqa: E402

MANAGE = [sys.executable, "manage.py"]
START_SECONDS = 30
SETTINGS = {"ASKWEB_LOCAL_MODEL": "off", "ASKWEB_RUNS_AT_ONCE": "1000"}


@contextmanager
def provider() -> Iterator[int]:
    """The mock provider; yields its port."""
    port = _free_port()
    with _running([sys.executable, "provider.py", str(port)], port, HERE):
        yield port


@contextmanager
def reference() -> Iterator[Server]:
    port = _free_port()
    daphne = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port)]
    with _running([*daphne, "reference:application"], port, HERE) as process:
        yield Server("reference", (port,), (process.pid,))


@contextmanager
def product(data: Path, provider_port: int) -> Iterator[Server]:
    """AskWeb with fresh data in `data`, a device, and the mock provider as its default."""
    with started(data) as (port, pid):
        server = Server("product", (port,), (pid,), _device_token(_environment(data)))
        _add_provider(server, provider_port)
        yield server


@contextmanager
def started(data: Path) -> Iterator[tuple[int, int]]:
    """The port and the process of AskWeb, once it answers."""
    port = _free_port()
    environment = _environment(data, PORT=str(port))
    with _running([*MANAGE, "up"], port, PROJECT, environment) as process:
        _await_answer(port)
        yield port, process.pid


@contextmanager
def several(data: Path, provider_port: int) -> Iterator[Server]:
    """Likewise, two web processes and two workers with a PostgreSQL and a Redis of their own, which are counted, too."""
    with ExitStack() as stack:
        postgresql = stack.enter_context(_postgresql())
        redis = Redis(data)
        redis.start()
        stack.callback(redis.kill)
        environment = _environment(data, DATABASE_URL=postgresql.url, REDIS_URL=redis.url)
        subprocess.run([*MANAGE, "migrate", "-v0"], cwd=PROJECT, env=environment, check=True)
        ports = (_free_port(), _free_port())
        workers = [_running([*MANAGE, "worker"], None, PROJECT, environment) for _worker in range(2)]
        webs = [
            _running([*MANAGE, "web"], port, PROJECT, {**environment, "PORT": str(port)}) for port in ports
        ]
        pids = [stack.enter_context(process).pid for process in (*workers, *webs)]
        server = Server("several", ports, (*pids, postgresql.pid, redis.pid), _device_token(environment))
        _add_provider(server, provider_port)
        yield server


@contextmanager
def database() -> Iterator[str]:
    """The address of a PostgreSQL for as long as the block takes."""
    with _postgresql() as postgresql:
        yield postgresql.url


@contextmanager
def _postgresql() -> Iterator[PostgreSQL]:
    with TemporaryDirectory(prefix="askweb-postgresql-") as folder:
        postgresql = PostgreSQL(Path(folder))
        postgresql.create()
        try:
            yield postgresql
        finally:
            postgresql.stop()


def run_client(order: Order) -> Measurement:
    words = [sys.executable, "client.py", msgspec.json.encode(order).decode()]
    done = subprocess.run(words, cwd=HERE, check=True, stdout=subprocess.PIPE)
    return msgspec.json.decode(done.stdout, type=Measurement)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def _running(
    words: list[str], port: int | None, folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    try:
        if port is not None:
            _await_port(process, port)
        yield process
    finally:
        process.terminate()
        process.wait()


def _await_port(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"{process.args!r} did not start to listen on port {port}")


def _await_answer(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/ready/")
    assert connection.getresponse().status == 200
    connection.close()


def _environment(data: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "ASKWEB_DATA": str(data), "HOST": "127.0.0.1", **SETTINGS, **more}


def _device_token(environment: Mapping[str, str]) -> str:
    words = [*MANAGE, "device_token", "benchmark"]
    done = subprocess.run(words, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _add_provider(server: Server, provider_port: int) -> None:
    body = {"base_url": f"http://127.0.0.1:{provider_port}/v1", "default_model": "mock"}
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("POST", "/api/providers/", json.dumps(body), headers)
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()

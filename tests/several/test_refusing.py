"""What several processes can't share is refused in one sentence, before anything is lost."""

import pytest

from tests.stand_ins.own_redis import Redis
from tests.stand_ins.server import LiveServer, MakeServer


def refused(server: LiveServer, command: str, **environment: str) -> str:
    done = server.try_manage(command, **environment)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.sqlite
@pytest.mark.parametrize("command", ["web", "worker"])
def test_sqlite(new_server: MakeServer, command: str) -> None:
    told = refused(new_server(), command, REDIS_URL="redis://127.0.0.1:1/0")
    assert "Several processes need PostgreSQL and Redis" in told
    assert "DATABASE_URL=postgresql://" in told


@pytest.mark.postgresql
def test_no_redis(new_server: MakeServer, postgresql: str) -> None:
    assert "REDIS_URL=redis://" in refused(new_server(LiveServer), "worker", REDIS_URL="")


@pytest.mark.postgresql
def test_tables_of_an_older_release(new_server: MakeServer, postgresql: str, redis: Redis) -> None:
    assert "run `manage.py migrate` first" in refused(new_server(LiveServer), "web", REDIS_URL=redis.url)

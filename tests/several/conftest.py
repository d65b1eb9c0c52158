"""Two web processes and two workers on PostgreSQL, with a Redis of their own that a test may kill, and a way to it that
loses news when it is told to.
"""

import pytest

from tests.stand_ins.lossy_redis import LossyRedis
from tests.stand_ins.server import LiveServer, MakeServer
from tests.stand_ins.several import SeveralProcesses
from tests.stand_ins.upstream import Upstream


@pytest.fixture(scope="session")
def several(new_server: MakeServer, postgresql: str, way_to_redis: LossyRedis) -> SeveralProcesses:
    """Leave two of each running."""
    server = new_server(SeveralProcesses, webs=2, workers=2, REDIS_URL=way_to_redis.url)
    assert isinstance(server, SeveralProcesses)
    server.start()
    return server


@pytest.fixture
def other(several: SeveralProcesses) -> LiveServer:
    """The second web process."""
    return several.at(1)


@pytest.fixture
def parrot(several: SeveralProcesses, upstream: Upstream) -> str:
    return several.add_provider(upstream)

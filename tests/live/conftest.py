import pytest

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream


@pytest.fixture
def parrot(live: LiveServer, upstream: Upstream) -> str:
    """The stand-in as a provider on the shared server, by its slug."""
    return live.add_provider(upstream)


@pytest.fixture
def mortal_parrot(mortal: LiveServer, upstream: Upstream) -> str:
    return mortal.add_provider(upstream)

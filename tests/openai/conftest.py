from collections.abc import AsyncIterator, Iterator

import pytest
from openai import AsyncOpenAI, OpenAI

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream


@pytest.fixture
def model(live: LiveServer, upstream: Upstream) -> str:
    """The stand-in's model, which is also the default one for as long as the test takes."""
    return f"{live.add_provider(upstream, is_default=True)}/parrot"


@pytest.fixture
def client(live: LiveServer) -> Iterator[OpenAI]:
    """The official client; it repeats nothing."""
    with OpenAI(base_url=f"{live.url}/v1", api_key=live.token, max_retries=0) as client:
        yield client


@pytest.fixture
async def async_client(live: LiveServer) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=f"{live.url}/v1", api_key=live.token, max_retries=0) as client:
        yield client

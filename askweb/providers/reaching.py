"""From a stored provider to an endpoint that can be called now."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from askweb.providers.endpoints import Endpoint
from askweb.providers.local.supervising import LocalServer
from askweb.providers.models import Provider


@asynccontextmanager
async def reach(provider: Provider, local: LocalServer) -> AsyncIterator[Endpoint]:
    """Yield the provider's endpoint; the local model runs for as long as the block does.

    Raises `ProviderError` when the local model can't be started or the stored key can't be read.
    """
    if not provider.is_local:
        yield Endpoint(provider.base_url, provider.api_key, provider.headers)
        return
    async with local.address() as address:
        yield Endpoint(address.base_url, address.api_key)

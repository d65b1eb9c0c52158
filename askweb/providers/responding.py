"""Getting a response out of a provider, or one clear error for whatever prevents it."""

import asyncio
from typing import Any

import aiohttp
from multidict import CIMultiDict

from askweb.providers.addresses import REFUSED
from askweb.providers.connecting import was_refused
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.wording import Wording

LONGEST_LOCATION = 300


async def respond(
    session: aiohttp.ClientSession,
    endpoint: Endpoint,
    method: str,
    url: str,
    *,
    connect: float,
    within: float,
    accept: str,
    body: bytes | None = None,
) -> aiohttp.ClientResponse:
    """Send a request and return the response as soon as its headers are there; close it when done.

    `connect` and `within` are seconds, to connect and to the headers. Redirects are not followed: they could
    lead anywhere, with the key. Raises `ProviderError`.
    """
    limits = aiohttp.ClientTimeout(total=None, connect=connect)
    try:
        async with asyncio.timeout(within):
            response = await session.request(
                method,
                url,
                data=body,
                headers=_headers(endpoint, accept, with_body=body is not None),
                timeout=limits,
                allow_redirects=False,
            )
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise _as_provider_error(error, endpoint, connect, within) from error
    if 300 <= response.status < 400:
        response.close()
        raise _redirected(response, endpoint)
    return response


def _headers(endpoint: Endpoint, accept: str, *, with_body: bool) -> CIMultiDict[str]:
    headers = CIMultiDict(endpoint.headers)
    headers["Accept"] = accept
    headers["Accept-Encoding"] = "identity"
    if with_body:
        headers["Content-Type"] = "application/json"
    if endpoint.api_key:
        headers["Authorization"] = f"Bearer {endpoint.api_key}"
    return headers


def _as_provider_error(error: Exception, endpoint: Endpoint, connect: float, within: float) -> ProviderError:
    host = endpoint.host
    match error:
        case aiohttp.ConnectionTimeoutError():
            return ProviderError(
                "provider.timeout", f"{host} could not be connected to in {connect:g} seconds."
            )
        case TimeoutError():
            return ProviderError("provider.timeout", f"{host} did not answer within {within:g} seconds.")
        case _ if was_refused(error):
            return ProviderError("provider.address_refused", f"{host}: {REFUSED}")
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError():
            message = f"No safe connection to {host}: its certificate is not valid, or it speaks no TLS."
            return ProviderError("provider.bad_request", message)
        case aiohttp.InvalidURL() | ValueError():
            return ProviderError("provider.bad_request", "The provider's base URL is not a usable address.")
        case _:
            message = f"{host} can't be reached. Is its address right, and is it running?"
            return ProviderError("provider.unavailable", message)


def _redirected(response: aiohttp.ClientResponse, endpoint: Endpoint) -> ProviderError:
    location: Any = response.headers.get("Location", "")
    target = f" to {location[:LONGEST_LOCATION]}" if location else ""
    message = f"{endpoint.host} redirects{target}, and redirects are not followed. Enter the right address."
    return Wording(endpoint.secrets).error("provider.protocol", message, status=response.status)

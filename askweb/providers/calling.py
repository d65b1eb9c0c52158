"""One model call: the HTTP request, its timers, and the events of its stream."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import orjson
from django.conf import settings

from askweb.providers.capabilities import Capabilities
from askweb.providers.deadlines import Deadline
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, Event
from askweb.providers.reading import StreamReader
from askweb.providers.responding import respond

READ_SIZE = 64 * 1024


@dataclass(frozen=True)
class Timers:
    """Limits in seconds: to connect, to the first payload, between payloads, and in all."""

    connect: float
    first_byte: float
    between: float
    total: float

    @classmethod
    def from_settings(cls) -> "Timers":
        return cls(**settings.ASKWEB_PROVIDER_TIMEOUTS)


class Call:
    """The events of one call, in batches as they arrive; `ending` is set once there are no more."""

    def __init__(
        self, response: aiohttp.ClientResponse, reader: StreamReader, timers: Timers, started: float
    ) -> None:
        self._response = response
        self._reader = reader
        self._timers = timers
        self._started = started
        self.ending: Ending | None = None

    async def batches(self) -> AsyncIterator[list[Event]]:
        """Yield what each read brought; faults of the transport end the call, they don't raise.

        Only payloads keep it alive: comments, which some providers send to keep the connection open, don't.
        """
        deadline = Deadline(self._response.close, last=self._started + self._timers.total)
        deadline.put_off(self._started + self._timers.first_byte - asyncio.get_running_loop().time())
        try:
            async for events in self._events(deadline):
                yield events
        finally:
            deadline.cancel()

    async def _events(self, deadline: Deadline) -> AsyncIterator[list[Event]]:
        reader, payloads, cut = self._reader, 0, False
        try:
            while not reader.done and (data := await self._read()):
                events = reader.feed(data)
                if reader.payloads > payloads:
                    payloads = reader.payloads
                    deadline.put_off(self._timers.between)
                if events:
                    yield events
                await asyncio.sleep(0)  # a provider that sends flat out must not starve the loop
        except aiohttp.ClientError:
            cut = True
        if deadline.expired:
            self.ending = Ending("failed", error=self._too_late(deadline, payloads))
            return
        self.ending = reader.end(cut=cut)
        if self.ending.events:
            yield self.ending.events

    async def _read(self) -> bytes:
        try:
            return await self._response.content.read(READ_SIZE)
        except RuntimeError as error:  # aiohttp's, once it has hung up over a chunk that it could not read
            raise aiohttp.ClientConnectionError("hung up") from error

    def _too_late(self, deadline: Deadline, payloads: int) -> ProviderError:
        if deadline.was_last:
            message = f"The answer was not complete within {self._timers.total:g} seconds."
        else:
            silent = self._timers.between if payloads else self._timers.first_byte
            message = f"The provider sent nothing for {silent:g} seconds."
        return ProviderError("provider.timeout", message)

    def ended(self) -> Ending:
        """How it ended; to be asked once `batches` is through."""
        if self.ending is None:
            raise RuntimeError("the call is still going on")
        return self.ending


@asynccontextmanager
async def call_model(
    session: aiohttp.ClientSession,
    endpoint: Endpoint,
    body: Mapping[str, object],
    *,
    timers: Timers,
    capabilities: Capabilities | None = None,
) -> AsyncIterator[Call]:
    """Ask for a completion; `body` is sent as it is. Leaving the block closes the connection, finished or not.

    Raises `ProviderError` when no response came at all; everything later is in `Call.ending`.
    """
    capabilities = capabilities or Capabilities()
    started = asyncio.get_running_loop().time()
    response = await respond(
        session,
        endpoint,
        "POST",
        endpoint.completions_url,
        connect=timers.connect,
        within=min(timers.first_byte, timers.total),
        accept="text/event-stream, application/json",
        body=orjson.dumps(body),
    )
    try:
        reader = StreamReader(
            status=response.status,
            content_type=response.headers.get("Content-Type", ""),
            headers=response.headers,
            secrets=endpoint.secrets,
            think_tags=capabilities.think_tags,
            think_open=capabilities.think_open,
        )
        yield Call(response, reader, timers, started)
    finally:
        response.close()

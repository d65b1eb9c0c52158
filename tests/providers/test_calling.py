"""One call over HTTP: its timers, and what it says when there is no answer."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from askweb.providers.calling import Timers, call_model
from askweb.providers.connecting import opened
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending
from tests.stand_ins import sse

PATIENT = Timers(connect=5, first_byte=5, between=5, total=5)
SHORT = 0.1
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def provider(answer: Answer) -> AsyncIterator[str]:
    """A provider at the yielded address that answers every request so, until its client goes away."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        answering = asyncio.ensure_future(answer(writer))
        while await reader.read(4096):
            pass
        answering.cancel()
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def ending(base_url: str, timers: Timers = PATIENT, **endpoint: object) -> Ending:
    async with (
        opened() as sessions,
        call_model(sessions.free, Endpoint(base_url, **endpoint), {"model": "m"}, timers=timers) as call,
    ):
        async for _events in call.batches():
            pass
        return call.ended()


def says(*pieces: bytes, forever: bytes = b"") -> Answer:
    """Send the pieces, then the last one again and again, then nothing, without closing."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
        while forever:
            writer.write(forever)
            await asyncio.sleep(SHORT / 10)

    return answer


@pytest.mark.parametrize(
    ("answer", "limits", "words"),
    [
        (says(HEAD), {"first_byte": SHORT}, "sent nothing for 0.1 seconds"),
        (says(HEAD, forever=b": still there\n\n"), {"first_byte": SHORT}, "sent nothing for 0.1 seconds"),
        (says(HEAD, forever=b"\n"), {"first_byte": SHORT}, "sent nothing for 0.1 seconds"),
        (says(HEAD, sse.chunk("Hi")), {"between": SHORT}, "sent nothing for 0.1 seconds"),
        (says(HEAD, sse.chunk("Hi"), forever=b": ping\n\n"), {"between": SHORT}, "sent nothing for 0.1"),
        (says(HEAD, forever=sse.chunk("Hi")), {"total": 3 * SHORT}, "not complete within 0.3 seconds"),
        (says(HEAD, forever=sse.chunk("")), {"total": 3 * SHORT}, "not complete within 0.3 seconds"),
    ],
    ids=["silent", "only comments", "only blanks", "stalled", "comments", "endless", "empty but alive"],
)
async def test_a_provider_that_keeps_one_waiting_is_left(answer, limits, words):
    async with provider(answer) as base_url:
        ended = await ending(base_url, Timers(**{**vars(PATIENT), **limits}))
    assert ended.outcome == "failed"
    assert ended.error is not None
    assert (ended.error.code, words in ended.error.message) == ("provider.timeout", True)


async def test_a_provider_that_never_answers_at_all_is_left():
    async with provider(says()) as base_url:
        with pytest.raises(ProviderError, match=r"provider\.timeout: .* did not answer within 0\.1 seconds"):
            await ending(base_url, Timers(connect=5, first_byte=SHORT, between=5, total=5))


async def test_a_slow_stream_is_alive_as_long_as_payloads_come():
    payloads = [sse.chunk(str(number)) for number in range(5)]

    async def answer(writer: asyncio.StreamWriter) -> None:
        for piece in [HEAD, *payloads, sse.finish()]:
            writer.write(piece)
            await asyncio.sleep(SHORT)

    async with provider(answer) as base_url:
        ended = await ending(base_url, Timers(connect=5, first_byte=5, between=5 * SHORT, total=60))
    assert ended.outcome == "finished"


async def test_a_broken_chunk_ends_the_answer_where_it_is():
    head = HEAD.replace(b"Connection: close", b"Transfer-Encoding: chunked")
    payload = sse.chunk("Hi")

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head + b"%x\r\n%s\r\n" % (len(payload), payload))
        await asyncio.sleep(SHORT)
        writer.write(b"2\r\n\n\n and more than two\r\n")

    async with provider(answer) as base_url:
        assert (await ending(base_url)).outcome == "interrupted"


@pytest.mark.parametrize(
    ("base_url", "code", "words"),
    [
        ("http://127.0.0.1:9/v1", "unavailable", "127.0.0.1:9 can't be reached"),
        ("http://nobody.invalid/v1", "unavailable", "nobody.invalid can't be reached"),
        ("http:///v1", "bad_request", "not a usable address"),
        ("http://:secret@/v1?key=secret", "bad_request", "^((?!secret).)* is not a usable address"),
    ],
)
async def test_a_provider_that_is_not_there_is_named(base_url, code, words):
    with pytest.raises(ProviderError, match=words) as failed:
        await ending(base_url)
    assert failed.value.code == f"provider.{code}"


async def test_a_server_without_tls_is_said_to_have_none(upstream):
    with pytest.raises(ProviderError, match="speaks no TLS"):
        await ending(upstream.base_url.replace("http:", "https:"))


async def test_the_key_and_own_headers_are_sent_and_never_shown(upstream):
    told = b'{"error":{"message":"sk-secret and other-secret are unknown"}}'
    upstream.will_send(told, status=401, content_type="application/json")
    ended = await ending(upstream.base_url, api_key="sk-secret", headers={"api-key": "other-secret"})
    sent = upstream.next_call().headers
    assert (sent["Authorization"], sent["api-key"]) == ("Bearer sk-secret", "other-secret")
    assert ended.error is not None
    assert ended.error.message == "[key] and [key] are unknown"


async def test_a_compressed_answer_is_read_all_the_same(upstream):
    body = gzip.compress(b"".join(sse.reply("Hi")))
    upstream.will_send(body, headers={"Content-Encoding": "gzip"})
    assert (await ending(upstream.base_url)).outcome == "finished"


async def test_a_body_is_not_an_endless_sign_of_life_when_it_is_blank():
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
    async with provider(says(head, forever=b"  \n" * 40)) as base_url:
        ended = await ending(base_url, Timers(connect=5, first_byte=SHORT, between=5, total=5))
    assert ended.error is not None
    assert ended.error.code == "provider.timeout"

"""A reader's provider is no way into the operator's network."""

import asyncio
import socket

import aiohttp
import pytest

from askweb.providers.addresses import is_guarded, is_plainly_private, is_public
from askweb.providers.calling import Timers, call_model
from askweb.providers.connecting import Sessions, opened
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.models import Provider

PRIVATE = (
    "127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 "
    "239.255.255.250 240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12::1 "
    "fec0::1 ff02::1 2001:db8::1 ::ffff:127.0.0.1 ::ffff:a00:1 ::127.0.0.1 2002:7f00:1:: 2002:a00:1:: "
    "64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1.1.1.1 2001:0:7f00:1:: nonsense"
)
NOTATIONS = (
    "localhost LOCALHOST. db.localhost printer.local 127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 "
    "017700000001 10.0.0.1 [::1] [::ffff:10.0.0.1] [fe80::1%25eth0] 0"
)
PUBLIC = "1.1.1.1 8.8.8.8 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::"


@pytest.mark.parametrize("address", PRIVATE.split())
def test_these_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_these_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize("host", NOTATIONS.split())
def test_a_private_address_is_seen_in_any_notation(host):
    assert is_plainly_private(f"http://{host}:8080/v1")


@pytest.mark.parametrize(
    "host", ["api.example.com", "1.1.1.1", "[2606:4700::1]", "localhost.example.com", ""]
)
def test_other_hosts_are_looked_up_when_they_are_called(host):
    assert not is_plainly_private(f"https://{host}/v1")


def test_who_is_alone_here_may_reach_everything(person):
    assert not is_guarded(Provider(user=person, base_url="http://10.0.0.1"))


def test_only_the_owner_may_when_there_are_others(person, other_person):
    assert not is_guarded(Provider(user=person, base_url="http://10.0.0.1"))
    assert is_guarded(Provider(user=other_person, base_url="http://10.0.0.1"))


def test_the_operators_shared_providers_may_be_anywhere(other_person):
    assert not is_guarded(Provider(user=None, base_url="http://10.0.0.1"))


def test_the_operator_may_open_a_host_to_everybody(other_person, settings):
    settings.ASKWEB_PRIVATE_HOSTS = ["models.internal"]
    assert not is_guarded(Provider(user=other_person, base_url="http://Models.internal:8000/v1"))
    assert is_guarded(Provider(user=other_person, base_url="http://other.internal:8000/v1"))


def test_a_plainly_private_address_is_refused_when_it_is_saved(other_api):
    refused = other_api.post("/api/providers/", {"base_url": "http://0x7f.1:6379/"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "provider.address_refused")
    assert list(refused.json()["error"]["fields"]) == ["base_url"]


def test_nor_can_one_be_changed_to(other_api):
    saved = other_api.post("/api/providers/", {"base_url": "https://api.example.com/v1"}).json()
    refused = other_api.patch(f"/api/providers/{saved['id']}/", {"base_url": "http://[::1]/"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "provider.address_refused")


TIMERS = Timers(connect=5, first_byte=5, between=5, total=5)


async def call(base_url: str, *, guarded: bool) -> str:
    """Call and return the text that came."""
    async with opened() as sessions:
        session = sessions.for_calls(guarded=guarded)
        async with call_model(session, Endpoint(base_url), {"model": "m"}, timers=TIMERS) as made:
            return "".join([getattr(each, "text", "") async for batch in made.batches() for each in batch])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
async def test_a_guarded_call_does_not_connect_to_a_private_address(upstream, host):
    with pytest.raises(ProviderError) as refused:
        await call(upstream.base_url.replace("127.0.0.1", host), guarded=True)
    assert (refused.value.code, upstream.count_calls()) == ("provider.address_refused", 0)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "017700000001"])
async def test_nor_in_another_notation(upstream, host):
    with pytest.raises(ProviderError):
        await call(upstream.base_url.replace("127.0.0.1", host), guarded=True)
    assert upstream.count_calls() == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_owners_call_does(upstream, host):
    assert await call(upstream.base_url.replace("127.0.0.1", host), guarded=False) == "Fine."


async def test_a_name_that_leads_inside_is_refused_when_it_is_connected_to(upstream, monkeypatch):
    """As in DNS rebinding: the name was harmless when it was saved."""
    monkeypatch.setattr(aiohttp.DefaultResolver, "resolve", leads_inside)
    with pytest.raises(ProviderError) as refused:
        await call(upstream.base_url.replace("127.0.0.1", "api.example.com"), guarded=True)
    assert (refused.value.code, upstream.count_calls()) == ("provider.address_refused", 0)


async def test_a_connection_of_the_owners_is_not_lent_to_others(upstream):
    async with opened() as sessions:
        async with sessions.free.post(f"{upstream.base_url}/chat/completions", json={}) as response:
            await response.read()  # to the end, since only then is the connection there to be lent
        with pytest.raises(aiohttp.ClientConnectorError):
            await sessions.guarded.post(f"{upstream.base_url}/chat/completions", json={})


async def test_both_sessions_are_closed_even_if_closing_is_cut_short(upstream):
    sessions = Sessions.open()
    async with sessions.free.post(f"{upstream.base_url}/chat/completions", json={}) as response:
        await response.read()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await sessions.close()
    assert (sessions.free.closed, sessions.guarded.closed) == (True, True)


async def leads_inside(
    resolver: object, host: str, port: int = 0, family: int = 0
) -> list[dict[str, object]]:
    address = {"hostname": host, "host": "127.0.0.1", "port": port}
    return [{**address, "family": socket.AF_INET, "proto": 0, "flags": socket.AI_NUMERICHOST}]


@pytest.mark.parametrize("location", ["http://127.0.0.1:1/v1", "https://elsewhere.example/", ""])
async def test_a_redirect_is_not_followed_and_said_to_be_one(upstream, location):
    upstream.will_send(status=307, headers={"Location": location} if location else {})
    with pytest.raises(ProviderError) as refused:
        await call(upstream.base_url, guarded=False)
    assert (refused.value.code, upstream.count_calls()) == ("provider.protocol", 1)
    assert "redirects" in refused.value.message
    assert location in refused.value.message


async def test_proxies_in_the_environment_are_left_alone(upstream, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert await call(upstream.base_url, guarded=False) == "Fine."


async def test_a_guarded_call_reaches_what_is_public(upstream, monkeypatch):
    """The check is of the address alone, so a stand-in for the Internet is one that counts as public."""
    monkeypatch.setattr("askweb.providers.connecting.is_public", lambda address: address == "127.0.0.1")
    assert await call(upstream.base_url, guarded=True) == "Fine."

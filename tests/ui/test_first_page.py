"""What a browser loads before its person can type: little at first, and next to nothing later."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.stand_ins.server import LiveServer

LIMIT = 150_000
"""Bytes over the network, headers included, of all that is loaded until the network is quiet."""
REQUESTS = 12
REPLY = (
    "## A step\n\nFirst *install* it: `pip install it`.\n\n- one\n- two\n\n```python\nprint(1)\n```\n\n"
    + "Words. " * 99
)


@dataclass
class Loaded:
    """Bytes by address; what came out of the cache has none."""

    sizes: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)

    def begin(self, event: Any) -> None:
        self.addresses[event["requestId"]] = event["request"]["url"]

    def end(self, event: Any) -> None:
        self.sizes[self.addresses[event["requestId"]]] = event["encodedDataLength"]


@pytest.fixture(scope="module")
def conversation(live: LiveServer) -> str:
    """The address of a conversation with ten turns, which is listed above others."""
    messages = [
        {
            "id": str(number),
            "parent": str(number - 1) if number else None,
            "role": "assistant" if number % 2 else "user",
            "content": REPLY if number % 2 else "What next?",
        }
        for number in range(20)
    ]
    for listed in (*[messages[:1]] * 20, messages):
        told = {"title": "Steps", "head": listed[-1]["id"]}
        file = {"format": "askweb.conversation", "version": 1, "conversation": told, "messages": listed}
        made = live.post("/api/conversations/import/", file)
        assert made.status == 201, made.body
    return f"/conversations/{made.json['id']}/"


@pytest.fixture
def fresh(browser: Browser, live: LiveServer, session_cookie: str) -> Iterator[BrowserContext]:
    """A window without anything kept but the session."""
    with browser.new_context(base_url=live.url) as window:
        window.add_cookies([{"name": "sessionid", "value": session_cookie, "url": live.url}])
        yield window


def load(window: BrowserContext, path: str) -> Loaded:
    """All that a new tab loads until its page can be used, and until the network is quiet."""
    tab, loaded = window.new_page(), Loaded()
    network = window.new_cdp_session(tab)
    network.on("Network.requestWillBeSent", loaded.begin)
    network.on("Network.loadingFinished", loaded.end)
    network.send("Network.enable")
    tab.goto(path, wait_until="networkidle")
    tab.locator("#composer-text").fill("typed")
    expect(tab.locator(".listed__link").first).to_be_visible()
    return loaded


@pytest.mark.parametrize("is_conversation", [False, True])
def test_a_page_is_light(fresh: BrowserContext, conversation: str, is_conversation: bool) -> None:
    loaded = load(fresh, conversation if is_conversation else "/")
    assert 20_000 < sum(loaded.sizes.values()) < LIMIT
    assert len(loaded.sizes) <= REQUESTS


def test_later_pages_load_no_file_again(fresh: BrowserContext, conversation: str) -> None:
    first, later = load(fresh, "/"), load(fresh, conversation)
    files = {address for address in later.sizes if "/static/" in address}
    assert files <= first.sizes.keys()
    assert sum(first.sizes[address] for address in files) > 20_000
    assert {address: later.sizes[address] for address in files} == dict.fromkeys(files, 0)

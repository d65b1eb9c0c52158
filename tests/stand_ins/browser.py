"""Chromium, signed in to the live server.

Playwright's synchronous interface keeps an event loop running in the main thread, so it lives no longer than
a module's tests, and modules that use `page` hold no asynchronous tests and no database.
"""

import http.client
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebError, sync_playwright

from tests.stand_ins.server import LiveServer

ARGUMENTS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def session_cookie(live: LiveServer) -> str:
    """The session that a sign-in link opened; a module that ends it ends no other's."""
    path = urlsplit(live.sign_in_link()).path
    with closing(http.client.HTTPConnection("127.0.0.1", live.port)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        cookies = SimpleCookie("; ".join(response.headers.get_all("Set-Cookie") or ()))
    return cookies["sessionid"].value


@pytest.fixture(scope="module")
def window(browser: Browser, live: LiveServer) -> Iterator[BrowserContext]:
    """Keeps the scripts and styles that a module's tests load: a new one fetches them again."""
    with browser.new_context(base_url=live.url) as context:
        yield context


@pytest.fixture
def page(window: BrowserContext, live: LiveServer, session_cookie: str) -> Iterator[Page]:
    """A tab of a signed-in person. An error on its console, or in its scripts, fails the test."""
    faults: list[str] = []

    def hear(told: ConsoleMessage) -> None:
        if told.type == "error":
            faults.append(f"{told.text} at {told.location['url']}")

    def catch(fault: WebError) -> None:
        faults.append(str(fault.error))

    window.on("console", hear)
    window.on("weberror", catch)
    with signed_in_tab(window, live.url, session_cookie) as tab:
        yield tab
    window.remove_listener("console", hear)
    window.remove_listener("weberror", catch)
    assert faults == []


@contextmanager
def signed_in_tab(window: BrowserContext, url: str, session_cookie: str) -> Iterator[Page]:
    """A tab that finds nothing of earlier ones but files. Its window's tabs are closed with it."""
    tab = window.new_page()
    window.new_cdp_session(tab).send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    window.clear_cookies()
    window.add_cookies([{"name": "sessionid", "value": session_cookie, "url": url}])
    try:
        yield tab
    finally:
        for left in window.pages:
            left.close()

"""Chromium, signed in to the live server.

Playwright's synchronous interface keeps an event loop running in the main thread, so it lives no longer than
a module's tests, and modules that use `page` hold no asynchronous tests and no database.
"""

import http.client
from collections.abc import Iterator
from contextlib import closing
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

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


@pytest.fixture(scope="session")
def session_cookie(live: LiveServer) -> str:
    """The session that a sign-in link opened."""
    path = urlsplit(live.sign_in_link()).path
    with closing(http.client.HTTPConnection("127.0.0.1", live.port)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        cookies = SimpleCookie("; ".join(response.headers.get_all("Set-Cookie") or ()))
    return cookies["sessionid"].value


@pytest.fixture
def page(browser: Browser, live: LiveServer, session_cookie: str) -> Iterator[Page]:
    """A tab of a signed-in person. An error on its console, or in its scripts, fails the test."""
    faults: list[str] = []
    with browser.new_context(base_url=live.url) as context:
        context.add_cookies([{"name": "sessionid", "value": session_cookie, "url": live.url}])
        context.on("console", lambda told: faults.extend(_faults_in(told)))
        context.on("weberror", lambda told: faults.append(str(told.error)))
        yield context.new_page()
    assert faults == []


def _faults_in(told: ConsoleMessage) -> list[str]:
    return [f"{told.text} at {told.location['url']}"] if told.type == "error" else []

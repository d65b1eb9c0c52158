from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from askweb.accounts.models import User
from tests.stand_ins.browser import signed_in_tab
from tests.stand_ins.server import LiveServer


@pytest.fixture
def browser_of(person: User) -> Client:
    """A browser without scripts, in which the person is signed in."""
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture(scope="module")
def open_window(browser: Browser, live: LiveServer) -> Iterator[BrowserContext]:
    """A window without the pages' policy: axe-core writes styles while it looks."""
    with browser.new_context(base_url=live.url, bypass_csp=True) as context:
        yield context


@pytest.fixture
def inspected(open_window: BrowserContext, live: LiveServer, session_cookie: str) -> Iterator[Page]:
    """A signed-in person's tab that axe-core may inspect."""
    with signed_in_tab(open_window, live.url, session_cookie) as tab:
        yield tab

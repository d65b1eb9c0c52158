from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page

from askweb.accounts.models import User
from tests.stand_ins.server import LiveServer


@pytest.fixture
def browser_of(person: User) -> Client:
    """A browser without scripts, in which the person is signed in."""
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def inspected(browser: Browser, live: LiveServer, session_cookie: str) -> Iterator[Page]:
    """A signed-in person's tab without the page's policy: axe-core writes styles while it looks."""
    with browser.new_context(base_url=live.url, bypass_csp=True) as context:
        context.add_cookies([{"name": "sessionid", "value": session_cookie, "url": live.url}])
        yield context.new_page()

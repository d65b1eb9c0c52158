"""Several people on one server, in Chromium: an owner invites, the invited begin, and each has their own."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stand_ins.server import LiveServer, MakeServer
from tests.ui.asked import faults

PASSWORD = "tides turn at noon"


@pytest.fixture(scope="module")
def server(new_server: MakeServer) -> LiveServer:
    """Its own: whoever is alone on a server has no limits, and other tests rely on that."""
    server = new_server()
    server.start()
    return server


@pytest.fixture
def owner(browser: Browser, server: LiveServer) -> Iterator[Page]:
    with browser.new_context(base_url=server.url, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(urlsplit(server.sign_in_link()).path)
        yield page


@pytest.fixture
def stranger(browser: Browser, server: LiveServer) -> Iterator[Page]:
    """In a browser that knows nobody."""
    with browser.new_context(base_url=server.url, bypass_csp=True) as context:
        yield context.new_page()


def invite(owner: Page, name: str) -> str:
    """The link that the owner hands over."""
    owner.goto("/settings/people/")
    owner.get_by_role("textbox", name="Name").fill(name)
    owner.get_by_role("button", name="Make an invitation").click()
    return owner.get_by_label(f"The invitation of {name}").input_value()


def begin(stranger: Page, link: str, username: str) -> None:
    stranger.goto(urlsplit(link).path)
    stranger.get_by_label("User name").fill(username)
    stranger.get_by_label("New password").fill(PASSWORD)
    stranger.get_by_label("The same once more").fill(PASSWORD)
    stranger.get_by_role("button", name="Begin").click()


def test_who_is_invited_begins_at_the_composer(owner: Page, stranger: Page) -> None:
    begin(stranger, invite(owner, "Mei"), "mei")
    expect(stranger.get_by_label("Your message")).to_be_visible()
    expect(stranger.get_by_text("Mei", exact=True)).to_be_visible()
    owner.goto("/settings/people/")
    expect(owner.get_by_role("link", name="Mei")).to_be_visible()


def test_and_comes_back_with_the_password(owner: Page, stranger: Page) -> None:
    begin(stranger, invite(owner, "Ana"), "ana")
    stranger.get_by_role("button", name="Sign out").click()
    stranger.get_by_label("User name").fill("ana")
    stranger.get_by_label("Password").fill(PASSWORD)
    stranger.get_by_role("button", name="Sign in").click()
    expect(stranger.get_by_label("Your message")).to_be_visible()


def test_who_is_deactivated_is_sent_away(owner: Page, stranger: Page) -> None:
    begin(stranger, invite(owner, "Eve"), "eve")
    owner.goto("/settings/people/")
    owner.get_by_role("link", name="Eve").click()
    owner.locator("summary", has_text="Deactivate").click()
    owner.get_by_role("button", name="Deactivate").click()
    expect(owner.get_by_text("eve can't sign in any more")).to_be_visible()
    stranger.goto("/settings/")
    expect(stranger.get_by_role("heading", name="Sign in to AskWeb")).to_be_visible()


def test_every_page_on_the_way_is_for_every_eye(owner: Page, stranger: Page) -> None:
    link = invite(owner, "Noor")
    assert faults(owner) == []
    stranger.goto(urlsplit(link).path)
    assert faults(stranger) == []
    begin(stranger, link, "noor")
    owner.goto("/settings/people/")
    owner.get_by_role("link", name="Noor").click()
    owner.get_by_role("button", name="Make a sign-in link").click()
    expect(owner.get_by_label("A sign-in link")).to_be_visible()
    assert faults(owner) == []
    stranger.get_by_role("button", name="Sign out").click()
    expect(stranger.get_by_role("button", name="Sign in")).to_be_visible()
    assert faults(stranger) == []


@pytest.mark.parametrize("path", ["/settings/account/", "/settings/providers/"])
def test_what_is_shown_to_who_is_no_owner_is_too(server: LiveServer, stranger: Page, path: str) -> None:
    server.new_person(f"reader-{path.count('account')}")
    make = f"User.objects.get(username='reader-{path.count('account')}').new_sign_in_link()"
    token = server.manage("shell", "-v0", "-c", f"from askweb.accounts.models import User; print({make})")
    stranger.goto(f"/sign-in/{token}/")
    stranger.goto(path)
    expect(stranger.get_by_role("link", name="People")).to_have_count(0)
    assert faults(stranger) == []

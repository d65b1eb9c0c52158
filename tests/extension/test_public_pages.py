"""Chrome asks a person before a public page may speak with this machine. It doesn't ask for the extension."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import HOME, pair_with, started
from tests.extension.reading.conftest import site
from tests.extension.test_panel import log
from tests.required import PROJECT
from tests.stand_ins.server import LiveServer

__all__ = ["site"]

FETCHED = "url => fetch(url).then(() => 'answered', () => 'refused')"


@pytest.fixture(scope="module")
def chromium(
    full_chromium: str, site: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """For it the site is somewhere in the internet, and the server is not."""
    is_public = f"--ip-address-space-overrides={site.removeprefix('http://')}=public"
    profile = tmp_path_factory.mktemp("profile")
    with started(full_chromium, PROJECT / "extension", profile, is_public) as context:
        yield context


@pytest.fixture
def public(extension: BrowserContext, site: str) -> Page:
    tab = extension.new_page()
    tab.goto(f"{site}/article.html")
    return tab


def test_a_public_page_is_refused(public: Page, live: LiveServer) -> None:
    """Or else the test below would show nothing."""
    told: list[str] = []
    public.on("console", lambda message: told.append(message.text))
    assert public.evaluate(FETCHED, f"{live.url}/sign-in/") == "refused"
    assert [text for text in told if "access the `loopback` address space" in text]


def test_the_worker_is_not(public: Page, extension: BrowserContext, live: LiveServer, provider: str) -> None:
    pair_with(extension, live)
    panel = extension.new_page()
    panel.goto(f"{HOME}/panel/panel.html")
    panel.get_by_label("Your message").fill("From a public page")
    panel.keyboard.press("Enter")
    expect(log(panel)).to_contain_text("Fine.")

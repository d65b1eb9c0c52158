"""The extension exactly as it ships: it has no hosts, so all of its requests go by CORS."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.extension.conftest import HOME, pair_with, started, worker_of
from tests.extension.test_panel import log
from tests.required import PROJECT
from tests.stand_ins.server import LiveServer


@pytest.fixture(scope="module")
def chromium(full_chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    with started(full_chromium, PROJECT / "extension", tmp_path_factory.mktemp("profile")) as context:
        yield context


def test_it_reaches_its_server_and_follows_its_socket(
    extension: BrowserContext, live: LiveServer, provider: str
) -> None:
    pair_with(extension, live)
    panel = extension.new_page()
    panel.goto(f"{HOME}/panel/panel.html")
    panel.get_by_label("Your message").fill("By CORS alone")
    panel.keyboard.press("Enter")
    expect(log(panel)).to_contain_text("Fine.")


def test_it_may_read_no_page_by_itself(extension: BrowserContext, live: LiveServer) -> None:
    tab = extension.new_page()
    tab.goto(f"{live.url}/sign-in/")
    addresses = worker_of(extension).evaluate(
        "async () => (await chrome.tabs.query({})).map(({ url }) => url ?? null)"
    )
    assert not [address for address in addresses if address and address.startswith("http")]

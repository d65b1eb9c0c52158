"""The extension, unpacked, in real Chromium. It speaks with a live server.

Menus, toolbar and shortcuts can't be clicked from outside, and what they grant (`activeTab`) neither: tests dispatch
their events in the worker, load a copy whose manifest names the hosts of 127.0.0.1, and open the panel as a tab.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Worker, sync_playwright

from askweb.extensions import OUR_EXTENSION
from tests.required import PROJECT
from tests.stand_ins.browser import ARGUMENTS
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

HOME = f"chrome-extension://{OUR_EXTENSION}"
PAIRING = "pairing => chrome.storage.local.set({ pairing })"
EMPTY = "() => Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()])"


@pytest.fixture(scope="session")
def full_chromium() -> str:
    """Chromium with a window of its own: the shell without one has no extensions."""
    return shutil.which("chromium") or pytest.skip("chromium: not installed")


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that may read pages of this machine without being asked on them."""
    folder = tmp_path_factory.mktemp("unpacked") / "extension"
    shutil.copytree(PROJECT / "extension", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"host_permissions": ["http://127.0.0.1/*"]}))
    return folder


@pytest.fixture(scope="module")
def chromium(
    full_chromium: str, unpacked: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    with started(full_chromium, unpacked, tmp_path_factory.mktemp("profile")) as context:
        yield context


@contextmanager
def started(chromium: str, extension: Path, profile: Path, *arguments: str) -> Iterator[BrowserContext]:
    """Chromium with the extension of a folder."""
    loaded = (f"--load-extension={extension}", f"--disable-extensions-except={extension}")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium,
            headless=False,
            locale="en-US",
            args=["--headless=new", "--lang=en-US", *ARGUMENTS, *loaded, *arguments],
        )
        yield context
        context.close()


def worker_of(chromium: BrowserContext) -> Worker:
    for worker in chromium.service_workers:
        if worker.url.startswith(HOME):
            return worker
    return chromium.wait_for_event("serviceworker")


@pytest.fixture
def extension(chromium: BrowserContext) -> Iterator[BrowserContext]:
    """A browser in which the extension remembers nothing, and no tab is left behind."""
    worker_of(chromium).evaluate(EMPTY)
    yield chromium
    chromium.unroute_all(behavior="ignoreErrors")
    for tab in chromium.pages[1:]:
        tab.close()


@pytest.fixture
def paired(extension: BrowserContext, live: LiveServer) -> BrowserContext:
    """As after pairing with the live server, as its owner."""
    pair_with(extension, live)
    return extension


def pair_with(extension: BrowserContext, live: LiveServer, token: str = "") -> None:
    pairing = {
        "server": live.url,
        "token": token or live.token,
        "device": "",
        "person": "owner",
        "revoked": False,
    }
    worker_of(extension).evaluate(PAIRING, pairing)


@pytest.fixture
def open_page(extension: BrowserContext) -> Callable[[str], Page]:
    """Opens a page of the extension's as a tab."""

    def open_page(path: str) -> Page:
        page = extension.new_page()
        page.goto(f"{HOME}/{path}")
        return page

    return open_page


TIDES = "http://127.0.0.1:9/tides"
PAGE = """<!doctype html><html lang="en"><title>Tides</title><main><h1>High and low</h1>
<p>The moon pulls at the sea, and twice a day it comes.</p><p id="sun">The sun pulls, too, at half the strength.</p></main>"""
CLICKED = """async (url) => {
  const [tab] = await chrome.tabs.query({ url });
  chrome.action.onClicked.dispatch(tab);
}"""
PICKED = """async ({ url, tool, link }) => {
  const [tab] = await chrome.tabs.query({ url });
  chrome.contextMenus.onClicked.dispatch({ menuItemId: `tool:${tool}`, linkUrl: link }, tab);
}"""


@pytest.fixture
def tides(extension: BrowserContext) -> Page:
    """A page to ask about, in a tab."""
    extension.route(TIDES, lambda route: route.fulfill(body=PAGE, content_type="text/html; charset=utf-8"))
    tab = extension.new_page()
    tab.goto(TIDES)
    return tab


def press_button(extension: BrowserContext, url: str = TIDES) -> None:
    """As the button in the toolbar and Ctrl+I do; that the panel opens must be done by hand."""
    worker_of(extension).evaluate(CLICKED, url)


def pick(extension: BrowserContext, tool: str, *, link: str = "", url: str = TIDES) -> None:
    """As an item of the context menu does."""
    worker_of(extension).evaluate(PICKED, {"url": url, "tool": tool, "link": link})


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    return live.add_provider(upstream, is_default=True)


@pytest.fixture
def panel(paired: BrowserContext, provider: str, tides: Page, open_page: Callable[[str], Page]) -> Page:
    """The panel, opened on the page of tides."""
    press_button(paired)
    return open_page("panel/panel.html")

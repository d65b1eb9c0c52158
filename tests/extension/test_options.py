"""The options page: one address, one button, and what has become of it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import worker_of
from tests.stand_ins.server import LiveServer, free_port

Open = Callable[[str], Page]
OPTIONS = "options/options.html"


def pair(page: Page, address: str) -> None:
    page.get_by_label("Address of your AskWeb server").fill(address)
    page.get_by_role("button", name="Pair", exact=True).click()


def test_at_first_there_is_only_an_address_to_give(open_page: Open) -> None:
    page = open_page(OPTIONS)
    expect(page.get_by_role("status")).to_have_text("Not paired yet.")
    expect(page.get_by_role("textbox")).to_have_count(1)
    expect(page.get_by_role("button", name="Unpair")).to_be_hidden()


@pytest.mark.parametrize(
    "address", ["", "ask my server", "ftp://ask.example", "http://", "http://me@ask.example"]
)
def test_what_is_no_address_is_told(open_page: Open, address: str) -> None:
    page = open_page(OPTIONS)
    pair(page, address)
    expect(page.get_by_role("alert")).to_contain_text("This is no address of a server")


def test_a_server_that_is_down_is_told(open_page: Open) -> None:
    page = open_page(OPTIONS)
    address = f"127.0.0.1:{free_port()}"
    pair(page, address)
    expect(page.get_by_role("alert")).to_contain_text(f"AskWeb can't be reached at http://{address}")


def test_who_is_paired_is_shown_and_unpairing_ends_it(
    open_page: Open, extension: BrowserContext, live: LiveServer
) -> None:
    made = live.manage(
        "shell",
        "-v0",
        "-c",
        "from askweb.accounts.models import User; print(*[getattr(x, 'pk', x) for x in "
        "User.objects.owner().new_device('Chrome', ('ask', 'read', 'questions'))])",
    )
    device, token = made.split()
    pairing = {"server": live.url, "token": token, "device": device, "person": "Ann", "revoked": False}
    worker_of(extension).evaluate("pairing => chrome.storage.local.set({ pairing })", pairing)
    page = open_page(OPTIONS)
    expect(page.get_by_role("status")).to_have_text(f"Paired with {live.url} as Ann.")
    page.get_by_role("button", name="Unpair").click()
    expect(page.get_by_role("status")).to_have_text("Not paired yet.")
    assert live.get("/api/devices/", token=token).status == 401


def test_a_server_that_could_not_be_told_is_named(
    open_page: Open, extension: BrowserContext, live: LiveServer
) -> None:
    server = f"http://127.0.0.1:{free_port()}"
    pairing = {"server": server, "token": "askweb_x", "device": "x", "person": "Ann", "revoked": False}
    worker_of(extension).evaluate("pairing => chrome.storage.local.set({ pairing })", pairing)
    page = open_page(OPTIONS)
    page.get_by_role("button", name="Unpair").click()
    expect(page.get_by_role("alert")).to_contain_text(f"unpaired, but {server} could not be told")
    expect(page.get_by_role("status")).to_have_text("Not paired yet.")

"""The page of the initial message in Chromium: errors and preview follow what is typed, and restoring asks first."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.stand_ins.server import LiveServer

PATH = "/settings/initial-message/"


@pytest.fixture(autouse=True)
def shipped_again(live: LiveServer) -> Iterator[None]:
    """The server is shared with other tests, so the message that shipped comes back."""
    yield
    live.request("PUT", "/api/initial-message/", b'{"template": null}')


def test_errors_and_preview_follow_what_is_typed(page: Page) -> None:
    page.goto(PATH)
    template = page.get_by_role("textbox", name="Template")
    template.fill("Be brief.\n{{#if user.name}}{{user.name}}")
    expect(page.get_by_text("opened in line 2 is never closed")).to_be_visible()
    expect(page.get_by_text("comes back when the template has no errors")).to_be_visible()
    page.get_by_role("link", name="Line 2, column 1").click()
    expect(template).to_be_focused()
    template.fill("In {{chat.language}}, briefly.")
    expect(page.get_by_text("No errors")).to_be_visible()
    expect(page.locator("[data-part=preview] pre")).to_have_text("In English, briefly.")


def test_the_shipped_one_is_restored_after_a_question(page: Page) -> None:
    page.goto(PATH)
    page.get_by_role("textbox", name="Template").fill("Be brief.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("your own is in use")).to_be_visible()
    page.get_by_text("Restore the shipped one").click()
    page.get_by_role("button", name="Restore", exact=True).click()
    expect(page.get_by_text("The shipped one is in use again.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Template")).to_have_value(re.compile("^You help a person"))

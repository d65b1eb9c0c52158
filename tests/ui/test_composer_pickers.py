"""What `/` and `@` offer in the composer, by keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stand_ins.server import LiveServer
from tests.ui.asked import announced, composer, faults

LONG = "The moon pulls the sea.\nTwice a day."
PAGE = {"id": "page", "title": "Tides", "url": "https://a.example/tides", "content": LONG}


def options(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


def chosen(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option", selected=True)


def tool(page: Page) -> Locator:
    return page.locator("select[name=tool]")


def type_(page: Page, text: str) -> None:
    composer(page).press_sequentially(text)


@pytest.fixture
def about_a_page(live: LiveServer) -> str:
    """The path of a conversation that a page came along with."""
    turns = [{"role": role, "content": "x"} for role in ("user", "assistant")]
    posted: Any = live.post("/api/conversations/", {"context": [PAGE], "messages": turns}).json
    return f"/conversations/{posted['conversation']['id']}/"


def test_a_slash_offers_tools_and_enter_picks_one(page: Page) -> None:
    page.goto("/")
    type_(page, "/expl")
    expect(chosen(page)).to_contain_text("/explain")
    expect(announced(page)).to_contain_text("suggestion")
    composer(page).press("Enter")
    expect(tool(page)).to_have_value("explain")
    expect(composer(page)).to_have_value("")
    expect(composer(page)).to_be_focused()
    expect(page).to_have_url(f"{page.url.rstrip('/')}/")


def test_arrows_move_and_tab_picks(page: Page) -> None:
    page.goto("/")
    type_(page, "/")
    composer(page).press("ArrowUp")
    expect(options(page).last).to_have_attribute("aria-selected", "true")
    composer(page).press("ArrowDown")
    composer(page).press("ArrowDown")
    expect(options(page).nth(1)).to_have_attribute("aria-selected", "true")
    wanted = options(page).nth(1).locator("[data-part=about]").inner_text()
    composer(page).press("Tab")
    expect(tool(page)).to_have_value(wanted.removeprefix("/"))


def test_escape_closes_until_another_one_is_typed(page: Page) -> None:
    page.goto("/")
    type_(page, "/")
    expect(options(page).first).to_be_visible()
    composer(page).press("Escape")
    type_(page, "e")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(composer(page)).to_have_value("/e")
    composer(page).fill("")
    type_(page, "/")
    expect(options(page).first).to_be_visible()


@pytest.mark.parametrize("text", ["Either/", "/etc/hosts", "a /"])
def test_other_slashes_are_text(page: Page, text: str) -> None:
    page.goto("/")
    type_(page, text)
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_keys_of_an_input_method_pick_nothing(page: Page) -> None:
    page.goto("/")
    type_(page, "/expl")
    composer(page).dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    expect(chosen(page)).to_be_visible()
    expect(tool(page)).to_have_value("ask")


def test_an_at_sign_offers_what_came_along(page: Page, about_a_page: str) -> None:
    page.goto(about_a_page)
    type_(page, "See @addr")
    expect(chosen(page)).to_contain_text("Page: Address")
    composer(page).press("Enter")
    expect(composer(page)).to_have_value("See https://a.example/tides ")


def test_several_lines_are_quoted(page: Page, about_a_page: str) -> None:
    page.goto(about_a_page)
    type_(page, "@con")
    chosen(page).click()
    expect(composer(page)).to_have_value("> The moon pulls the sea.\n> Twice a day.\n\n")
    expect(composer(page)).to_be_focused()
    page.reload()
    expect(composer(page)).to_have_value("> The moon pulls the sea.\n> Twice a day.\n\n")


def test_where_nothing_came_along_an_at_sign_is_text(page: Page) -> None:
    page.goto("/")
    type_(page, "Mail to me@")
    type_(page, " @")
    expect(page.get_by_role("listbox")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_faults_while_it_is_open(inspected: Page, scheme: str) -> None:
    inspected.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    inspected.goto("/")
    type_(inspected, "/")
    expect(options(inspected).first).to_be_visible()
    assert faults(inspected, ".composer") == []

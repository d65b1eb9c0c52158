"""Conversations of many pages, and their titles."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import announced, composer, faults

TOP = "node => node.getBoundingClientRect().top"
TO_TOP = "document.querySelector('.scroller').scrollTop = 0"


@pytest.fixture
def path(live: LiveServer, upstream: Upstream) -> str:
    """Of a conversation of 120 messages."""
    live.add_provider(upstream, is_default=True)
    turns = [{"role": role, "content": f"{role} {n}"} for n in range(60) for role in ("user", "assistant")]
    posted: Any = live.post("/api/conversations/", {"messages": turns}).json
    return f"/conversations/{posted['conversation']['id']}/"


def messages(page: Page) -> Locator:
    return page.get_by_role("article")


def earlier(page: Page) -> Locator:
    return page.get_by_role("link", name="Earlier messages")


def test_earlier_messages_come_above_and_nothing_moves(page: Page, path: str) -> None:
    page.goto(path)
    for words, count in (("user 35", 100), ("user 10", 120)):
        first = page.get_by_text(words, exact=True)
        page.evaluate(TO_TOP)
        before = first.evaluate(TOP)
        earlier(page).click()
        expect(messages(page)).to_have_count(count)
        assert first.evaluate(TOP) == pytest.approx(before, abs=1)
    expect(messages(page).first).to_contain_text("user 0")
    expect(earlier(page)).to_have_count(0)
    expect(announced(page)).to_contain_text("20 earlier messages")


def test_they_stay_while_the_conversation_goes_on(page: Page, upstream: Upstream, path: str) -> None:
    page.goto(path)
    page.evaluate(TO_TOP)
    earlier(page).press("Enter")
    expect(messages(page)).to_have_count(100)
    upstream.will_send(*sse.reply("The last one."))
    composer(page).fill("And now?")
    composer(page).press("Enter")
    expect(messages(page).last).to_contain_text("The last one.")
    expect(messages(page)).to_have_count(102)
    expect(messages(page).last).to_be_in_viewport()


def test_whoever_reads_above_can_jump_to_the_newest(page: Page, path: str) -> None:
    page.goto(path)
    jump = page.get_by_role("button", name="Newest")
    expect(messages(page).last).to_be_in_viewport()
    expect(jump).to_be_hidden()
    page.evaluate(TO_TOP)
    jump.click()
    expect(messages(page).last).to_be_in_viewport()


def test_a_title_is_changed_in_its_place(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_label("Rename this conversation").press("Enter")
    title = page.get_by_label("Title of this conversation")
    expect(title).to_be_focused()
    title.fill("Tides & moons")
    title.press("Enter")
    expect(page.get_by_role("heading", name="Tides & moons")).to_be_visible()
    expect(page.get_by_label("Rename this conversation")).to_be_focused()
    expect(page).to_have_title(re.compile("Tides & moons · AskWeb$"))  # others may be waiting
    expect(page.get_by_role("navigation").get_by_text("Tides & moons")).to_be_visible()


def test_escape_leaves_the_title_as_it_was(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_label("Rename this conversation").click()
    title = page.get_by_label("Title of this conversation")
    title.fill("Never mind")
    title.press("Escape")
    expect(page.get_by_role("heading", name="user 0")).to_be_visible()
    page.get_by_label("Rename this conversation").click()
    expect(title).to_have_value("user 0")


@pytest.mark.parametrize("width", [1280, 320])
def test_no_faults_while_a_title_is_changed(inspected: Page, path: str, width: int) -> None:
    inspected.set_viewport_size({"width": width, "height": 640})
    inspected.goto(path)
    inspected.get_by_label("Rename this conversation").click()
    expect(inspected.get_by_label("Title of this conversation")).to_be_in_viewport(ratio=1)
    assert faults(inspected, ".topbar") == []

"""A long conversation in the panel: the newest messages first, those before them for the asking."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import worker_of
from tests.extension.test_panel import log
from tests.stand_ins.server import LiveServer

SHOW = """async (conversation) => {
  const windows = await chrome.windows.getAll();
  const shown = windows.map(({ id }) => [`shown.${id}`, { conversation, tab: null }]);
  await chrome.storage.session.set(Object.fromEntries(shown));
}"""
TOP = """text => {
  const all = [...document.querySelectorAll("article")];
  return all.find(each => each.textContent.includes(text)).getBoundingClientRect().top;
}"""


@pytest.fixture
def show(paired: BrowserContext, open_page: Callable[[str], Page]) -> Callable[[str], Page]:
    """Opens the panel on a conversation."""

    def show(conversation: str) -> Page:
        worker_of(paired).evaluate(SHOW, conversation)
        panel = open_page("panel/panel.html")
        panel.set_viewport_size({"width": 360, "height": 640})
        return panel

    return show


@pytest.fixture
def long(live: LiveServer, show: Callable[[str], Page]) -> Page:
    """A conversation of 120 messages."""
    turns = [
        {"role": role, "content": f"{word} {number}."}
        for number in range(60)
        for role, word in (("user", "Question"), ("assistant", "Answer"))
    ]
    return show(live.post("/api/conversations/", {"messages": turns}).json["conversation"]["id"])


def earlier(panel: Page, count: int) -> None:
    panel.get_by_role("button", name="Show earlier messages").press("Enter")
    expect(log(panel).get_by_role("article")).to_have_count(count)


def test_earlier_messages_come_above_and_what_is_read_stays_in_its_place(long: Page) -> None:
    expect(log(long).get_by_role("article")).to_have_count(50)
    long.evaluate("document.querySelector('main').scrollTop = 0")
    before = long.evaluate(TOP, "Question 35.")
    earlier(long, 100)
    expect(log(long).get_by_role("article").first).to_contain_text("Question 10.")
    assert abs(long.evaluate(TOP, "Question 35.") - before) <= 1


def test_where_there_are_no_more_the_button_goes_and_the_focus_to_the_first(long: Page) -> None:
    earlier(long, 100)
    earlier(long, 120)
    expect(long.get_by_role("button", name="Show earlier messages")).to_be_hidden()
    expect(log(long).get_by_role("article").first).to_be_focused()
    expect(log(long).get_by_role("article").first).to_contain_text("Question 0.")


def test_what_is_asked_then_leaves_the_earlier_ones_there(long: Page, provider: str) -> None:
    earlier(long, 100)
    long.get_by_label("Your message").fill("And then?")
    long.keyboard.press("Enter")
    expect(log(long)).to_contain_text("Fine.")
    expect(log(long).get_by_role("article")).to_have_count(102)
    expect(log(long).get_by_role("article").first).to_contain_text("Question 10.")


def test_a_short_conversation_has_no_earlier_ones(live: LiveServer, show: Callable[[str], Page]) -> None:
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Good day."}]
    panel = show(live.post("/api/conversations/", {"messages": turns}).json["conversation"]["id"])
    expect(log(panel)).to_contain_text("Good day.")
    expect(panel.get_by_role("button", name="Show earlier messages")).to_be_hidden()

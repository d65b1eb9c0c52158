"""A question that comes is told in the title, and by sound and notification for who wants them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stand_ins.browser import signed_in_tab
from tests.stand_ins.server import LiveServer
from tests.ui.asked import CHECKS, TARGET, announced, ask, ask_on, panel

SPY = """
window.told = [];
window.tones = 0;
window.Notification = class extends EventTarget {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, { body, tag }) {
    super();
    window.told.push({ title, body, tag, click: () => this.dispatchEvent(new Event("click")) });
  }
};
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (...when) {
  window.tones += 1;
  return start.apply(this, when);
};
"""
TOLD = "told.map(({ title, body, tag }) => [title, body, tag])"


@pytest.fixture
def spied(browser: Browser, live: LiveServer, session_cookie: str) -> Iterator[Page]:
    """A tab in a browser that allows notifications, and counts them and tones. Headless ones show none."""
    with browser.new_context(base_url=live.url) as window:
        window.add_init_script(SPY)
        with signed_in_tab(window, live.url, session_cookie) as page:
            yield page


def want(page: Page, *alerts: str) -> None:
    page.get_by_label("How to be told of questions").click()
    for alert in alerts:
        page.get_by_label(alert).check()
    page.keyboard.press("Escape")


@pytest.fixture
def asked_again(spied: Page, live: LiveServer) -> str:
    """A set that came after one was skipped on the page, where all alerts are wanted."""
    first = ask_on(spied, live, CHECKS)
    want(spied, "Play a sound when a question comes", "Show a notification with its text")
    live.post(f"/api/questions/{first['id']}/skip/", {"client_id": "s"})
    expect(panel(spied)).to_have_count(0)
    return str(ask(live, TARGET, conversation=first["conversation"])["id"])


def test_it_is_told_once_by_title_sound_and_notification(spied: Page, asked_again: str) -> None:
    expect(panel(spied)).to_contain_text("this release")
    expect(spied).to_have_title(re.compile(r"^\(\d+\) "))
    assert spied.evaluate(TOLD) == [["Target", "Where should this release go?", asked_again]]
    assert spied.evaluate("tones") == 1
    expect(announced(spied)).to_contain_text("Where should this release go?")


def test_what_waits_already_is_no_news_after_a_reload(spied: Page, asked_again: str) -> None:
    with spied.expect_request("**/api/questions/?status=pending"):  # which follows the subscription
        spied.reload()
    expect(spied).to_have_title(re.compile(r"^\(\d+\) "))
    assert (spied.evaluate(TOLD), spied.evaluate("tones")) == ([], 0)


def test_a_notification_leads_to_its_question(spied: Page, live: LiveServer, asked_again: str) -> None:
    elsewhere = ask(live, CHECKS)
    spied.wait_for_function("told.length === 2")
    spied.evaluate("told.at(-1).click()")
    spied.wait_for_url(f"/conversations/{elsewhere['conversation']}/")


def test_who_wants_neither_has_the_title_alone(spied: Page, live: LiveServer) -> None:
    ask_on(spied, live)
    expect(spied).to_have_title(re.compile(r"^\(\d+\) "))
    assert (spied.evaluate(TOLD), spied.evaluate("tones")) == ([], 0)

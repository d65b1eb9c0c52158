"""The Control UI in Chromium, against the live server and a stand-in for the provider."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream

CONVERSATION = re.compile(r"/conversations/[0-9a-f-]+/$")
SCROLLED_UP = "element => { element.scrollTop = 0; }"
GROWN_TWICE = """async column => {
  const grow = () => {
    const tall = document.createElement("p");
    tall.style.height = "2000px";
    column.append(tall);
  };
  let sizes = 0;
  const growth = new ResizeObserver(() => ++sizes === 2 && grow()); // before the scrolling of the first is told
  growth.observe(column);
  while (sizes < 1) await new Promise(requestAnimationFrame);
  grow();
  while (sizes < 3) await new Promise(requestAnimationFrame);
}"""
IS_AT_END = "element => element.scrollHeight - element.scrollTop - element.clientHeight < 48"


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    """The one that answers what is asked on the page."""
    return live.add_provider(upstream, is_default=True)


def ask(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")


def open_answered(page: Page, live: LiveServer, provider: str, text: str = "Hi") -> Asked:
    asked = live.ask(provider, text)
    live.ended(asked.run)
    page.goto(f"/conversations/{asked.conversation}/")
    return asked


def test_a_reply_arrives_as_it_is_written(page: Page, provider: str, upstream: Upstream) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("**So** far <b>"), gate, sse.chunk(" and on"), sse.finish())
    page.goto("/")
    ask(page, "Tell me")
    page.wait_for_url(CONVERSATION)
    reply = page.get_by_role("article", name="Answer")
    expect(reply).to_contain_text("**So** far <b>")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    gate.open()
    expect(reply.locator("strong")).to_have_text("So")
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def test_stop_ends_the_answer_and_keeps_what_was_written(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    open_answered(page, live, provider)
    upstream.will_send(sse.chunk("Endless"), upstream.gate())
    ask(page, "Go on")
    reply = page.get_by_role("article", name="Answer").last
    expect(reply).to_contain_text("Endless")
    page.get_by_role("button", name="Stop").click()
    expect(reply).to_contain_text("You stopped this answer.")
    expect(reply).to_contain_text("Endless")


def test_a_failure_says_what_to_do_and_is_regenerated_with_one_button(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    open_answered(page, live, provider)
    upstream.will_send(b'{"error": {"message": "no such key"}}', status=401, content_type="application/json")
    ask(page, "First line\nSecond line")
    expect(page.get_by_text("The provider refused the key.")).to_be_visible()
    reply = page.get_by_role("article", name="Answer").last
    expect(reply.get_by_role("link", name="Ask again")).to_have_count(0)
    upstream.will_send(*sse.reply("Here I am"))
    reply.get_by_role("button", name="Regenerate").click()
    expect(reply).to_contain_text("Here I am")


def test_a_wait_before_another_try_counts_down(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    open_answered(page, live, provider)
    for _try in range(2):
        upstream.will_send(
            b'{"error": {"message": "slow down"}}', status=429, content_type="application/json"
        )
    upstream.will_send(*sse.reply("Here I am"))
    ask(page, "Are you there?")
    reply = page.get_by_role("article", name="Answer").last
    waiting = reply.get_by_text(re.compile(r"Trying again in \d+ s \(\d of 2\)"))
    expect(waiting).to_be_visible()
    expect(reply.get_by_text("slow down")).to_be_visible()
    expect(reply).to_contain_text("Here I am", timeout=20_000)
    expect(waiting).to_be_hidden()


def test_two_tabs_show_the_same(page: Page, live: LiveServer, provider: str, upstream: Upstream) -> None:
    open_answered(page, live, provider)
    other = page.context.new_page()
    other.goto(page.url)
    upstream.will_send(*sse.reply("Seen by ", "both"))
    ask(page, "Where?")
    for tab in (page, other):
        expect(tab.get_by_role("article").nth(2).locator("[data-part=text]")).to_have_text("Where?")
        expect(tab.get_by_role("article").nth(3)).to_contain_text("Seen by both")


def test_what_is_asked_elsewhere_appears_in_the_list(page: Page, live: LiveServer, provider: str) -> None:
    page.goto("/")
    expect(page.get_by_label("Your message")).to_be_focused()
    asked = live.ask(provider, "Asked on a train")
    listed = page.get_by_role("navigation").get_by_role("link", name="Asked on a train")
    expect(listed).to_have_attribute("href", f"/conversations/{asked.conversation}/")
    live.request("DELETE", f"/api/conversations/{asked.conversation}/")
    expect(listed).to_have_count(0)


def test_a_draft_survives_a_reload_and_an_ime_enter_does_not_send(page: Page, provider: str) -> None:
    page.goto("/")
    area = page.get_by_label("Your message")
    area.fill("にほん")
    area.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    area.dispatch_event("keydown", {"key": "Enter", "keyCode": 229})
    page.reload()
    expect(area).to_have_value("にほん")
    area.fill("")


def test_a_person_who_reads_above_is_left_there(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    upstream.will_send(*sse.reply("line\n\n" * 200))
    open_answered(page, live, provider)
    scroller = page.locator(".scroller")
    page.wait_for_function(IS_AT_END, arg=scroller.element_handle())
    scroller.evaluate(SCROLLED_UP)
    jump = page.get_by_role("button", name="Newest")
    expect(jump).to_be_visible()
    live.ask(provider, "More", conversation=page.url.split("/")[-2])
    expect(page.get_by_role("article")).to_have_count(4)
    assert scroller.evaluate("element => element.scrollTop") == 0
    jump.click()
    page.wait_for_function(IS_AT_END, arg=scroller.element_handle())


def test_who_is_at_the_end_stays_there_however_fast_it_grows(page: Page, live: LiveServer) -> None:
    page.goto("/")
    page.locator(".scroller .column").evaluate(GROWN_TWICE)
    scroller = page.locator(".scroller")
    assert scroller.evaluate("element => element.scrollHeight") > 4000
    page.wait_for_function(IS_AT_END, arg=scroller.element_handle())


@pytest.fixture
def any_page(browser: Browser) -> Iterator[Page]:
    """A tab that may log that it could not connect."""
    with browser.new_context() as context:
        yield context.new_page()


def test_a_page_finds_its_way_back_after_a_restart(
    any_page: Page, mortal: LiveServer, upstream: Upstream
) -> None:
    provider = mortal.add_provider(upstream)
    asked = mortal.ask(provider)
    mortal.ended(asked.run)
    any_page.goto(mortal.sign_in_link())
    any_page.goto(f"{mortal.url}/conversations/{asked.conversation}/")
    mortal.terminate()
    expect(any_page.get_by_text("Reconnecting…")).to_be_visible()
    mortal.restart()
    mortal.ask(provider, "After the break", conversation=asked.conversation)
    expect(any_page.get_by_role("article").nth(2)).to_contain_text("After the break", timeout=30_000)
    expect(any_page.get_by_text("Reconnecting…")).to_have_count(0)


WAITS = """
window.waits = []
const later = window.setTimeout
window.setTimeout = (act, wait, ...more) => {
    if (Number.isInteger(wait ?? 0)) return later(act, wait, ...more)
    window.waits.push(wait)
    return later(act, 1, ...more)
}
"""
"""Keeps the waits that have chance in them, and shortens them."""


@pytest.mark.parametrize(
    ("code", "least", "most"),
    [(4012, [250] * 6, [750] * 6), (1011, [250, 500, 1000, 2000], [750, 1500, 3000, 6000])],
    ids=["told that the server restarts", "for no known reason"],
)
def test_pages_that_lose_their_socket_do_not_all_come_back_at_once(
    any_page: Page, live: LiveServer, code: int, least: list[int], most: list[int]
) -> None:
    any_page.add_init_script(WAITS)
    any_page.route_web_socket("**/ws/", lambda socket: socket.close(code=code))
    any_page.goto(live.sign_in_link())
    any_page.wait_for_function("count => window.waits.length >= count", arg=len(least))
    waits: list[float] = any_page.evaluate("window.waits")[: len(least)]
    assert all(low <= wait <= high for low, wait, high in zip(least, waits, most, strict=True)), waits
    assert len(set(waits)) == len(waits)

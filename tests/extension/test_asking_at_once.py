"""A tool of the context menu asks with one click, and once, where it needs no words."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import pair_with, pick, press_button, worker_of
from tests.extension.test_panel import chips, log, newest
from tests.extension.test_ways_in import blocking, said
from tests.extension.test_worker import kill_worker, outbox, unsent
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

__all__ = ["blocking"]

Open = Callable[[str], Page]
PANEL = "panel/panel.html"
SELECT = "getSelection().selectAllChildren(document.getElementById('sun'))"
KNOWN = "async () => (await chrome.storage.local.get('tools')).tools?.length"
WISHES = "async () => Object.keys(await chrome.storage.session.get(null)).filter((key) => /^wanted/.test(key)).length"
DOUBLY = """async ({ url, tool }) => {
  const [tab] = await chrome.tabs.query({ url });
  const click = () => chrome.contextMenus.onClicked.dispatch({ menuItemId: `tool:${tool}` }, tab);
  click();
  click();
}"""


def shown(panels: list[Page]) -> str:
    return "".join(panel.locator("[data-part=log]").text_content() or "" for panel in panels)


@pytest.fixture
def selected(tides: Page) -> Page:
    tides.evaluate(SELECT)
    return tides


@pytest.fixture
def calls(upstream: Upstream) -> Callable[[], int]:
    return upstream.count_calls


def test_one_click_explains_the_selection(
    panel: Page, extension: BrowserContext, selected: Page, live: LiveServer, upstream: Upstream
) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("At half "), gate, sse.chunk("strength."), sse.finish())
    pick(extension, "explain")
    expect(log(panel)).to_contain_text("At half")
    gate.open()
    expect(log(panel)).to_contain_text("At half strength.")
    expect(chips(panel).filter(has_text="Selection")).to_contain_text("The sun pulls")
    expect(panel.get_by_label("Tool")).to_have_value("")
    asked = newest(live)[1]
    assert (asked["tool"], asked["content"]) == ("explain", "")
    assert asked["context"][1]["selection"] == "The sun pulls, too, at half the strength."


def test_a_double_click_asks_once(
    panel: Page, extension: BrowserContext, selected: Page, calls: Callable[[], int]
) -> None:
    expect(chips(panel)).to_have_count(3)
    worker_of(extension).evaluate(DOUBLY, {"url": "http://127.0.0.1:9/tides", "tool": "explain"})
    expect(log(panel)).to_contain_text("Fine.")
    panel.wait_for_timeout(500)
    expect(log(panel).get_by_role("article")).to_have_count(2)
    assert calls() == 1


def test_a_whole_page_is_summarised_at_once(panel: Page, extension: BrowserContext, live: LiveServer) -> None:
    expect(chips(panel)).to_have_count(2)
    pick(extension, "summarise")
    expect(log(panel)).to_contain_text("Fine.")
    assert "The moon pulls" in newest(live)[1]["context"][0]["content"]


def test_what_was_typed_stays_and_is_not_sent(
    panel: Page, extension: BrowserContext, selected: Page, live: LiveServer
) -> None:
    panel.get_by_label("Your message").fill("And the wind?")
    pick(extension, "explain")
    expect(log(panel)).to_contain_text("Fine.")
    expect(panel.get_by_label("Your message")).to_have_value("And the wind?")
    assert newest(live)[1]["content"] == ""


@pytest.mark.parametrize("tool", ["", "ask", "find-on-page"])
def test_what_needs_words_waits_for_them(
    panel: Page, extension: BrowserContext, selected: Page, tool: str, calls: Callable[[], int]
) -> None:
    expect(panel.get_by_label("Tool").locator("option[value=explain]")).to_be_attached()
    pick(extension, tool)
    expect(chips(panel).filter(has_text="Selection")).to_be_visible()
    expect(panel.get_by_label("Tool")).to_have_value(tool)
    expect(panel.get_by_label("Your message")).to_be_focused()
    panel.wait_for_timeout(500)
    assert calls() == 0
    panel.keyboard.type("How strong?")
    panel.keyboard.press("Enter")
    expect(log(panel)).to_contain_text("Fine.")


def test_a_tool_that_finds_nothing_of_its_kinds_waits(
    panel: Page, extension: BrowserContext, calls: Callable[[], int]
) -> None:
    expect(chips(panel)).to_have_count(2)
    pick(extension, "explain")
    said(panel, "There is nothing here that this tool takes by itself.")
    expect(panel.get_by_label("Tool")).to_have_value("explain")
    assert calls() == 0


def test_of_a_blocked_host_nothing_is_asked(
    panel: Page, extension: BrowserContext, blocking: None, calls: Callable[[], int]
) -> None:
    pick(extension, "summarise")
    said(panel, "You have blocked 127.0.0.1")
    expect(panel.get_by_label("Tool")).to_have_value("summarise")
    assert calls() == 0
    assert outbox(panel) == []


def test_a_page_that_cant_be_read_is_told_and_nothing_asked(
    panel: Page, extension: BrowserContext, calls: Callable[[], int]
) -> None:
    url = "http://127.0.0.1:9/sun.svg"
    extension.route(
        "**/sun.svg",
        lambda route: route.fulfill(
            body='<svg xmlns="http://www.w3.org/2000/svg"/>', content_type="image/svg+xml"
        ),
    )
    extension.new_page().goto(url)
    pick(extension, "summarise", url=url)
    said(panel, "This is no page of text")
    expect(panel.get_by_label("Tool")).to_have_value("summarise")
    assert calls() == 0


class TestTheWishIsFollowedOnce:
    @pytest.fixture(autouse=True)
    def _known(self, paired: BrowserContext, provider: str, selected: Page) -> None:
        until("the tools are known", lambda: worker_of(paired).evaluate(KNOWN))

    def test_by_a_panel_that_opens_slowly(self, paired: BrowserContext, open_page: Open) -> None:
        pick(paired, "explain")
        expect(log(open_page(PANEL))).to_contain_text("Fine.")

    def test_by_a_panel_that_opens_after_the_worker_died(
        self, paired: BrowserContext, open_page: Open
    ) -> None:
        pick(paired, "explain")
        until("the wish is noted", lambda: worker_of(paired).evaluate(WISHES))
        kill_worker(paired.pages[0])
        expect(log(open_page(PANEL))).to_contain_text("Fine.")

    def test_where_two_panels_open(
        self, paired: BrowserContext, open_page: Open, calls: Callable[[], int]
    ) -> None:
        panels = [open_page(PANEL), open_page(PANEL)]
        pick(paired, "explain")
        until("it is answered", lambda: "Fine." in shown(panels))
        assert calls() == 1

    def test_and_not_again_by_a_panel_that_opens_anew(
        self, paired: BrowserContext, open_page: Open, calls: Callable[[], int]
    ) -> None:
        panel = open_page(PANEL)
        pick(paired, "explain")
        expect(log(panel)).to_contain_text("Fine.")
        panel.reload()
        expect(chips(panel)).to_have_count(3)
        expect(log(panel)).to_contain_text("Fine.")
        expect(log(panel).get_by_role("article")).to_have_count(2)
        assert calls() == 1

    def test_over_a_worker_that_dies_again_and_again(
        self, paired: BrowserContext, open_page: Open, calls: Callable[[], int]
    ) -> None:
        panel = open_page(PANEL)
        pick(paired, "explain")
        until("the wish is noted", lambda: worker_of(paired).evaluate(WISHES))
        for _time in range(3):
            kill_worker(panel)
            panel.wait_for_timeout(20)
        expect(log(panel)).to_contain_text("Fine.")
        expect(log(panel).get_by_role("article")).to_have_count(2)
        assert calls() == 1


def test_it_waits_in_the_outbox_while_the_server_is_down(
    extension: BrowserContext, mortal: LiveServer, upstream: Upstream, tides: Page, open_page: Open
) -> None:
    mortal.add_provider(upstream, is_default=True)
    pair_with(extension, mortal)
    press_button(extension)
    panel = open_page(PANEL)
    expect(chips(panel)).to_have_count(2)
    mortal.kill()
    pick(extension, "summarise")
    expect(unsent(panel)).to_contain_text("AskWeb can't be reached")
    mortal.start()
    panel.get_by_role("button", name="Try again").click()
    expect(log(panel)).to_contain_text("Fine.", timeout=20_000)
    expect(unsent(panel)).to_have_count(0)


def test_it_waits_in_the_outbox_while_the_token_is_revoked(
    panel: Page, extension: BrowserContext, live: LiveServer
) -> None:
    expect(chips(panel)).to_have_count(2)
    pair_with(extension, live, token="askweb_revoked")
    pick(extension, "summarise")
    expect(unsent(panel)).to_contain_text("The server does not know this browser any more")
    pair_with(extension, live)
    expect(log(panel)).to_contain_text("Fine.")
    expect(unsent(panel)).to_have_count(0)

"""Shortcut, button and menu open the panel on a page; what can't be read is told, and what is blocked is not read."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from tests.extension.conftest import HOME, TIDES, pick, press_button, worker_of
from tests.extension.test_panel import ask, chips, log, newest
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer, free_port
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

Open = Callable[[str], Page]
MENUS = """async (id) => new Promise((resolve) =>
  chrome.contextMenus.update(id, {}, () => resolve(!chrome.runtime.lastError)))"""
COMMAND = "async () => (await chrome.commands.getAll()).map(({ name, shortcut }) => [name, shortcut])"
INJECTED = "() => Object.hasOwn(globalThis, 'askwebPage')"


def said(panel: Page, text: str) -> None:
    expect(panel.locator("[data-part=notices]")).to_contain_text(text)


@pytest.fixture
def blocking(live: LiveServer) -> Iterator[None]:
    body = b'{"blocked_hosts": ["127.0.0.1"]}'
    assert live.request("PATCH", "/api/settings/", body).status == 200
    yield
    live.request("PATCH", "/api/settings/", b'{"blocked_hosts": []}')


def test_the_shortcut_presses_the_button(extension: BrowserContext) -> None:
    assert worker_of(extension).evaluate(COMMAND) == [["_execute_action", "Ctrl+I"]]


def test_nothing_is_read_before_the_panel_is_asked_for(
    paired: BrowserContext, provider: str, tides: Page, open_page: Open, upstream: Upstream
) -> None:
    panel = open_page("panel/panel.html")
    expect(panel.get_by_label("Your message")).to_be_visible()
    expect(panel.get_by_role("button", name="Read the page again")).to_be_hidden()
    expect(chips(panel)).to_have_count(0)


def test_the_open_panel_follows_to_another_page_with_a_new_conversation(
    panel: Page, extension: BrowserContext
) -> None:
    ask(panel, "Of tides")
    expect(log(panel)).to_contain_text("Fine.")
    other = extension.new_page()
    other.route(
        "**", lambda route: route.fulfill(body="<title>Winds</title><p>They blow.", content_type="text/html")
    )
    other.goto("http://127.0.0.1:9/winds")
    press_button(extension, "http://127.0.0.1:9/winds")
    expect(chips(panel).nth(0)).to_contain_text("Winds")
    expect(log(panel).get_by_role("article")).to_have_count(0)


def test_the_menu_has_the_servers_tools(panel: Page, extension: BrowserContext) -> None:
    worker = worker_of(extension)
    until("the tools are there", lambda: worker.evaluate(MENUS, "tool:explain"))
    assert worker.evaluate(MENUS, "tool:")
    assert not worker.evaluate(MENUS, "tool:nonsense")


def test_a_tool_needs_no_words(panel: Page, live: LiveServer) -> None:
    panel.get_by_label("Tool").select_option("summarise")
    expect(chips(panel)).to_have_count(2)
    panel.get_by_role("button", name="Send").click()
    expect(log(panel)).to_contain_text("Fine.")
    assert newest(live)[1]["tool"] == "summarise"


def test_a_tool_that_is_picked_before_the_panel_is_there_is_chosen_too(
    paired: BrowserContext, provider: str, tides: Page, open_page: Open
) -> None:
    pick(paired, "find-on-page")
    expect(open_page("panel/panel.html").get_by_label("Tool")).to_have_value("find-on-page")


def test_a_link_goes_along_as_a_quote(
    panel: Page, extension: BrowserContext, tides: Page, live: LiveServer
) -> None:
    tides.evaluate(
        "document.querySelector('main').innerHTML += '<p><a href=\"http://sea.example/\">The sea</a></p>'"
    )
    pick(extension, "", link="http://sea.example/")
    expect(chips(panel).filter(has_text="Link")).to_contain_text("The sea")
    ask(panel, "Where does it lead?")
    expect(log(panel)).to_contain_text("Fine.")
    quote = newest(live)[1]["context"][1]
    assert (quote["linkText"], quote["linkUrl"]) == ("The sea", "http://sea.example/")


def test_the_selection_goes_along(panel: Page, extension: BrowserContext, tides: Page) -> None:
    tides.evaluate("getSelection().selectAllChildren(document.getElementById('sun'))")
    press_button(extension)
    expect(chips(panel).filter(has_text="Selection")).to_contain_text("The sun pulls")


def test_parts_go_along_only_with_a_tool_that_finds(panel: Page, live: LiveServer) -> None:
    panel.get_by_label("Tool").select_option("find-on-page")
    expect(chips(panel).filter(has_text="Parts to find")).to_be_visible()
    ask(panel, "Where is the sun?")
    expect(log(panel)).to_contain_text("Fine.")
    assert "pageSearch" in [item["id"] for item in newest(live)[1]["context"]]


def test_a_blocked_host_is_never_read(
    paired: BrowserContext, blocking: None, tides: Page, open_page: Open
) -> None:
    press_button(paired)
    panel = open_page("panel/panel.html")
    said(panel, "You have blocked 127.0.0.1 in AskWeb's settings, so nothing of it is read.")
    expect(chips(panel)).to_have_count(0)
    read = "async url => { const [tab] = await chrome.tabs.query({ url }); const target = { tabId: tab.id };"
    func = f"return (await chrome.scripting.executeScript({{ target, func: {INJECTED} }}))[0].result }}"
    assert worker_of(paired).evaluate(read + func, TIDES) is False


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("chrome://version/", "Chrome lets no extension read this page."),
        ("view-source:http://127.0.0.1/", "Chrome lets no extension read this page."),
        ("data:text/html,x", "Chrome lets no extension read this page."),
        ("about:blank", "This tab is empty"),
        ("chrome://newtab/", "This tab is empty"),
        ("blob:http://127.0.0.1:9/7f3a", "This page was made in memory by another one (blob:)"),
        ("file:///home/me/tides.html", "Chrome lets AskWeb read files of this machine only if you allow it"),
        (f"{HOME}/options/options.html", "Chrome lets no extension read this page."),
        ("https://chromewebstore.google.com/detail/x", "Chrome lets no extension read its Web Store."),
        ("https://chrome.google.com/webstore/x", "Chrome lets no extension read its Web Store."),
    ],
)
def test_what_chrome_keeps_closed_is_told(
    paired: BrowserContext, open_page: Open, url: str, told: str
) -> None:
    """`activeTab` shows the address of such a page, too; a test has no `activeTab`, so the address is given."""
    outcome = open_page("options/options.html").evaluate(
        """async (url) => {
          chrome.tabs.get = async () => ({ url });
          chrome.extension.isAllowedFileSchemeAccess = async () => false;
          const { read } = await import("/worker/reading.js");
          return read({ tab: 1 }).then(() => "read", (problem) => problem.message);
        }""",
        url,
    )
    assert outcome.startswith(told)


def test_a_page_that_chrome_hides_even_then_is_closed(
    paired: BrowserContext, provider: str, open_page: Open
) -> None:
    paired.new_page().goto("chrome://version/")
    worker_of(paired).evaluate(
        "async () => chrome.action.onClicked.dispatch((await chrome.tabs.query({})).find(({ url }) => !url))"
    )
    said(open_page("panel/panel.html"), "Chrome lets no extension read this page.")


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ("%PDF-1.4\n%%EOF\n", "application/pdf", "The PDF viewer can't be read."),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml", "This is no page of text"),
        ("<sea/>", "text/xml", "This is no page of text"),
    ],
)
def test_what_is_no_page_is_told(
    panel: Page, extension: BrowserContext, body: str, kind: str, told: str
) -> None:
    extension.route("**/sea", lambda route: route.fulfill(body=body, content_type=kind))
    extension.new_page().goto("http://127.0.0.1:9/sea")
    press_button(extension, "http://127.0.0.1:9/sea")
    said(panel, told)


def test_a_page_that_did_not_load_is_told(panel: Page, extension: BrowserContext) -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        extension.new_page().goto(url)
    there = "async url => (await chrome.tabs.query({ url, status: 'complete' })).length"
    until("Chrome shows the error", lambda: worker_of(extension).evaluate(there, url))
    press_button(extension, url)
    said(panel, "The page did not load")


def test_a_tab_that_was_closed_is_told(panel: Page, tides: Page) -> None:
    expect(chips(panel)).to_have_count(2)
    tides.close()
    panel.get_by_role("button", name="Read the page again").click()
    said(panel, "The tab with this page was closed.")


def test_a_page_that_went_to_a_blocked_host_meanwhile_is_told(
    paired: BrowserContext, blocking: None, tides: Page, open_page: Open
) -> None:
    told = open_page("options/options.html").evaluate(
        """async (url) => {
          const [{ id }] = await chrome.tabs.query({ url });
          const get = chrome.tabs.get;
          chrome.tabs.get = async () => {
            chrome.tabs.get = get;
            return { url: "http://elsewhere.example/" };
          };
          const { read } = await import("/worker/reading.js");
          return read({ tab: id }).then(() => "read", (problem) => problem.message);
        }""",
        TIDES,
    )
    assert told.startswith("You have blocked 127.0.0.1")


def test_a_page_that_it_may_not_read_yet_says_how(paired: BrowserContext, open_page: Open) -> None:
    """Without `activeTab`, as after the tab has gone elsewhere."""
    other = paired.new_page()
    other.route("**", lambda route: route.fulfill(body="<p>Other", content_type="text/html"))
    other.goto("http://elsewhere.example/")
    panel = open_page("panel/panel.html")
    window, tab = worker_of(paired).evaluate(
        """async () => {
          const tabs = await chrome.tabs.query({});
          const tab = tabs.find(({ url }) => !url);
          const wish = { window: tab.windowId, tab: tab.id, tool: "", link: "", at: 1 };
          await chrome.storage.session.set({ [`wanted.${tab.windowId}`]: wish });
          return [tab.windowId, tab.id];
        }"""
    )
    assert window
    assert tab
    panel.reload()
    said(panel, "Press Ctrl+I")


def test_a_citation_leads_to_its_part_of_the_page(panel: Page, tides: Page, upstream: Upstream) -> None:
    panel.get_by_label("Tool").select_option("find-on-page")
    expect(chips(panel).filter(has_text="Parts to find")).to_be_visible()
    upstream.will_send(sse.chunk("Here [3]."), sse.finish())
    ask(panel, "Where is the sun?")
    panel.get_by_role("link", name="[3]").click()
    expect(panel.locator("[data-part=notices]")).not_to_contain_text("not on the page any more")
    tides.evaluate("document.getElementById('sun').remove()")
    panel.get_by_role("link", name="[3]").click()
    said(panel, "That part is not on the page any more.")

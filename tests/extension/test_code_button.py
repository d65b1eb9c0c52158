"""The optional button on blocks of code, in the extension as it ships: hosts are asked for, and given back.

Chrome's question can't be answered from outside. The profile holds that the person said yes once before, for which it
doesn't ask again.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import HOME, started, worker_of
from tests.extension.test_panel import chips, log, newest
from tests.extension.test_ways_in import blocking
from tests.required import PROJECT
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

__all__ = ["blocking"]

Open = Callable[[str], Page]
ID = HOME.rpartition("/")[2]
HOSTS = ["http://*/*", "https://*/*"]
HALVES = "http://127.0.0.1:9/halves"
CODE = "def halves(n):\n    while n > 1:\n        yield n\n        n //= 2"
PAGE = f"""<!doctype html><html lang="en"><title>Halves</title><main><h1>Halves</h1><p id="words">Half of it, and again.</p>
<pre id="code" tabindex="0"><code class="language-python">{CODE}</code></pre><p><a id="next" href="#">Next</a></p></main>"""
CONTAINED = "origins => chrome.permissions.contains({ origins })"
REGISTERED = "async () => (await chrome.scripting.getRegisteredContentScripts()).map(({ id }) => id)"
SIDE_PANELS = "async () => (await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })).length"
WISH = """async () => Object.entries(await chrome.storage.session.get(null))
  .filter(([key]) => key.startsWith('wanted.')).map(([, wish]) => wish)[0]"""
SWITCH = "Show a button on code blocks"


@pytest.fixture(scope="module")
def chromium(full_chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    profile = tmp_path_factory.mktemp("profile")
    with started(full_chromium, PROJECT / "extension", profile) as context:
        worker_of(context)
    grant_hosts(profile / "Default" / "Preferences")
    with started(full_chromium, PROJECT / "extension", profile) as context:
        yield context


def grant_hosts(preferences: Path) -> None:
    kept = json.loads(preferences.read_text())
    granted = {"api": [], "explicit_host": HOSTS, "manifest_permissions": [], "scriptable_host": []}
    kept["extensions"]["settings"][ID]["runtime_granted_permissions"] = granted
    preferences.write_text(json.dumps(kept))


@pytest.fixture
def options(paired: BrowserContext, provider: str, open_page: Open) -> Iterator[Page]:
    page = open_page("options/options.html")
    expect(page.get_by_label(SWITCH)).to_be_enabled()
    yield page
    page.get_by_label(SWITCH).uncheck()
    until("the hosts are given back", lambda: not page.evaluate(CONTAINED, HOSTS))


@pytest.fixture
def is_on(options: Page) -> None:
    options.get_by_label(SWITCH).check()
    until("the script is registered", lambda: options.evaluate(REGISTERED) == ["code-button"])


@pytest.fixture
def halves(paired: BrowserContext) -> Page:
    paired.route(HALVES, lambda route: route.fulfill(body=PAGE, content_type="text/html; charset=utf-8"))
    tab = paired.new_page()
    tab.goto(HALVES)
    return tab


def holder(page: Page) -> Any:
    return page.locator("askweb-code-button")


def label_and_box(page: Page) -> tuple[str, list[float]]:
    """Of the button in the closed shadow root: only the debugger sees it."""
    session = page.context.new_cdp_session(page)
    root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    [button] = [node for node in nodes_of(root) if node["nodeName"] == "BUTTON"]
    box = session.send("DOM.getBoxModel", {"nodeId": button["nodeId"]})["model"]
    return button["children"][0]["nodeValue"], [*box["border"][:2], box["width"], box["height"]]


def nodes_of(node: Any) -> Iterator[Any]:
    yield node
    for inner in [*node.get("children", []), *node.get("shadowRoots", [])]:
        yield from nodes_of(inner)


def press(page: Page) -> None:
    expect(holder(page)).to_have_count(1)
    _label, (left, top, width, height) = label_and_box(page)
    page.mouse.click(left + width / 2, top + height / 2)


def test_it_is_off_at_first_and_asks_for_no_host(options: Page, halves: Page) -> None:
    expect(options.get_by_label(SWITCH)).not_to_be_checked()
    assert options.evaluate(REGISTERED) == []
    assert not options.evaluate(CONTAINED, HOSTS)
    halves.hover("#code")
    halves.wait_for_timeout(300)
    expect(holder(halves)).to_have_count(0)


def test_it_gives_the_hosts_back_when_it_is_switched_off(options: Page, is_on: None, halves: Page) -> None:
    assert options.evaluate(CONTAINED, HOSTS)
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)
    options.get_by_label(SWITCH).uncheck()
    until("the hosts are given back", lambda: not options.evaluate(CONTAINED, HOSTS))
    assert options.evaluate(REGISTERED) == []
    expect(holder(halves)).to_have_count(0)
    halves.hover("#words")
    halves.hover("#code")
    halves.wait_for_timeout(300)
    expect(holder(halves)).to_have_count(0)


def test_a_refusal_is_told(options: Page) -> None:
    options.evaluate("() => { chrome.permissions.request = async () => false; }")
    options.get_by_label(SWITCH).click()
    expect(options.get_by_role("alert").last).to_contain_text("Chrome did not give the permission")
    expect(options.get_by_label(SWITCH)).not_to_be_checked()


def test_it_shows_on_the_block_that_is_pointed_at(is_on: None, halves: Page) -> None:
    expect(holder(halves)).to_have_count(0)
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)
    label, (_left, top, width, height) = label_and_box(halves)
    assert label == "Ask about this code"
    assert min(width, height) >= 24
    block = halves.locator("#code").bounding_box()
    assert block
    assert abs(top + height / 2 - block["y"] - block["height"]) <= 1
    halves.hover("#words")
    expect(holder(halves)).to_have_count(0)


def test_it_goes_when_the_pointer_moves_on_and_on(is_on: None, halves: Page) -> None:
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)
    for elsewhere in ("#words", "h1", "#next", "#words", "h1"):
        halves.hover(elsewhere)
    expect(holder(halves)).to_have_count(0)
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)


def test_the_focus_holds_it_but_not_against_another_block(is_on: None, halves: Page) -> None:
    halves.evaluate(
        "document.body.append(Object.assign(document.createElement('pre'), { id: 'b', textContent: 'b' }))"
    )
    halves.focus("#code")
    expect(holder(halves)).to_have_count(1)
    halves.hover("#words")
    halves.wait_for_timeout(700)
    expect(holder(halves)).to_have_count(1)
    _label, (_left, before, *_size) = label_and_box(halves)
    halves.hover("#b")
    until("it is at the other", lambda: label_and_box(halves)[1][1] > before)


def test_nothing_else_is_written_into_the_page(is_on: None, halves: Page) -> None:
    before = halves.locator("html").evaluate("html => html.outerHTML")
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)
    after = halves.locator("html").evaluate("html => { html.lastChild.remove(); return html.outerHTML; }")
    assert after == before


def test_blocks_that_come_later_have_it_too_and_those_in_shadow_roots(is_on: None, halves: Page) -> None:
    halves.evaluate(
        """() => {
          document.querySelector('main').innerHTML = '<p>Gone on</p><pre id=later>a = 1</pre><div id=host></div>';
          document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<pre id=inner>b = 2</pre>';
        }"""
    )
    for block in ("#later", "#inner"):
        halves.hover(block)
        expect(holder(halves)).to_have_count(1)
        halves.hover("p")
        expect(holder(halves)).to_have_count(0)


def test_pressing_it_opens_the_panel_with_the_code_and_waits(
    is_on: None, halves: Page, paired: BrowserContext, open_page: Open, live: LiveServer, upstream: Upstream
) -> None:
    halves.hover("#code")
    press(halves)
    until("the side panel opens", lambda: worker_of(paired).evaluate(SIDE_PANELS))
    panel = open_page("panel/panel.html")
    expect(chips(panel).filter(has_text="Code")).to_contain_text("def halves(n)")
    expect(panel.get_by_label("Tool")).to_have_value("explain-code")
    assert upstream.count_calls() == 0
    panel.get_by_label("Your message").fill("Why two slashes?")
    panel.keyboard.press("Enter")
    expect(log(panel)).to_contain_text("Fine.")
    asked = newest(live)[1]
    [quote] = [item for item in asked["context"] if item["id"] == "quote"]
    assert (asked["tool"], quote["type"]) == ("explain-code", "code")
    assert (quote["code"], quote["codeLanguage"]) == (CODE, "python")


def test_the_keyboard_reaches_it_and_goes_on(is_on: None, halves: Page, paired: BrowserContext) -> None:
    halves.focus("#code")
    expect(holder(halves)).to_have_count(1)
    halves.keyboard.press("Tab")
    assert halves.evaluate("document.activeElement.localName") == "askweb-code-button"
    halves.keyboard.press("Tab")
    assert halves.evaluate("document.activeElement.id") == "next"
    halves.focus("#code")
    halves.keyboard.press("Tab")
    halves.keyboard.press("Enter")
    wish = until("it is pressed", lambda: worker_of(paired).evaluate(WISH))
    assert wish["code"]["xpath"] == "pre[id=code]"
    assert wish["code"]["digest"].startswith("def halves(n): while n > 1:")


def test_escape_takes_it_away(is_on: None, halves: Page) -> None:
    halves.focus("#code")
    expect(holder(halves)).to_have_count(1)
    halves.keyboard.press("Escape")
    expect(holder(halves)).to_have_count(0)


def test_a_click_of_the_pages_own_making_does_nothing(
    is_on: None, halves: Page, paired: BrowserContext
) -> None:
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)
    halves.evaluate("document.querySelector('askweb-code-button').click()")
    halves.wait_for_timeout(300)
    assert worker_of(paired).evaluate(WISH) is None


def test_nothing_is_read_or_sent_before(is_on: None, halves: Page, live: LiveServer) -> None:
    before = live.count_rows()
    halves.hover("#code")
    expect(holder(halves)).to_have_count(1)
    assert live.count_rows() == before
    assert "halves" not in live.log


def test_blocked_hosts_have_none(is_on: None, blocking: None, halves: Page) -> None:
    halves.hover("#code")
    halves.wait_for_timeout(700)
    expect(holder(halves)).to_have_count(0)

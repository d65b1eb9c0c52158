"""Messages on their way: what is taken out to be edited is never posted, by whoever and whenever it was taken."""

import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.extension.conftest import pair_with, pick, press_button, worker_of
from tests.extension.test_panel import ask, chips, log
from tests.extension.test_worker import kill_worker, outbox, unsent
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

Open = Callable[[str], Page]
KEEP = """texts => chrome.storage.local.set(Object.fromEntries(texts.map((text, index) => [`outbox.${text}`, {
  client_id: text, conversation: null, window: -1, tab: null, made: index, problem: null, isRefused: false,
  envelope: { meta: { client_id: text }, messages: [{ role: "user", content: text }] },
}])))"""
WRITTEN_FOR = """async ([id, server]) => {
  const key = `outbox.${id}`;
  const { [key]: entry } = await chrome.storage.local.get(key);
  await chrome.storage.local.set({ [key]: { ...entry, server, conversation: "theirs" } });
}"""
RETRY = "client_id => chrome.runtime.sendMessage({ act: 'retry', client_id })"
WITHDRAW = "client_id => chrome.runtime.sendMessage({ act: 'withdraw', client_id })"
TOLD = """() => new Promise((resolve) => {
  const port = chrome.runtime.connect({ name: "panel" });
  port.onMessage.addListener(({ unsent }) => unsent && resolve(unsent));
})"""
TRIED_AGAIN = """() => new Promise((resolve) => {
  let told = 0;
  const port = chrome.runtime.connect({ name: "panel" });
  port.onMessage.addListener(({ unsent }) => { if (unsent) told += 1; if (told > 1) resolve(); });
})"""


@pytest.fixture
def panel(
    extension: BrowserContext, mortal: LiveServer, upstream: Upstream, tides: Page, open_page: Open
) -> Page:
    mortal.add_provider(upstream, is_default=True)
    pair_with(extension, mortal)
    press_button(extension)
    panel = open_page("panel/panel.html")
    expect(chips(panel)).to_have_count(2)
    return panel


def edit(panel: Page) -> Locator:
    return unsent(panel).get_by_role("button", name="Edit")


def count(server: LiveServer, text: str) -> int:
    return len(server.get(f"/api/conversations/?q={text}").json["results"])


def test_what_was_taken_out_is_not_posted_by_the_next_worker(panel: Page, mortal: LiveServer) -> None:
    mortal.kill()
    ask(panel, "Withdrawnwords")
    edit(panel).click()
    mortal.start()
    kill_worker(panel)
    expect(panel.get_by_role("button", name="Send")).to_be_visible()
    ask(panel, "Instead of it")
    expect(log(panel)).to_contain_text("Fine.")
    assert count(mortal, "Withdrawnwords") == 0
    assert outbox(panel) == []


def test_what_was_taken_out_while_another_was_on_the_way_is_not_posted(
    panel: Page, mortal: LiveServer
) -> None:
    mortal.signal(signal.SIGSTOP)
    panel.evaluate(KEEP, ["Hangingwords", "Takenwords"])
    panel.evaluate(RETRY, "Hangingwords")
    taken = panel.evaluate(WITHDRAW, "Takenwords")
    mortal.signal(signal.SIGCONT)
    assert taken["answer"]["client_id"] == "Takenwords"
    until("the other is posted", lambda: outbox(panel) == [])
    assert (count(mortal, "Hangingwords"), count(mortal, "Takenwords")) == (1, 0)


def test_what_is_on_the_way_can_not_be_taken_out(panel: Page, mortal: LiveServer) -> None:
    mortal.signal(signal.SIGSTOP)
    panel.evaluate(KEEP, ["Leavingwords"])
    panel.evaluate(RETRY, "Leavingwords")
    panel.evaluate(f"id => {{ window.taken = ({WITHDRAW})(id); }}", "Leavingwords")
    mortal.signal(signal.SIGCONT)
    assert panel.evaluate("window.taken") == {"answer": None}
    assert count(mortal, "Leavingwords") == 1


def test_trying_again_does_not_bring_back_what_is_taken_out(panel: Page, mortal: LiveServer) -> None:
    mortal.kill()
    panel.evaluate(KEEP, ["Bothwords"])
    panel.evaluate(f"id => Promise.all([({WITHDRAW})(id), ({RETRY})(id)])", "Bothwords")
    assert outbox(panel) == []


def test_what_another_panel_took_out_is_gone_here(panel: Page, mortal: LiveServer, open_page: Open) -> None:
    mortal.kill()
    ask(panel, "Either here or there")
    other = open_page("panel/panel.html")
    expect(edit(other)).to_be_visible()
    edit(panel).click()
    expect(unsent(other)).to_have_count(0)
    expect(other.get_by_label("Your message")).to_have_value("")


def test_a_message_of_a_tool_alone_is_edited_with_that_tool(
    panel: Page, mortal: LiveServer, extension: BrowserContext
) -> None:
    expect(panel.get_by_label("Tool").get_by_role("option", name="Summarise")).to_be_attached()
    mortal.kill()
    pick(extension, "summarise")
    expect(unsent(panel)).to_contain_text("Summarise")
    edit(panel).click()
    expect(panel.get_by_label("Tool")).to_have_value("summarise")


def test_a_panel_that_was_opened_meanwhile_shows_where_it_went(
    panel: Page, mortal: LiveServer, open_page: Open
) -> None:
    mortal.kill()
    ask(panel, "Late")
    expect(edit(panel)).to_be_visible()
    panel.close()
    panel = open_page("panel/panel.html")
    expect(edit(panel)).to_be_visible()
    mortal.start()
    unsent(panel).get_by_role("button", name="Try again").click()
    expect(log(panel)).to_contain_text("Late", timeout=20_000)
    expect(unsent(panel)).to_have_count(0)


def test_what_got_through_brings_the_socket_back(
    panel: Page, mortal: LiveServer, extension: BrowserContext
) -> None:
    """Which waits ever longer by itself."""
    expect(panel.get_by_label("Tool").get_by_role("option", name="Summarise")).to_be_attached()
    worker_of(extension).evaluate("() => { setTimeout = () => 1; }")
    mortal.kill()
    ask(panel, "Now")
    expect(edit(panel)).to_be_visible()
    mortal.start()
    unsent(panel).get_by_role("button", name="Try again").click()
    expect(log(panel)).to_contain_text("Fine.")
    expect(panel.locator("[data-part=notices]")).to_be_empty()
    kill_worker(panel)  # its clock stands still


def test_what_waits_is_told_without_its_context(panel: Page, mortal: LiveServer) -> None:
    mortal.kill()
    ask(panel, "Slim")
    expect(edit(panel)).to_be_visible()
    [told] = panel.evaluate(TOLD)
    assert sorted(told["envelope"]) == ["messages", "meta"]


def test_trying_again_leaves_the_focus_where_it_is(panel: Page, mortal: LiveServer) -> None:
    mortal.kill()
    ask(panel, "Steady")
    edit(panel).focus()
    panel.evaluate(TRIED_AGAIN)
    expect(edit(panel)).to_be_focused()


def test_of_several_each_can_be_edited(panel: Page, mortal: LiveServer) -> None:
    mortal.kill()
    ask(panel, "One")
    expect(edit(panel)).to_be_visible()
    ask(panel, "Two")
    expect(edit(panel).nth(1)).to_be_visible()
    expect(edit(panel).nth(0)).to_be_visible()


def test_what_was_written_for_another_server_waits_for_the_persons_word(
    panel: Page, extension: BrowserContext, mortal: LiveServer
) -> None:
    worker = worker_of(extension)
    worker.evaluate(KEEP, ["Elsewhere"])
    worker.evaluate(WRITTEN_FOR, ["Elsewhere", "https://other.example"])
    panel.evaluate("chrome.runtime.connect({ name: 'panel' })")
    ask(panel, "Here")
    expect(unsent(panel)).to_contain_text("This was written for https://other.example")
    assert count(mortal, "Elsewhere") == 0
    unsent(panel).get_by_role("button", name="Try again").click()
    until("it is posted", lambda: count(mortal, "Elsewhere") == 1)

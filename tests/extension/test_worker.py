"""The worker may die at any moment, and the server, too: nothing is lost, and nothing is posted twice."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.extension.conftest import HOME, pair_with, press_button
from tests.extension.test_panel import ask, chips, log, newest
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

Open = Callable[[str], Page]
POST = "entry => chrome.runtime.sendMessage({ act: 'post', entry })"
ALARMS = (
    "async () => (await chrome.alarms.getAll()).map(({ name, periodInMinutes }) => [name, periodInMinutes])"
)
RING = "() => chrome.alarms.create('outbox', { when: Date.now() + 500, periodInMinutes: 1 })"
NEXT = "async () => ((await chrome.alarms.get('outbox')).scheduledTime - Date.now()) / 1000"


def kill_worker(panel: Page) -> None:
    """As Chrome does when it likes."""
    session = panel.context.new_cdp_session(panel)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()


def unsent(panel: Page) -> Locator:
    return panel.locator("[data-part=unsent] article")


def outbox(panel: Page) -> list[Any]:
    kept = panel.evaluate("() => chrome.storage.local.get(null)")
    return [entry for key, entry in kept.items() if key.startswith("outbox.")]


def test_killing_it_ends_it(panel: Page, extension: BrowserContext) -> None:
    """Or else the tests below would show nothing."""
    listening = (
        "chrome.runtime.connect({ name: 'panel' }).onDisconnect.addListener(() => { window.lost = true; })"
    )
    panel.evaluate(listening)
    kill_worker(panel)
    panel.wait_for_function("() => window.lost")


def test_a_reply_goes_on_to_the_stored_text_after_the_worker_died(
    panel: Page, live: LiveServer, upstream: Upstream
) -> None:
    gates = [upstream.gate(), upstream.gate()]
    upstream.will_send(
        sse.chunk("One "), gates[0], sse.chunk("two "), gates[1], sse.chunk("three."), sse.finish()
    )
    ask(panel, "Count")
    expect(log(panel)).to_contain_text("One")
    kill_worker(panel)
    gates[0].open()
    expect(log(panel)).to_contain_text("One two")
    kill_worker(panel)
    gates[1].open()
    expect(log(panel)).to_contain_text("One two three.")
    expect(panel.get_by_role("button", name="Send")).to_be_visible()  # what streams may be stored later
    assert newest(live)[0]["content"] == "One two three."


def test_a_message_that_the_worker_died_over_is_posted_once(panel: Page, live: LiveServer) -> None:
    ask(panel, "Only once, please")
    kill_worker(panel)
    expect(log(panel)).to_contain_text("Fine.")
    expect(unsent(panel)).to_have_count(0)
    assert len(live.get("/api/conversations/?q=%22only+once+please%22").json["results"]) == 1
    assert outbox(panel) == []


def test_what_the_outbox_holds_goes_out_when_the_worker_starts(
    panel: Page, live: LiveServer, extension: BrowserContext
) -> None:
    """As if it had died before it could post, with no panel to tell it again."""
    expect(chips(panel)).to_have_count(2)
    entry = {
        "client_id": "left-behind",
        "conversation": None,
        "window": -1,
        "tab": None,
        "made": 1,
        "problem": None,
        "isRefused": False,
        "envelope": {
            "meta": {"client_id": "left-behind"},
            "messages": [{"role": "user", "content": "Left behind"}],
        },
    }
    panel.evaluate("entry => chrome.storage.local.set({ 'outbox.left-behind': entry })", entry)
    kill_worker(panel)
    until("it is posted", lambda: live.get("/api/conversations/?q=%22left+behind%22").json["results"])
    until("it is forgotten", lambda: outbox(panel) == [])


class TestTheServerIsDown:
    @pytest.fixture
    def panel(
        self, extension: BrowserContext, mortal: LiveServer, upstream: Upstream, tides: Page, open_page: Open
    ) -> Page:
        mortal.add_provider(upstream, is_default=True)
        pair_with(extension, mortal)
        press_button(extension)
        return open_page("panel/panel.html")

    def test_the_message_waits_and_goes_out_once_it_is_back(self, panel: Page, mortal: LiveServer) -> None:
        expect(chips(panel)).to_have_count(2)
        mortal.kill()
        ask(panel, "Patience")
        expect(unsent(panel)).to_contain_text("AskWeb can't be reached")
        mortal.start()
        panel.get_by_role("button", name="Try again").click()
        expect(log(panel)).to_contain_text("Fine.", timeout=20_000)
        expect(unsent(panel)).to_have_count(0)
        assert len(mortal.get("/api/conversations/?q=patience").json["results"]) == 1

    def test_it_can_be_edited_meanwhile(self, panel: Page, mortal: LiveServer) -> None:
        expect(chips(panel)).to_have_count(2)
        mortal.kill()
        ask(panel, "Not like this")
        unsent(panel).get_by_role("button", name="Edit").click()
        expect(panel.get_by_label("Your message")).to_have_value("Not like this")
        assert outbox(panel) == []


class TestNoPanelIsOpen:
    """The alarm is real, and its minute is cut short once the worker is dead."""

    @pytest.fixture
    def options(
        self, extension: BrowserContext, mortal: LiveServer, upstream: Upstream, open_page: Open
    ) -> Page:
        """A page of the extension's that keeps no worker alive, with a message that found the server dead."""
        mortal.add_provider(upstream, is_default=True)
        pair_with(extension, mortal)
        mortal.kill()
        options = open_page("options/options.html")
        entry = {"client_id": "alone", "conversation": None, "window": -1, "tab": None, "made": 1}
        envelope = {"meta": {"client_id": "alone"}, "messages": [{"role": "user", "content": "All alone"}]}
        options.evaluate(POST, entry | {"envelope": envelope})
        until("it is held", lambda: outbox(options)[0]["problem"])
        return options

    def test_an_alarm_starts_the_worker_that_died(self, options: Page, mortal: LiveServer) -> None:
        assert options.evaluate(ALARMS) == [["outbox", 1]]
        kill_worker(options)
        mortal.start()
        options.evaluate(RING)
        until("it is posted", lambda: outbox(options) == [])
        assert len(mortal.get("/api/conversations/?q=%22all+alone%22").json["results"]) == 1
        until("it is answered", lambda: newest(mortal)[0]["content"] == "Fine.")
        until("nobody is woken any more", lambda: options.evaluate(ALARMS) == [])

    def test_it_rings_again_while_the_server_is_down(self, options: Page, mortal: LiveServer) -> None:
        kill_worker(options)
        options.evaluate(RING)
        until("it rang", lambda: options.evaluate(NEXT) > 30)
        assert options.evaluate(ALARMS) == [["outbox", 1]]
        options.evaluate("() => chrome.runtime.sendMessage({ act: 'withdraw', client_id: 'alone' })")


def test_a_revoked_token_is_told_and_the_message_kept_till_paired_again(
    extension: BrowserContext, live: LiveServer, provider: str, tides: Page, open_page: Open
) -> None:
    pair_with(extension, live, token="askweb_revoked")
    press_button(extension)
    panel = open_page("panel/panel.html")
    expect(panel.get_by_text("The server does not know this browser any more").first).to_be_visible()
    panel.get_by_label("Your message").fill("Kept")
    panel.keyboard.press("Enter")
    expect(unsent(panel)).to_contain_text("Kept")
    until("nobody is woken for it", lambda: panel.evaluate(ALARMS) == [])
    with extension.expect_page() as opened:
        panel.get_by_role("button", name="Pair again").click()
    assert opened.value.url == f"{HOME}/options/options.html"
    pair_with(extension, live)
    expect(log(panel)).to_contain_text("Fine.")
    expect(panel.get_by_text("does not know this browser")).to_have_count(0)


def test_being_unpaired_is_told(extension: BrowserContext, open_page: Open) -> None:
    panel = open_page("panel/panel.html")
    expect(panel.get_by_text("This browser is not paired with an AskWeb server yet.").first).to_be_visible()
    expect(panel.get_by_role("button", name="Pair").first).to_be_visible()


def test_more_than_the_server_takes_is_told(
    extension: BrowserContext, new_server: MakeServer, tides: Page, open_page: Open
) -> None:
    small = new_server(ASKWEB_BODY_LIMIT="3000")
    small.start()
    pair_with(extension, small)
    press_button(extension)
    panel = open_page("panel/panel.html")
    ask(panel, "x" * 4000)
    expect(unsent(panel)).to_contain_text("This is more than the server takes.")
    assert outbox(panel)[0]["isRefused"]


def test_more_than_chrome_keeps_is_told(panel: Page) -> None:
    told = panel.evaluate(
        """() => {
          const context = [{ id: "page", content: "x".repeat(11_000_000) }];
          const entry = { client_id: "big", envelope: { context, messages: [] } };
          return chrome.runtime.sendMessage({ act: "post", entry });
        }"""
    )
    assert told["problem"]["message"].startswith("Chrome keeps no more for AskWeb.")
    assert outbox(panel) == []

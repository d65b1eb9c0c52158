"""The worker's one socket: it is that of the server that is paired now."""

import signal
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import pair_with, press_button
from tests.extension.test_panel import ask, chips, log
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream

Open = Callable[[str], Page]
OPEN = """async () => {
  const { Socket } = await import("/worker/socket.js");
  window.told = [];
  window.socket = new Socket((what) => told.push(what.status ?? what.problem?.code ?? "frame"));
  socket.open();
}"""
AGAIN = "() => { socket.close(); socket.open(); }"
PAUSE = 1_000  # milliseconds, in which a socket could open


def test_a_ticket_of_the_server_before_opens_nothing(
    extension: BrowserContext, mortal: LiveServer, new_server: MakeServer, open_page: Open
) -> None:
    other = new_server()
    other.start()
    page = open_page("options/options.html")
    pair_with(extension, mortal)
    pair_with(extension, other)
    mortal.signal(signal.SIGSTOP)
    other.signal(signal.SIGSTOP)
    pair_with(extension, mortal)
    page.evaluate(OPEN)
    page.wait_for_timeout(PAUSE)
    pair_with(extension, other)
    page.evaluate(AGAIN)
    mortal.signal(signal.SIGCONT)
    page.wait_for_timeout(PAUSE)
    assert page.evaluate("told") == []
    other.signal(signal.SIGCONT)
    page.wait_for_function("() => told.join() === 'open'")


def test_that_stop_did_not_reach_the_server_is_told(
    extension: BrowserContext, mortal: LiveServer, upstream: Upstream, tides: Page, open_page: Open
) -> None:
    mortal.add_provider(upstream, is_default=True)
    pair_with(extension, mortal)
    press_button(extension)
    panel = open_page("panel/panel.html")
    faults: list[str] = []
    panel.on("pageerror", lambda error: faults.append(error.message))
    expect(chips(panel)).to_have_count(2)
    upstream.will_send(sse.chunk("So far"), upstream.gate())
    ask(panel, "Go on for ever")
    expect(log(panel)).to_contain_text("So far")
    mortal.kill()
    panel.get_by_role("button", name="Stop").click()
    expect(panel.locator("[data-part=notices]")).to_contain_text("AskWeb can't be reached")
    panel.wait_for_timeout(PAUSE)
    assert faults == []
    mortal.start()
    expect(log(panel)).to_contain_text("The server was stopped", timeout=40_000)
    expect(panel.locator("[data-part=notices]")).to_be_empty()

"""A host that is blocked while the panel shows a page of it: from then on nothing of it is read, sent or shown."""

import pytest
from playwright.sync_api import Page, expect

from tests.extension.conftest import TIDES
from tests.extension.test_panel import ask, chips, log, newest
from tests.extension.test_ways_in import blocking, said
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

__all__ = ["blocking"]
HIGHLIGHT = """async (url) => {
  const [{ id: tab }] = await chrome.tabs.query({ url });
  return chrome.runtime.sendMessage({ act: "highlight", tab, part: { xpath: "p[id=sun]", digest: "The sun" } });
}"""


@pytest.fixture
def taken(panel: Page) -> Page:
    expect(chips(panel)).to_have_count(2)
    return panel


def test_it_does_not_go_along_and_the_words_stay(
    taken: Page, request: pytest.FixtureRequest, live: LiveServer
) -> None:
    request.getfixturevalue("blocking")
    ask(taken, "Is it still there?")
    said(taken, "You have blocked 127.0.0.1")
    expect(chips(taken)).to_have_count(0)
    expect(taken.get_by_label("Your message")).to_have_value("Is it still there?")
    taken.keyboard.press("Enter")
    expect(log(taken)).to_contain_text("Fine.")
    assert newest(live)[1]["context"] == []


def test_a_citation_reads_nothing_of_it(
    taken: Page, upstream: Upstream, request: pytest.FixtureRequest
) -> None:
    taken.get_by_label("Tool").select_option("find-on-page")
    upstream.will_send(sse.chunk("Here [3]."), sse.finish())
    ask(taken, "Where is the sun?")
    expect(taken.get_by_role("link", name="[3]")).to_be_visible()
    request.getfixturevalue("blocking")
    taken.get_by_role("link", name="[3]").click()
    said(taken, "You have blocked 127.0.0.1")
    assert taken.evaluate(HIGHLIGHT, TIDES)["problem"]["code"] == "page_blocked"

"""Questions stand in a reply where the model asked them: while they wait, once they are answered, and for ever."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.live.asking import OFFERED
from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import button

PIECES = """node => [...node.children].map(each => each.dataset.part === "open" ? each.firstElementChild : each)
  .map(each => each.matches(".summary") ? `? ${each.querySelector("dl").textContent.trim()}` : each.textContent)"""


@pytest.fixture
def asked(page: Page, live: LiveServer, upstream: Upstream) -> Asked:
    """A reply that asks in its middle and waits."""
    provider = live.add_provider(upstream, is_default=True)
    upstream.will_send(sse.chunk("Let me see."), *sse.calls(sse.call("ask_user", OFFERED)))
    upstream.will_send(*sse.reply("Off it goes."))
    asked = live.ask(provider, "Deploy")
    page.goto(f"/conversations/{asked.conversation}/")
    expect(button(page, "Submit")).to_be_visible()
    return asked


def text(page: Page) -> Locator:
    return page.get_by_role("article", name="Answer").locator("[data-part=text]")


def test_while_it_waits_a_summary_says_so_in_its_place(page: Page, live: LiveServer, asked: Asked) -> None:
    expect(text(page).get_by_role("group", name="Your answers")).to_contain_text("waiting for an answer")
    assert text(page).evaluate(PIECES) == ["Let me see.", "? Target: waiting for an answer"]
    live.post(f"/api/runs/{asked.run}/stop/")


def test_the_answer_stands_between_the_words_before_and_after(
    page: Page, live: LiveServer, asked: Asked
) -> None:
    page.get_by_label("Production").check()
    button(page, "Submit").click()
    live.ended(asked.run)
    expect(text(page)).to_contain_text("Off it goes.")
    expect(text(page).get_by_role("group")).to_contain_text("Production")
    expected = ["Let me see.", "? Target: Production", "Off it goes."]
    assert text(page).evaluate(PIECES) == expected
    page.reload()
    assert text(page).evaluate(PIECES) == expected


def test_that_a_function_asks_is_not_told_twice(page: Page, live: LiveServer, asked: Asked) -> None:
    page.get_by_label("Production").check()
    button(page, "Submit").click()
    live.ended(asked.run)
    page.reload()
    expect(page.get_by_role("article", name="Answer")).not_to_contain_text("ask_user")

"""Answers and questions once more, beside the first ones: arrows between them, forms in their places."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import composer, faults


@pytest.fixture
def asked(live: LiveServer, upstream: Upstream) -> Asked:
    """A question that was answered."""
    provider = live.add_provider(upstream, is_default=True)
    upstream.will_send(*sse.reply("First answer."))
    asked = live.ask(provider, "First words")
    live.ended(asked.run)
    return asked


def show(page: Page, asked: Asked) -> None:
    page.goto(f"/conversations/{asked.conversation}/")
    expect(page.locator("connection-status")).to_be_empty()


def reply(page: Page) -> Locator:
    return page.get_by_role("article", name="Answer").last


def question(page: Page) -> Locator:
    return page.get_by_role("article", name="You").first


def button(within: Locator, name: str) -> Locator:
    return within.get_by_role("button", name=name, exact=True)


def regenerated(page: Page, live: LiveServer, upstream: Upstream, asked: Asked) -> None:
    show(page, asked)
    upstream.will_send(*sse.reply("Second answer."))
    button(reply(page), "Regenerate").click()
    expect(reply(page)).to_contain_text("Second answer.")
    expect(reply(page)).to_contain_text("2/2")


def test_arrows_lead_to_the_answer_before_and_back(
    page: Page, live: LiveServer, upstream: Upstream, asked: Asked
) -> None:
    regenerated(page, live, upstream, asked)
    expect(page.get_by_role("article", name="Answer")).to_have_count(1)
    button(reply(page), "Version before").press("Enter")
    expect(reply(page)).to_contain_text("First answer.")
    expect(button(reply(page), "Version after")).to_be_focused()
    button(reply(page), "Version after").press("Enter")
    expect(reply(page)).to_contain_text("Second answer.")


def test_other_tabs_show_the_chosen_branch(
    page: Page, live: LiveServer, upstream: Upstream, asked: Asked
) -> None:
    regenerated(page, live, upstream, asked)
    other = page.context.new_page()
    show(other, asked)
    expect(reply(other)).to_contain_text("Second answer.")
    button(reply(page), "Version before").click()
    expect(reply(other)).to_contain_text("First answer.")
    expect(reply(other)).to_contain_text("1/2")


def test_another_tool_answers_from_a_dialog(
    page: Page, live: LiveServer, upstream: Upstream, asked: Asked
) -> None:
    show(page, asked)
    upstream.next_call()
    upstream.will_send(*sse.reply("An explanation."))
    reply(page).get_by_role("link", name="Regenerate with…").click()
    page.get_by_label("Tool").last.select_option("explain")
    button(page.get_by_role("dialog"), "Answer again").click()
    expect(reply(page)).to_contain_text("An explanation.")
    assert "First words" in upstream.next_call().body["messages"][-1]["content"]
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_is_typed_into_an_edit_survives_a_reload_and_is_asked(
    page: Page, live: LiveServer, upstream: Upstream, asked: Asked
) -> None:
    show(page, asked)
    question(page).get_by_role("link", name="Edit").click()
    words = question(page).get_by_label("The question in other words")
    expect(words).to_have_value("First words")
    words.fill("Other words")
    page.reload()
    expect(words).to_have_value("Other words")
    upstream.will_send(*sse.reply("Another answer."))
    words.press("Control+Enter")
    expect(reply(page)).to_contain_text("Another answer.")
    expect(question(page)).to_contain_text("Other words")
    expect(question(page)).to_contain_text("2/2")
    expect(composer(page)).to_be_focused()


def test_escape_cancels_an_edit(page: Page, live: LiveServer, asked: Asked) -> None:
    show(page, asked)
    question(page).get_by_role("link", name="Edit").click()
    words = question(page).get_by_label("The question in other words")
    words.fill("Never mind")
    words.press("Escape")
    expect(words).to_have_count(0)
    expect(question(page).get_by_role("link", name="Edit")).to_be_focused()
    expect(question(page)).to_contain_text("First words")
    page.reload()
    expect(words).to_have_count(0)


def test_an_answer_that_was_stopped_goes_on_where_it_broke_off(
    page: Page, live: LiveServer, upstream: Upstream, asked: Asked
) -> None:
    upstream.will_send(sse.chunk("Half a "), upstream.gate(), sse.finish())
    show(page, asked)
    composer(page).fill("More")
    composer(page).press("Enter")
    expect(reply(page)).to_contain_text("Half a")
    page.get_by_role("button", name="Stop").click()
    upstream.will_send(*sse.reply("loaf."))
    button(reply(page), "Continue").click()
    expect(reply(page).locator("[data-part=text]")).to_have_text("Half a loaf.")
    expect(button(reply(page), "Continue")).to_have_count(0)
    expect(page.get_by_role("article", name="Answer")).to_have_count(2)


def test_what_can_not_be_done_now_is_said_in_words(
    inspected: Page, live: LiveServer, upstream: Upstream, asked: Asked
) -> None:
    gate = upstream.gate()
    upstream.will_send(gate, *sse.reply("Later."))
    show(inspected, asked)
    composer(inspected).fill("More")
    composer(inspected).press("Enter")
    expect(inspected.get_by_role("button", name="Stop")).to_be_visible()
    button(inspected.get_by_role("article", name="Answer").first, "Regenerate").click()
    expect(inspected.get_by_role("alert").filter(has_text="still")).to_be_visible()
    gate.open()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_faults_with_versions_an_edit_and_a_dialog(
    inspected: Page, live: LiveServer, upstream: Upstream, asked: Asked, scheme: str
) -> None:
    inspected.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    regenerated(inspected, live, upstream, asked)
    assert faults(inspected, ".transcript") == []
    question(inspected).get_by_role("link", name="Edit").click()
    expect(question(inspected).get_by_label("The question in other words")).to_be_focused()
    assert faults(inspected, ".transcript") == []
    reply(inspected).get_by_role("link", name="Regenerate with…").click()
    expect(inspected.get_by_role("dialog")).to_be_visible()
    assert faults(inspected, "dialog") == []

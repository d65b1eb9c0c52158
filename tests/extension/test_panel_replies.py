"""Replies in the panel: what was asked and answered in them, and the reasoning before them."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.extension.test_panel import ask, log, newest
from tests.live.asking import OFFERED
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import TARGET, expire, faults
from tests.ui.asked import ask as put
from tests.ui.test_summaries_in_replies import PIECES


def replies(panel: Page) -> Locator:
    return log(panel).get_by_role("article", name="AskWeb")


def text(panel: Page) -> Locator:
    return replies(panel).last.locator("[data-part=text]")


def summaries(panel: Page) -> Locator:
    return panel.get_by_role("group", name="Your answers")


def act(panel: Page, name: str) -> Locator:
    return log(panel).get_by_role("button", name=name, exact=True)


def submit(panel: Page) -> None:
    panel.get_by_role("button", name="Submit").click()


@pytest.fixture
def asking(panel: Page, upstream: Upstream) -> Page:
    """The panel with a reply that asks in its middle and waits."""
    upstream.will_send(sse.chunk("Let me see."), *sse.calls(sse.call("ask_user", OFFERED)))
    upstream.will_send(*sse.reply("Off it goes."))
    ask(panel, "Deploy")
    expect(panel.get_by_role("button", name="Submit")).to_be_visible()
    return panel


def test_while_questions_wait_a_summary_says_so_in_its_place(asking: Page) -> None:
    expect(summaries(asking)).to_contain_text("waiting for an answer")
    assert text(asking).evaluate(PIECES) == ["Let me see.", "? Target: waiting for an answer"]
    asking.get_by_role("button", name="Stop").click()
    expect(summaries(asking)).to_contain_text("cancelled")


def test_an_answer_stands_between_the_words_before_and_after(asking: Page) -> None:
    asking.get_by_label("Production").check()
    submit(asking)
    expect(text(asking)).to_contain_text("Off it goes.")
    expect(summaries(asking)).to_contain_text("Answered by you: browser extension, tests")
    expected = ["Let me see.", "? Target: Production", "Off it goes."]
    assert text(asking).evaluate(PIECES) == expected
    asking.reload()
    expect(summaries(asking)).to_contain_text("Production")
    assert text(asking).evaluate(PIECES) == expected


def test_what_was_skipped_and_what_ran_out_say_so(asking: Page, live: LiveServer) -> None:
    asking.get_by_role("button", name="Skip").click()
    expect(summaries(asking)).to_contain_text("Target: skipped")
    expect(text(asking)).to_contain_text("Off it goes.")
    expire(live, put(live, TARGET, conversation=newest(live)[0]["conversation"]))
    expect(summaries(asking).last).to_contain_text("Target: not answered in time")


def test_what_a_script_asked_stands_after_the_message_before(panel: Page, live: LiveServer) -> None:
    ask(panel, "Release it")
    expect(log(panel)).to_contain_text("Fine.")
    asked = put(live, TARGET, conversation=newest(live)[0]["conversation"])
    panel.get_by_label("Staging").check()
    submit(panel)
    expect(replies(panel).last.get_by_role("group")).to_contain_text("Target: Staging")
    ask(panel, "And now?")
    expect(replies(panel)).to_have_count(2)
    panel.reload()
    expect(replies(panel).first.locator(f"[data-set='{asked['id']}']")).to_be_visible()
    expect(summaries(panel)).to_have_count(1)


def test_reasoning_is_folded_above_the_reply(panel: Page, upstream: Upstream) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("", reasoning_content="The moon first."), gate, *sse.reply("Twice."))
    ask(panel, "How often?")
    expect(replies(panel).get_by_text("Reasoning")).to_be_visible()
    gate.open()
    expect(text(panel)).to_have_text("Twice.")
    expect(panel.get_by_text("The moon first.")).to_be_hidden()
    replies(panel).get_by_text("Reasoning").press("Enter")
    expect(panel.get_by_text("The moon first.")).to_be_visible()


@pytest.fixture
def answered(asking: Page, upstream: Upstream) -> Page:
    """The reply has gone on from an answer, which is about to be changed."""
    asking.get_by_label("Production").check()
    submit(asking)
    expect(text(asking)).to_contain_text("Off it goes.")
    upstream.will_send(*sse.reply("Staging it is."))
    asking.get_by_role("button", name="Change answer").press("Enter")
    expect(asking.get_by_label("Production")).to_be_focused()
    return asking


def test_an_answer_is_changed_on_a_branch_beside_the_first(answered: Page) -> None:
    expect(answered.get_by_label("Production")).to_be_checked()
    answered.get_by_label("Staging").check()
    submit(answered)
    expect(text(answered)).to_contain_text("Staging it is.")
    expect(summaries(answered)).to_contain_text("Target: Staging")
    expect(log(answered).locator(".branches__place")).to_have_text("2 / 2")
    expect(answered.get_by_label("Your message")).to_be_focused()


def test_cancel_leaves_the_answer_as_it_was(answered: Page) -> None:
    cards = answered.locator("askweb-question-cards")
    expect(cards.get_by_text("Time left")).to_be_hidden()
    cards.get_by_role("button", name="Cancel").click()
    expect(cards).to_have_count(0)
    expect(summaries(answered)).to_contain_text("Target: Production")
    expect(answered.get_by_label("Your message")).to_be_focused()


def test_an_answer_of_ones_own_is_not_told_as_somebody_elses(panel: Page, live: LiveServer) -> None:
    ask(panel, "Release it")
    expect(act(panel, "Regenerate")).to_be_visible()
    put(live, TARGET, conversation=newest(live)[0]["conversation"])
    panel.get_by_label("Staging").check()
    submit(panel)
    expect(panel.locator("[data-part=announcer]")).to_have_text("Your answer was sent.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_reply_with_all_there_is_has_no_faults(answered: Page, scheme: str) -> None:
    answered.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    answered.set_viewport_size({"width": 360, "height": 720})
    assert faults(answered) == []
    assert answered.evaluate("document.documentElement.scrollWidth <= innerWidth")

"""In the panel, too, an answer is written anew or to its end, a question is edited, and one goes from branch to branch."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.extension.test_panel import ask, log, newest
from tests.extension.test_panel_replies import act, replies, text
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream


def questions(panel: Page) -> Locator:
    return log(panel).get_by_role("article", name="You")


def version(panel: Page, place: str) -> None:
    expect(log(panel).locator(".branches__place")).to_have_text(place)


@pytest.fixture
def answered(panel: Page, upstream: Upstream) -> Page:
    upstream.will_send(*sse.reply("Twice."))
    ask(panel, "How often?")
    expect(act(panel, "Regenerate")).to_be_visible()
    return panel


def test_regenerate_has_it_answered_again_beside_the_first(
    answered: Page, live: LiveServer, upstream: Upstream
) -> None:
    upstream.will_send(*sse.reply("Two times."))
    act(answered, "Regenerate").click()
    expect(text(answered)).to_have_text("Two times.")
    version(answered, "2 / 2")
    act(answered, "Version before").click()
    expect(text(answered)).to_have_text("Twice.")
    version(answered, "1 / 2")
    assert (
        live.get(f"/api/conversations/{newest(live)[0]['conversation']}/").json["head"]
        == newest(live)[1]["id"]
    )


def test_a_branch_that_was_gone_to_by_key_keeps_the_focus(answered: Page) -> None:
    act(answered, "Regenerate").press("Enter")
    version(answered, "2 / 2")
    act(answered, "Version before").press("Enter")
    version(answered, "1 / 2")
    expect(act(answered, "Version after")).to_be_focused()
    answered.keyboard.press("Enter")
    version(answered, "2 / 2")


def test_the_newest_question_is_edited_and_asked_with_the_same_context(
    answered: Page, live: LiveServer
) -> None:
    act(answered, "Edit").press("Enter")
    words = answered.get_by_label("The question in other words")
    expect(words).to_be_focused()
    words.fill("How often a day?")
    answered.keyboard.press("Control+Enter")
    expect(text(answered)).to_have_text("Fine.")
    expect(questions(answered)).to_contain_text("How often a day?")
    expect(questions(answered).locator(".branches__place")).to_have_text("2 / 2")
    new, old = [each for each in newest(live) if each["role"] == "user"]
    assert new["context"] == old["context"] != []


def test_escape_leaves_the_question_as_it_was(answered: Page) -> None:
    act(answered, "Edit").click()
    answered.keyboard.type(" No.")
    answered.keyboard.press("Escape")
    expect(questions(answered)).to_contain_text("How often?")
    expect(act(answered, "Edit")).to_be_focused()


def test_words_that_are_refused_stay_in_the_form(answered: Page, upstream: Upstream) -> None:
    act(answered, "Edit").click()
    answered.get_by_label("The question in other words").fill("Once more?")
    answered.context.set_offline(True)
    act(answered, "Save and ask").click()
    expect(log(answered).get_by_role("alert")).to_contain_text("can't be reached")
    expect(answered.get_by_label("The question in other words")).to_have_value("Once more?")
    answered.context.set_offline(False)
    act(answered, "Save and ask").click()
    expect(questions(answered)).to_contain_text("Once more?")
    expect(text(answered)).to_have_text("Fine.")


def test_an_answer_that_was_stopped_goes_on(panel: Page, live: LiveServer, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("The tide"), upstream.gate())
    ask(panel, "Go on")
    expect(text(panel)).to_contain_text("The tide")
    panel.get_by_role("button", name="Stop").click()
    upstream.will_send(*sse.reply(" comes twice."))
    act(panel, "Continue").click()
    expect(text(panel)).to_have_text("The tide comes twice.")
    expect(act(panel, "Continue")).to_be_hidden()
    assert newest(live)[0]["state"] == "complete"


def test_an_answer_that_was_cut_says_so_and_goes_on(panel: Page, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("The tide"), sse.finish("length"))
    ask(panel, "Go on")
    expect(replies(panel).last).to_contain_text("The answer was cut off")
    upstream.will_send(*sse.reply(" comes twice."))
    act(panel, "Continue").click()
    expect(text(panel)).to_have_text("The tide comes twice.")
    expect(replies(panel).last).not_to_contain_text("The answer was cut off")


def test_a_question_whose_answer_failed_can_be_asked_again(panel: Page, upstream: Upstream) -> None:
    upstream.will_send(
        b'{"error": {"message": "No such model."}}', status=404, content_type="application/json"
    )
    ask(panel, "How often?")
    expect(replies(panel).last).to_contain_text("No such model.")
    act(panel, "Ask again").click()
    expect(panel.get_by_label("Your message")).to_have_value("How often?")
    expect(panel.get_by_label("Your message")).to_be_focused()


def test_an_answer_is_copied_as_it_was_written(panel: Page, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("**Twice** a day."))
    ask(panel, "How often?")
    replies(panel).get_by_role("button", name="Copy").click()
    expect(replies(panel).get_by_role("button", name="Copied")).to_be_visible()
    panel.get_by_label("Your message").press("Control+v")
    expect(panel.get_by_label("Your message")).to_have_value("**Twice** a day.")


def test_only_the_newest_answer_and_question_are_asked_anew(answered: Page) -> None:
    ask(answered, "And now?")
    expect(replies(answered)).to_have_count(2)
    expect(act(answered, "Regenerate")).to_have_count(1)
    expect(act(answered, "Edit")).to_have_count(1)
    expect(act(answered, "Copy")).to_have_count(2)


def test_nothing_is_asked_anew_while_an_answer_is_written(answered: Page, upstream: Upstream) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("So far"), gate, sse.finish())
    ask(answered, "And now?")
    expect(text(answered)).to_contain_text("So far")
    expect(act(answered, "Edit")).to_have_count(0)
    gate.open()
    expect(act(answered, "Edit")).to_have_count(1)


def test_what_could_not_be_asked_anew_is_told_until_one_goes_elsewhere(answered: Page) -> None:
    answered.context.set_offline(True)
    act(answered, "Regenerate").click()
    told = answered.locator("[data-part=notices]").get_by_text("can't be reached")
    expect(told).to_be_visible()
    answered.context.set_offline(False)
    expect(act(answered, "Regenerate")).to_be_visible()
    answered.get_by_role("button", name="New conversation").click()
    expect(told).to_have_count(0)

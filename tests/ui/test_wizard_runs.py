"""The wizard in a conversation whose model asks: suggestions, the preview, and answers that are changed."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stand_ins import sse
from tests.stand_ins.browser import signed_in_tab
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import button, composer, panel
from tests.waiting import until

XML = (
    "Well. <ask_followup_question><question>Which **file** first?</question>",
    "<follow_up><suggest>main.py</suggest><suggest>README.md</suggest></follow_up></ask_followup_question>",
)


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    return live.add_provider(upstream, is_default=True)


def ask_for_something(live: LiveServer, provider: str, upstream: Upstream) -> Asked:
    upstream.will_send(sse.chunk(XML[0]), sse.chunk(XML[1]), sse.finish())
    upstream.will_send(*sse.reply("As you say."))
    return live.ask(provider, "Change something")


def ask_a_model_that_asks(page: Page, live: LiveServer, provider: str, upstream: Upstream) -> Asked:
    asked = ask_for_something(live, provider, upstream)
    page.goto(f"/conversations/{asked.conversation}/")
    expect(button(page, "README.md")).to_be_visible()
    return asked


def test_a_suggestion_is_sent_on_click_and_the_run_goes_on(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    ask_a_model_that_asks(page, live, provider, upstream)
    button(page, "README.md").click()
    reply = page.get_by_role("article", name="Answer")
    expect(reply).to_contain_text("As you say.")
    expect(reply.get_by_role("group", name="Your answers")).to_contain_text("README.md")
    expect(panel(page)).to_have_count(0)


def test_the_pencil_puts_a_suggestion_behind_the_draft(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    asked = ask_a_model_that_asks(page, live, provider, upstream)
    button(page, "main.py").press("Escape")
    composer(page).fill("First of all")
    panel(page).get_by_role("button", name=re.compile("Question")).click()
    button(page, "Put into the composer: main.py").click()
    expect(composer(page)).to_be_focused()
    expect(composer(page)).to_have_value("First of all\nmain.py")
    composer(page).fill("")
    live.post(f"/api/runs/{asked.run}/stop/")


def test_a_message_while_it_is_collapsed_answers(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    asked = ask_a_model_that_asks(page, live, provider, upstream)
    button(page, "main.py").press("Escape")
    composer(page).fill("both of them")
    composer(page).press("Enter")
    expect(page.get_by_role("article", name="Answer")).to_contain_text("As you say.")
    expect(composer(page)).to_have_value("")
    live.ended(asked.run)


def test_an_answer_can_be_changed_with_what_was_given_at_hand(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    ask_a_model_that_asks(page, live, provider, upstream)
    panel(page).get_by_role("textbox", name="Your own answer").fill("Neither")
    button(page, "Submit").click()
    page.get_by_role("link", name="Change answer").click()
    expect(panel(page).get_by_role("textbox", name="Your own answer")).to_have_value("Neither")
    upstream.will_send(*sse.reply("On second thoughts, then."))
    button(page, "main.py").click()
    expect(panel(page)).to_have_count(0)
    reply = page.get_by_role("article", name="Answer")
    expect(reply).to_contain_text("On second thoughts")
    expect(reply.get_by_role("group", name="Your answers")).to_contain_text("main.py")


def test_without_scripts_an_answer_is_changed_in_a_form(
    browser: Browser, session_cookie: str, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    with (
        browser.new_context(base_url=live.url, java_script_enabled=False) as window,
        signed_in_tab(window, live.url, session_cookie) as page,
    ):
        asked = ask_for_something(live, provider, upstream)
        until("it asks", lambda: live.run(asked.run)["state"] == "waiting")
        page.goto(f"/conversations/{asked.conversation}/")
        button(page, "README.md").click()
        live.ended(asked.run)
        page.goto(f"/conversations/{asked.conversation}/")
        upstream.will_send(*sse.reply("On second thoughts, then."))
        page.get_by_role("link", name="Change answer").click()
        button(page, "main.py").click()
        expect(page.get_by_role("group", name="Your answers")).to_contain_text("main.py")
        until("it goes on", lambda: page.reload() and "On second thoughts" in page.content())


def test_a_question_is_shown_while_it_is_written_and_never_as_xml(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    gate = upstream.gate()
    upstream.will_send(
        sse.chunk(XML[0].removesuffix("</question>")), gate, sse.chunk("</question>" + XML[1]), sse.finish()
    )
    asked = live.ask(provider, "Change something")
    page.goto(f"/conversations/{asked.conversation}/")
    page.reload()
    gate.open()
    expect(button(page, "README.md")).to_be_visible()
    expect(page.locator("[data-part=preview]")).to_be_hidden()
    expect(page.get_by_role("article", name="Answer")).not_to_contain_text("<")
    live.post(f"/api/runs/{asked.run}/stop/")


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_before_the_first_words_things_move_only_for_who_likes_it(
    page: Page, live: LiveServer, provider: str, upstream: Upstream, motion: Any, moves: bool
) -> None:
    gate = upstream.gate()
    upstream.will_send(gate, *sse.reply("Done."))
    asked = live.ask(provider, "Change something")
    page.emulate_media(reduced_motion=motion)
    page.goto(f"/conversations/{asked.conversation}/")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert bool(page.evaluate("document.getAnimations().length")) is moves
    gate.open()


def test_a_set_of_a_stopped_run_is_told_to_be_cancelled(
    inspected: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    """A draft that comes too late is refused, which the browser's console tells."""
    asked = ask_a_model_that_asks(inspected, live, provider, upstream)
    panel(inspected).get_by_role("textbox", name="Your own answer").fill("Half a word")
    live.post(f"/api/runs/{asked.run}/stop/")
    expect(inspected.locator("[data-part=outcome]")).to_contain_text("cancelled")
    expect(inspected.get_by_label("What you typed was not sent:")).to_have_value("Half a word")


def test_a_reply_that_waits_for_a_tools_question_does_not_look_as_if_it_came(
    page: Page, live: LiveServer, provider: str
) -> None:
    asked = live.ask(provider, "Moon", tool="translate")
    page.goto(f"/conversations/{asked.conversation}/")
    expect(panel(page)).to_be_visible()
    text = page.get_by_role("article", name="Answer").locator("[data-part=text]")
    assert text.evaluate("node => getComputedStyle(node, '::after').content") == "none"
    panel(page).get_by_label("日本語").check()
    button(page, "Submit").click()
    expect(text).to_contain_text("Fine.")

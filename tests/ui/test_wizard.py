"""The wizard in Chromium: one question at a time, nothing lost, closed only once the server has confirmed.

Names end with the number of the life-cycle check they cover.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.stand_ins.browser import signed_in_tab
from tests.stand_ins.server import LiveServer
from tests.ui.asked import (
    CHECKS,
    TARGET,
    THREE,
    announced,
    ask,
    ask_on,
    button,
    composer,
    expire,
    other,
    outcome,
    own_answer,
    panel,
    stored,
)

WORDS = " ".join(f"word{n}" for n in range(200))


@pytest.fixture
def any_page(window: BrowserContext, live: LiveServer, session_cookie: str) -> Iterator[Page]:
    """A tab whose console may say that a request failed."""
    with signed_in_tab(window, live.url, session_cookie) as tab:
        yield tab


def keep_draft(page: Page) -> Any:
    return page.expect_response(lambda response: response.url.endswith("/draft/"))


def test_it_asks_one_question_at_a_time_and_sends_after_a_review(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live, *THREE)
    expect(panel(page).locator("fieldset:visible")).to_have_count(1)
    page.get_by_label("Staging").check()
    button(page, "Next").click()
    page.get_by_label("Lint").check()
    page.get_by_label("Types").check()
    button(page, "Next").click()
    button(page, "Next").click()
    expect(panel(page).get_by_text("Lint, Types")).to_be_visible()
    button(page, "Submit").click()
    expect(panel(page)).to_have_count(0)
    answers = stored(live, asked)["answers"]
    assert [each["value"] for each in answers["deploy_target"]] == ["Staging (Recommended)"]
    assert [each["value"] for each in answers["checks"]] == ["Lint", "Types"]


def test_choosing_neither_sends_nor_goes_on(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live, *THREE)
    page.get_by_label("Production").check()
    expect(panel(page).get_by_text("1/3")).to_be_visible()
    assert stored(live, asked)["status"] == "pending"


def test_nothing_is_chosen_beforehand_and_recommended_is_a_badge(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    expect(panel(page).locator(":checked")).to_have_count(0)
    expect(panel(page).locator(".badge")).to_have_text("Recommended")
    expect(page.get_by_label("Staging")).to_have_accessible_description("A copy that nobody depends on.")


def test_an_own_answer_is_sent_whole_and_only_where_it_is_checked(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live, TARGET, CHECKS)
    own_answer(page).fill("Somewhere\nelse")
    page.get_by_label("Production").check()
    button(page, "Next").click()
    own_answer(page).fill("By hand, twice")
    page.get_by_label("Lint").check()
    button(page, "Next").click()
    button(page, "Submit").click()
    expect(panel(page)).to_have_count(0)
    answers = stored(live, asked)["answers"]
    assert [each["value"] for each in answers["deploy_target"]] == ["Production"]
    assert [each["value"] for each in answers["checks"]] == ["Lint", "By hand, twice"]


def test_the_empty_wizard_is_not_sent_and_says_why(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live)
    button(page, "Submit").click()
    expect(panel(page).get_by_role("alert")).to_have_text(re.compile("Choose or type an answer"))
    assert stored(live, asked)["status"] == "pending"


def test_a_chosen_other_without_words_leads_to_its_question(page: Page, live: LiveServer) -> None:
    ask_on(page, live, TARGET, CHECKS)
    other(page).check()
    button(page, "Review").click()
    button(page, "Submit").click()
    expect(panel(page).get_by_role("alert")).to_have_text(re.compile("type your answer"))
    expect(panel(page).get_by_text("1/2")).to_be_visible()


def test_of_two_tabs_the_first_wins_and_the_other_is_told_1(any_page: Page, live: LiveServer) -> None:
    asked = ask_on(any_page, live)
    second = any_page.context.new_page()
    second.goto(any_page.url)
    any_page.get_by_label("Staging").check()
    second.get_by_label("Production").check()

    def after_the_other(route: Route) -> None:
        button(any_page, "Submit").click()
        expect(panel(any_page)).to_have_count(0)
        route.continue_()

    second.route("**/answer/", after_the_other)
    button(second, "Submit").click()
    expect(outcome(second)).to_contain_text("answered elsewhere")
    expect(outcome(second)).to_contain_text(re.compile("Target: ?Staging"))
    expect(outcome(second)).to_contain_text("Answered by you: Control UI")
    given = stored(live, asked)["answers"]["deploy_target"]
    assert [each["value"] for each in given] == ["Staging (Recommended)"]


def test_a_draft_is_the_same_after_a_reload_and_in_another_tab_7(page: Page, live: LiveServer) -> None:
    ask_on(page, live, *THREE)
    button(page, "Next").click()
    with keep_draft(page):
        page.get_by_label("Lint").check()
        own_answer(page).fill(WORDS)
    page.reload()
    second = page.context.new_page()
    second.goto(page.url)
    for tab in (page, second):
        expect(panel(tab).get_by_text("2/3")).to_be_visible()
        expect(tab.get_by_label("Lint")).to_be_checked()
        expect(own_answer(tab)).to_have_value(WORDS)
    page.get_by_label("Types").check()
    expect(second.get_by_label("Types")).to_be_checked()


def test_typing_in_this_tab_is_never_overwritten_by_another_tabs_draft(
    any_page: Page, live: LiveServer
) -> None:
    asked = ask_on(any_page, live)
    elsewhere = {"answers": {"deploy_target": {"options": [1]}}, "comment": "there", "revision": 0}
    body = str(elsewhere).replace("'", '"').encode()

    def first_elsewhere(route: Route) -> None:
        own_answer(any_page).press_sequentially(" and more")
        live.request("PUT", f"/api/questions/{asked['id']}/draft/", body)
        route.continue_()

    any_page.route("**/draft/", first_elsewhere, times=1)
    own_answer(any_page).fill("typed here")
    with any_page.expect_response(lambda response: response.url.endswith("/draft/") and response.ok):
        pass
    expect(own_answer(any_page)).to_have_value("typed here and more")
    draft = stored(live, asked)["draft"]
    assert draft["answers"]["deploy_target"]["other"] == "typed here and more"


def test_skip_asks_once_where_something_was_typed_11(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live)
    own_answer(page).fill("Half a thought")
    button(page, "Skip").click()
    expect(panel(page).get_by_text("will not be sent")).to_be_visible()
    assert stored(live, asked)["status"] == "pending"
    button(page, "Skip all the same").click()
    expect(panel(page)).to_have_count(0)
    assert stored(live, asked)["reason"] == "skipped"


def test_skip_does_not_ask_where_nothing_was_typed_11(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live)
    button(page, "Skip").click()
    expect(panel(page)).to_have_count(0)
    assert stored(live, asked)["reason"] == "skipped"


def test_a_set_that_comes_while_one_types_leaves_the_composer_alone_18(page: Page, live: LiveServer) -> None:
    first = ask(live)
    live.post(f"/api/questions/{first['id']}/skip/", {"client_id": "s"})
    page.goto(f"/conversations/{first['conversation']}/")
    composer(page).press_sequentially("Someone who wri")
    ask(live, *THREE, conversation=first["conversation"])
    composer(page).press_sequentially("tes fast")
    expect(panel(page)).to_have_attribute("data-state", "collapsed")
    composer(page).press_sequentially(" and goes on")
    expect(composer(page)).to_be_focused()
    expect(composer(page)).to_have_value("Someone who writes fast and goes on")
    expect(announced(page)).to_contain_text("Question for you: Target")
    expect(page).to_have_title(re.compile(r"^\(\d+\) "))
    expect(panel(page).locator(":checked")).to_have_count(0)


def test_beside_an_empty_composer_it_opens_and_leaves_the_focus(page: Page, live: LiveServer) -> None:
    first = ask(live)
    live.post(f"/api/questions/{first['id']}/skip/", {"client_id": "s"})
    page.goto(f"/conversations/{first['conversation']}/")
    composer(page).focus()
    ask(live, conversation=first["conversation"])
    expect(page.get_by_label("Staging")).to_be_visible()
    expect(composer(page)).to_be_focused()
    page.get_by_label("Staging").click()
    expect(page.get_by_label("Staging")).to_be_checked()
    expect(composer(page)).to_be_hidden()


def test_nothing_is_lost_by_collapsing_and_moving_about_19(page: Page, live: LiveServer) -> None:
    ask_on(page, live, CHECKS, TARGET)
    page.get_by_label("Lint").check()
    own_answer(page).fill("By hand")
    page.keyboard.press("Escape")
    bar = panel(page).get_by_role("button", name=re.compile("Checks"))
    expect(bar).to_contain_text("1/2")
    expect(panel(page).get_by_role("timer")).to_have_text(re.compile(r"^\d+:\d\d$"))
    composer(page).fill("A draft below")
    bar.click()
    button(page, "Next").click()
    button(page, "Back").click()
    page.get_by_label("Types").check()
    other(page).uncheck()
    expect(own_answer(page)).to_have_value("By hand")
    expect(page.get_by_label("Lint")).to_be_checked()
    page.get_by_label("Lint").press("Escape")
    expect(composer(page)).to_have_value("A draft below")
    composer(page).fill("")


def test_radios_keep_the_own_answer_when_another_is_chosen_19(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    own_answer(page).fill("My words")
    expect(other(page)).to_be_checked()
    page.get_by_label("Production").check()
    expect(other(page)).not_to_be_checked()
    expect(own_answer(page)).to_have_value("My words")


def test_errors_keep_every_value_until_the_server_confirms_20(any_page: Page, live: LiveServer) -> None:
    asked = ask_on(any_page, live)
    alert = panel(any_page).get_by_role("alert")
    own_answer(any_page).fill("Everything of it")
    any_page.route("**/answer/", lambda route: route.fulfill(status=500, body="{}"), times=1)
    button(any_page, "Submit").click()
    expect(alert).to_contain_text("The server had a problem.")
    any_page.route("**/answer/", lambda route: route.abort(), times=1)
    button(any_page, "Submit").click()
    expect(alert).to_contain_text("can't be reached")
    expect(own_answer(any_page)).to_have_value("Everything of it")
    button(any_page, "Submit").click()
    expect(panel(any_page)).to_have_count(0)
    assert stored(live, asked)["answers"]["deploy_target"][0]["value"] == "Everything of it"


def test_it_says_that_it_is_submitting_20(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    page.get_by_label("Staging").check()
    seen: list[str | None] = []

    def look(route: Route) -> None:
        seen.append(panel(page).locator("[data-part=submit]").text_content())
        route.continue_()

    page.route("**/answer/", look)
    button(page, "Submit").click()
    expect(panel(page)).to_have_count(0)
    assert seen == ["Submitting…"]


def test_what_ended_elsewhere_closes_and_says_where_with_the_typed_text(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live)
    own_answer(page).fill("Too late")
    answer = {"client_id": "c", "answers": {"deploy_target": {"options": [1]}}, "surface": "extension"}
    live.post(f"/api/questions/{asked['id']}/answer/", answer)
    expect(outcome(page)).to_contain_text("answered elsewhere")
    expect(outcome(page)).to_contain_text("Production")
    expect(outcome(page)).to_contain_text("browser extension, tests")
    expect(page.get_by_label("What you typed was not sent:")).to_have_value("Too late")


def test_after_its_time_the_text_can_be_copied_and_sent_as_a_message_4(page: Page, live: LiveServer) -> None:
    asked = ask(live, timeoutSeconds=30)
    page.goto(f"/conversations/{asked['conversation']}/")
    page.route("**/draft/", lambda route: route.fulfill(json={"revision": 1}))
    own_answer(page).fill("Typed in vain")
    expire(live, asked)
    expect(outcome(page)).to_contain_text("The time to answer is over.")
    composer(page).fill("Before")
    page.get_by_role("button", name="Send as message").click()
    expect(composer(page)).to_have_value("Before\nTyped in vain")
    composer(page).fill("")


def test_more_time_moves_the_deadline(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    button(page, "More time").click()
    expect(panel(page).get_by_role("timer")).to_have_text(re.compile(r"^(19:|20:0)"))
    expect(announced(page)).to_have_text("You have more time now.")


def test_while_it_is_collapsed_a_message_is_an_answer_or_skips(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    page.get_by_label("Staging").press("Escape")
    expect(page.get_by_role("radio", name="Answer")).to_be_checked()
    page.get_by_role("radio", name="Skip and send").check()
    posted: list[Any] = []
    page.route(
        "**/messages/", lambda route: (posted.append(route.request.post_data_json), route.fulfill(json={}))
    )
    with page.expect_request("**/messages/"):
        composer(page).fill("Something else")
        page.get_by_role("button", name="Send").click()
    assert posted[0]["meta"]["pending"] == "skip"


def test_an_answer_from_the_composer_below_is_this_tabs_own(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live)
    page.get_by_label("Staging").press("Escape")
    composer(page).fill("2")
    composer(page).press("Enter")
    expect(panel(page)).to_have_count(0)
    expect(announced(page)).to_have_text("Your answer was sent.")
    expect(outcome(page)).to_be_hidden()
    expect(composer(page)).to_have_value("")
    assert stored(live, asked)["answers"]["deploy_target"][0]["value"] == "Production"


def test_one_that_came_too_late_is_told_who_answered_elsewhere(any_page: Page, live: LiveServer) -> None:
    asked = ask_on(any_page, live)
    any_page.get_by_label("Staging").press("Escape")

    def after_the_other(route: Route) -> None:
        live.post(f"/api/questions/{asked['id']}/answer/", {"client_id": "other", "text": "1"})
        any_page.wait_for_timeout(300)
        route.continue_()

    any_page.route("**/messages/", after_the_other)
    composer(any_page).fill("2")
    composer(any_page).press("Enter")
    expect(outcome(any_page)).to_contain_text(re.compile("Target: ?Staging"))
    expect(composer(any_page)).to_have_value("2")
    composer(any_page).fill("")


def test_a_summary_line_for_each_question_stays(page: Page, live: LiveServer) -> None:
    ask_on(page, live, TARGET, CHECKS)
    page.get_by_label("Staging").check()
    button(page, "Review").click()
    button(page, "Submit").click()
    summary = page.get_by_role("group", name="Your answers")
    expect(summary.locator(".summary__line")).to_have_text(
        [re.compile("Target: ?Staging"), re.compile("Checks: ?not")]
    )
    page.reload()
    expect(summary).to_contain_text("Staging")
    expect(panel(page)).to_have_count(0)


def test_the_list_marks_where_a_question_waits(page: Page, live: LiveServer) -> None:
    asked = ask(live)
    page.goto("/")
    expect(page).to_have_title(re.compile(r"^\(\d+\) "))
    listed = page.locator(f"[data-id='{asked['conversation']}']")
    expect(listed.get_by_role("img", name="A question waits for you")).to_be_visible()
    live.post(f"/api/questions/{asked['id']}/skip/", {"client_id": "s"})
    expect(listed.get_by_role("img", name="A question waits for you")).to_be_hidden()

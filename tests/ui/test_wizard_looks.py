"""The wizard for every eye and ear: axe-core's rules in each state, 320 px, forced colours, little motion."""

import pytest
from playwright.sync_api import Page, expect

from tests.stand_ins.server import LiveServer
from tests.ui.asked import NOTE, THREE, ask, ask_on, button, faults, outcome, own_answer, panel, stored

OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
OUTSIDE = """element => [...element.querySelectorAll("button, label, textarea, legend, p")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width && !each.matches(".visually-hidden, .visually-hidden *") && (left < -1 || right > innerWidth + 1);
}).length"""
BORDER = "element => getComputedStyle(element.closest('.option')).borderTopWidth"


def test_no_faults_while_asking(inspected: Page, live: LiveServer) -> None:
    ask_on(inspected, live, *THREE)
    inspected.get_by_label("Staging").check()
    assert faults(inspected, "question-panel", "[data-part=announcer]") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_faults_in_either_scheme_with_an_error_and_all_unfolded(
    inspected: Page, live: LiveServer, scheme: str
) -> None:
    inspected.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    ask_on(inspected, live)
    panel(inspected).get_by_text("Add a comment or images").click()
    button(inspected, "Submit").click()
    expect(panel(inspected).get_by_role("alert")).not_to_be_empty()
    assert faults(inspected, "question-panel") == []


def test_no_faults_in_the_review_and_when_asked_whether_to_skip(inspected: Page, live: LiveServer) -> None:
    ask_on(inspected, live, *THREE)
    own_answer(inspected).fill("Mine")
    button(inspected, "Review").click()
    assert faults(inspected, "question-panel") == []
    button(inspected, "Skip").click()
    assert faults(inspected, "question-panel") == []


def test_no_faults_while_it_is_collapsed(inspected: Page, live: LiveServer) -> None:
    ask_on(inspected, live)
    inspected.get_by_label("Staging").press("Escape")
    assert faults(inspected, ".dock") == []


def test_no_faults_once_it_has_ended_elsewhere(inspected: Page, live: LiveServer) -> None:
    asked = ask_on(inspected, live, *THREE)
    own_answer(inspected).fill("Too late")
    live.post(f"/api/questions/{asked['id']}/skip/", {"client_id": "s"})
    expect(outcome(inspected).get_by_role("group")).to_be_visible()
    assert faults(inspected, ".dock", ".transcript__first") == []


@pytest.mark.parametrize("height", [640, 256])  # 256: 1280 by 1024 at 400 %
def test_at_320_pixels_everything_can_be_reached(page: Page, live: LiveServer, height: int) -> None:
    page.set_viewport_size({"width": 320, "height": height})
    asked = ask_on(page, live, NOTE)
    page.get_by_label("W" * 64).check()
    assert panel(page).evaluate(OUTSIDE) == 0
    assert page.evaluate(OVERFLOW) <= 0
    button(page, "Submit").click()
    expect(panel(page)).to_have_count(0)
    assert stored(live, asked)["status"] == "answered"


def test_it_never_covers_the_transcript(page: Page, live: LiveServer) -> None:
    ask_on(page, live, *THREE)
    scroller = page.locator(".scroller").bounding_box()
    place = panel(page).bounding_box()
    assert scroller is not None
    assert place is not None
    assert scroller["y"] + scroller["height"] <= place["y"]


def test_in_forced_colours_a_choice_has_a_thicker_border(page: Page, live: LiveServer) -> None:
    page.emulate_media(forced_colors="active")
    ask_on(page, live)
    page.get_by_label("Staging").check()
    assert page.get_by_label("Staging").evaluate(BORDER) == "2px"
    assert page.get_by_label("Production").evaluate(BORDER) == "1px"


def test_what_is_asked_elsewhere_is_announced(page: Page, live: LiveServer) -> None:
    with page.expect_request("**/api/questions/?status=pending"):  # which follows the subscription
        page.goto("/")
    ask(live)
    expect(page.locator("[data-part=announcer]")).to_contain_text("another conversation: Target")


def test_sound_and_notification_are_off_until_they_are_wanted(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    panel(page).locator("summary[aria-label='How to be told of questions']").click()
    sound = page.get_by_label("Play a sound when a question comes")
    expect(sound).not_to_be_checked()
    expect(page.get_by_label("Show a notification with its text")).not_to_be_checked()
    sound.check()
    page.reload()
    expect(panel(page).locator("[data-alert=sound]")).to_be_checked()


def test_a_page_of_its_own_has_all_questions_and_nothing_that_needs_a_script(
    inspected: Page, live: LiveServer
) -> None:
    asked = ask(live, *THREE)
    inspected.goto(f"/questions/{asked['id']}/")
    expect(inspected.locator(".question:visible")).to_have_count(3)
    assert inspected.get_by_role("button").all_inner_texts() == ["Submit", "More time", "Skip"]
    assert faults(inspected) == []
    inspected.get_by_label("Production").check()
    button(inspected, "Submit").click()
    inspected.wait_for_url("**/conversations/**")
    assert stored(live, asked)["status"] == "answered"

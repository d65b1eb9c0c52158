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


def test_no_faults_while_asking(page: Page, live: LiveServer) -> None:
    ask_on(page, live, *THREE)
    page.get_by_label("Staging").check()
    assert faults(page, "question-panel", "[data-part=announcer]") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_faults_in_either_scheme_with_an_error_and_all_unfolded(
    page: Page, live: LiveServer, scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    ask_on(page, live)
    panel(page).get_by_text("Add a comment or images").click()
    button(page, "Submit").click()
    expect(panel(page).get_by_role("alert")).not_to_be_empty()
    assert faults(page, "question-panel") == []


def test_no_faults_in_the_review_and_when_asked_whether_to_skip(page: Page, live: LiveServer) -> None:
    ask_on(page, live, *THREE)
    own_answer(page).fill("Mine")
    button(page, "Review").click()
    assert faults(page, "question-panel") == []
    button(page, "Skip").click()
    assert faults(page, "question-panel") == []


def test_no_faults_while_it_is_collapsed(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    page.get_by_label("Staging").press("Escape")
    assert faults(page, ".dock") == []


def test_no_faults_once_it_has_ended_elsewhere(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live, *THREE)
    own_answer(page).fill("Too late")
    live.post(f"/api/questions/{asked['id']}/skip/", {"client_id": "s"})
    expect(outcome(page).get_by_role("group")).to_be_visible()
    assert faults(page, ".dock", ".transcript__first") == []


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


def test_with_reduced_motion_nothing_moves(page: Page, live: LiveServer) -> None:
    page.emulate_media(reduced_motion="reduce")
    ask_on(page, live, *THREE)
    button(page, "Next").click()
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_is_asked_for_the_first_time_is_announced_with_its_words(page: Page, live: LiveServer) -> None:
    page.goto("/")
    page.evaluate("import('askweb/socket.js').then(({ socket }) => socket.isOpen)")
    expect(page.locator("connection-status")).to_be_empty()
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

"""The wizard from the keyboard. Names end with the number of the life-cycle check they cover."""

from playwright.sync_api import Page, expect

from tests.stand_ins.server import LiveServer
from tests.ui.asked import CHECKS, TARGET, THREE, ask_on, button, composer, own_answer, panel, stored

COMPOSITION = """area => {
  const key = { key: "Enter", bubbles: true, cancelable: true };
  area.dispatchEvent(new KeyboardEvent("keydown", { ...key, isComposing: true }));
  area.dispatchEvent(new KeyboardEvent("keydown", { ...key, keyCode: 229 }));
  area.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
  return area.dispatchEvent(new KeyboardEvent("keydown", { ...key, ctrlKey: false }));
}"""


def test_from_the_first_option_to_the_answer_without_a_mouse(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live, *THREE)
    page.get_by_label("Staging").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Unit tests")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Review your answers")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel(page)).to_have_count(0)
    answers = stored(live, asked)["answers"]
    assert [answers[key][0]["value"] for key in answers] == ["Production", "Lint", "نعم 👍"]


def test_enter_on_a_button_presses_that_button(page: Page, live: LiveServer) -> None:
    asked = ask_on(page, live, TARGET, CHECKS)
    button(page, "Next").press("Enter")
    button(page, "Back").press("Enter")
    expect(panel(page).get_by_text("1/2")).to_be_visible()
    button(page, "Skip").press("Enter")
    expect(panel(page)).to_have_count(0)
    assert stored(live, asked)["status"] == "skipped"


def test_enter_of_an_input_method_does_nothing_and_ctrl_enter_submits_once_16(
    page: Page, live: LiveServer
) -> None:
    asked = ask_on(page, live)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if "/answer/" in request.url else None)
    own_answer(page).fill("にほん")
    own_answer(page).evaluate(COMPOSITION)
    expect(own_answer(page)).to_have_value("にほん")
    assert posts == []
    own_answer(page).press("Enter")
    own_answer(page).press("Control+Enter")
    expect(panel(page)).to_have_count(0)
    assert len(posts) == 1
    assert stored(live, asked)["answers"]["deploy_target"][0]["value"].startswith("にほん")


def test_digits_are_text_in_fields_17(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    own_answer(page).press_sequentially("15:3")
    expect(own_answer(page)).to_have_value("15:3")
    own_answer(page).press("Escape")
    composer(page).press_sequentially("15:3")
    expect(composer(page)).to_have_value("15:3")
    expect(panel(page).locator(":checked")).to_have_value("other")
    composer(page).fill("")


def test_digits_toggle_on_an_option_17(page: Page, live: LiveServer) -> None:
    ask_on(page, live, CHECKS)
    page.get_by_label("Unit tests").focus()
    page.keyboard.type("15:3")
    expect(page.get_by_label("Unit tests")).to_be_checked()
    expect(page.get_by_label("Types")).to_be_checked()
    expect(page.get_by_label("Lint")).not_to_be_checked()
    page.keyboard.press("1")
    expect(page.get_by_label("Unit tests")).not_to_be_checked()


def test_digits_with_control_are_the_browsers_17(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    untouched = """element => element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "1", ctrlKey: true, bubbles: true, cancelable: true }))"""
    assert page.get_by_label("Staging").evaluate(untouched)
    expect(panel(page).locator(":checked")).to_have_count(0)


def test_keys_outside_the_panel_do_nothing_to_it(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    page.get_by_role("link", name="New conversation").focus()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(panel(page).locator(":checked")).to_have_count(0)
    expect(panel(page)).to_have_attribute("data-state", "open")


def test_a_radio_can_be_unchosen(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    page.get_by_label("Production").check()
    button(page, "Choose nothing").click()
    expect(panel(page).locator(":checked")).to_have_count(0)
    expect(page.get_by_label("Staging")).to_be_focused()


def test_the_link_to_the_composer_leads_to_the_panel_in_its_place(page: Page, live: LiveServer) -> None:
    ask_on(page, live, TARGET, CHECKS)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the composer")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Staging")).to_be_focused()
    page.keyboard.press("Tab")
    assert panel(page).evaluate("panel => panel.contains(document.activeElement)")


def test_beside_a_collapsed_panel_it_leads_to_the_composer(page: Page, live: LiveServer) -> None:
    ask_on(page, live)
    page.get_by_label("Staging").press("Escape")
    page.get_by_role("link", name="Skip to the composer").press("Enter")
    expect(composer(page)).to_be_focused()

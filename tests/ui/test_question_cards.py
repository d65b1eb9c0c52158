"""The stacked cards: a set as an object, and a transport of the test's own, as the extension brings one."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.stand_ins.server import LiveServer
from tests.ui.asked import CHECKS, TARGET, ask, faults

PUT_UP = """async (set) => {
  const words = JSON.parse(document.getElementById("words").textContent);
  const cards = document.createElement("askweb-question-cards");
  window.sent = [];
  const act = (name) => async (body) => {
    window.sent.push([name, body]);
    if (window.failing) throw Object.assign(new Error("No network"), window.failing);
    return { ...set, revision: 1, extended_by: 300 };
  };
  const transport = Object.fromEntries(["answer", "skip", "extend", "draft"].map((name) => [name, act(name)]));
  for (const type of ["askweb:question-done", "askweb:question-ended"])
    cards.addEventListener(type, () => window.sent.push([type]));
  document.querySelector(".scroller .column").replaceChildren(cards);
  cards.ask(set, { transport, words });
}"""
FOLLOWUP = {
    "source": "xml",
    "questions": [
        {
            "id": "followup",
            "header": "Question",
            "question": "Which file?",
            "multi_select": False,
            "options": [
                {"label": "a.py", "description": "", "recommended": False},
                {"label": "b.py", "description": "", "recommended": True},
            ],
        }
    ],
}


@pytest.fixture
def asked(live: LiveServer) -> Any:
    return ask(live, TARGET, CHECKS)


@pytest.fixture
def cards(page: Page, asked: Any) -> Page:
    page.goto("/")
    page.evaluate(PUT_UP, asked)
    return page


def sent(page: Page, act: str) -> Any:
    return [each[1:] for each in page.evaluate("window.sent") if each[0] == act]


def test_all_questions_are_below_each_other_with_one_submit(cards: Page) -> None:
    expect(cards.locator("askweb-question-cards fieldset")).to_have_count(2)
    expect(cards.get_by_role("button", name="Submit")).to_have_count(1)


def test_an_answer_is_sent_as_the_api_takes_it(cards: Page) -> None:
    cards.get_by_label("Staging").check()
    cards.get_by_label("Lint").check()
    cards.get_by_role("group", name="Checks").get_by_role("textbox").fill("By hand")
    cards.get_by_role("button", name="Submit").click()
    [[body]] = sent(cards, "answer")
    assert body["answers"]["deploy_target"] == {"options": [0], "other": None}
    assert body["answers"]["checks"] == {"options": [1], "other": "By hand"}
    assert sent(cards, "askweb:question-done") == [[]]


def test_a_failure_keeps_all_and_the_same_try_has_the_same_id(cards: Page) -> None:
    cards.get_by_label("Production").check()
    cards.evaluate("window.failing = {}")
    cards.get_by_role("button", name="Submit").click()
    expect(cards.locator("askweb-question-cards").get_by_role("alert")).to_have_text("No network")
    cards.evaluate("window.failing = null")
    cards.get_by_role("button", name="Submit").click()
    [first], [second] = sent(cards, "answer")
    assert first == second
    expect(cards.get_by_label("Production")).to_be_checked()


def test_what_ended_elsewhere_is_told(cards: Page) -> None:
    cards.evaluate("window.failing = { status: 409, data: { question_set: {} } }")
    cards.get_by_label("Staging").check()
    cards.get_by_role("button", name="Submit").click()
    assert sent(cards, "askweb:question-ended") == [[]]


def test_skip_asks_where_something_was_typed(cards: Page) -> None:
    cards.get_by_label("Comment").fill("Well")
    cards.get_by_role("button", name="Skip", exact=True).click()
    assert sent(cards, "skip") == []
    cards.get_by_role("button", name="Skip all the same").click()
    assert len(sent(cards, "skip")) == 1


def test_digits_and_enter_work_as_in_the_wizard(cards: Page) -> None:
    cards.get_by_label("Unit tests").focus()
    cards.keyboard.press("2")
    expect(cards.get_by_label("Lint")).to_be_checked()
    cards.keyboard.press("Enter")
    assert len(sent(cards, "answer")) == 1


def test_a_draft_is_saved_and_another_is_taken_over(cards: Page, asked: Any) -> None:
    cards.get_by_label("Nowhere").check()
    cards.wait_for_function("() => window.sent.some(([act]) => act === 'draft')")
    entry = {"options": [1], "other": "", "other_checked": False}
    draft = {"answers": {"deploy_target": entry}, "comment": "From there", "step": 0, "revision": 9}
    cards.evaluate(
        "set => document.querySelector('askweb-question-cards').update(set)", {**asked, "draft": draft}
    )
    expect(cards.get_by_label("Production")).to_be_checked()
    expect(cards.get_by_label("Comment")).to_have_value("From there")


def test_a_suggestion_is_sent_on_click(page: Page, asked: Any) -> None:
    page.goto("/")
    page.evaluate(PUT_UP, {**asked, **FOLLOWUP})
    page.get_by_role("button", name="b.py").click()
    [[body]] = sent(page, "answer")
    assert body["answers"] == {"followup": {"options": [1], "other": None}}


def test_the_cards_have_no_faults(inspected: Page, asked: Any) -> None:
    inspected.goto("/")
    inspected.evaluate(PUT_UP, asked)
    assert faults(inspected, "askweb-question-cards") == []

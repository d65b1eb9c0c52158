"""Blocks of an answer go by the direction of their own words, on a page that is read from left to right."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stand_ins.server import LiveServer

ANSWER = """English begins.

- أول
- ثان

> اقتباس

| عمود | قيمة |
|---|---|
| أ | ب |

- one

> quoted

| column | value |
|---|---|
| a | b |
"""
STYLE = "(element, name) => getComputedStyle(element)[name]"


@pytest.fixture
def answer(page: Page, live: LiveServer) -> Locator:
    turns = [{"role": "user", "content": "?"}, {"role": "assistant", "content": ANSWER}]
    posted = live.post("/api/conversations/", {"messages": turns}).json
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(f"/conversations/{posted['conversation']['id']}/")
    found = page.locator(".message__text.prose")
    expect(found).to_contain_text("English begins.")
    return found


@pytest.mark.parametrize(("item", "side"), [("أول", "marginRight"), ("one", "marginLeft")])
def test_a_list_has_its_markers_where_its_lines_begin(answer: Locator, item: str, side: str) -> None:
    assert answer.locator("li", has_text=item).evaluate(STYLE, side) == "25.6px"


@pytest.mark.parametrize(("words", "side"), [("اقتباس", "borderRightWidth"), ("quoted", "borderLeftWidth")])
def test_a_quote_has_its_bar_where_its_lines_begin(answer: Locator, words: str, side: str) -> None:
    assert answer.locator("blockquote", has_text=words).evaluate(STYLE, side) == "3px"


@pytest.mark.parametrize(("first", "second", "sign"), [("عمود", "قيمة", -1), ("column", "value", 1)])
def test_a_table_has_its_columns_in_reading_order(
    answer: Locator, first: str, second: str, sign: int
) -> None:
    columns = [answer.locator("th", has_text=name).bounding_box() for name in (first, second)]
    assert columns[0]
    assert columns[1]
    assert (columns[1]["x"] - columns[0]["x"]) * sign > 0


def test_nothing_reaches_over_the_edge(answer: Locator) -> None:
    assert answer.evaluate("element => element.closest('.scroller').scrollWidth") == 360

"""Every page of the Control UI for every eye, on a phone, and for those who use no mouse."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import faults

CONTEXT = [
    {"id": "page", "title": "Tides", "url": "https://tides.example/", "content": "The moon pulls. " * 400},
    {"id": "quote", "selection": "The moon"},
]
ANSWER = f"""## High and low

- one
- [x] done
- two

| {" | ".join(f"Column {number}" for number in range(12))} |
|{"---|" * 12}
| {" | ".join("cell" for _number in range(12))} |

```python
# {"a comment that is too long for any phone " * 5}
moon = 1
```

> quoted, with `code` and [a link](https://example.org/)

$${" + ".join("x^2" for _number in range(60))}$$
"""
NOW = {"created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z"}
ADDRESSES = (
    "/",
    "/?q=moon",
    "/?archived=1",
    "/?host=tides.example",
    "/conversations/hosts/",
    "/conversations/import/",
    "/conversations/{conversation}/",
    "/messages/{user}/edit/",
    "/messages/{user}/context/",
    "/messages/{assistant}/again/",
    "/messages/{assistant}/sent/",
    "/tools/",
    "/tools/explain/",
    "/tools/explain/diff/",
    "/tools/explain/replay/",
    "/settings/",
    "/settings/initial-message/",
    "/questions/",
    "/sign-in/",
)
ALL_SET = "() => !document.querySelector('.prose .math:not([data-formula=set])')"
NARROW = """() => {
  const seen = [document.documentElement, ...document.querySelectorAll(".scroller, .sidebar__list")];
  return seen.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className || each.tagName);
}"""
SMALL = """() => [...document.querySelectorAll("a, button, summary, select, textarea, input:not([type=hidden])")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".visually-hidden"))
  .filter((each) => !each.matches(".prose a, p:not([class]) a, .hint a")) // in running text, as WCAG 2.2 has it
  .filter((each) => !each.matches("[type=checkbox]:disabled")) // the boxes of tasks in answers: nothing to press
  .map((each) => [each, (each.matches("[type=checkbox], [type=radio]") && each.labels[0]) || each])
  .filter(([, target]) => { const { width, height } = target.getBoundingClientRect(); return Math.min(width, height) < 24; })
  .map(([each]) => each.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def told(live: LiveServer) -> Iterator[dict[str, Any]]:
    """A conversation about a page with all kinds of blocks; its ids."""
    asked = {"id": "1", "parent": None, "role": "user", "content": "Why, moon?", "context": CONTEXT}
    reply = {"id": "2", "parent": "1", "role": "assistant", "content": ANSWER, "reasoning": "Hm."}
    page = {"title": "Tides", "url": "https://tides.example/"}
    file = {
        "format": "askweb.conversation",
        "version": 1,
        "conversation": {"title": "Tides", "page": page, "head": "2", **NOW},
        "messages": [asked | NOW, reply | NOW],
    }
    id_ = live.post("/api/conversations/import/", file).json["id"]
    messages = live.get(f"/api/conversations/{id_}/messages/").json["results"]
    yield {"conversation": id_, **{each["role"]: each["id"] for each in messages}}
    live.request("DELETE", f"/api/conversations/{id_}/")


@pytest.fixture
def phone(page: Page) -> Page:
    page.set_viewport_size({"width": 360, "height": 740})
    return page


def answer(page: Page, told: dict[str, Any]) -> Locator:
    page.goto(f"/conversations/{told['conversation']}/")
    page.wait_for_function(ALL_SET)
    return page.locator(".message--reply .prose")


@pytest.mark.parametrize("address", [*ADDRESSES, "/nothing/"])
def test_no_page_has_faults_of_accessibility(inspected: Page, told: dict[str, Any], address: str) -> None:
    inspected.goto(address.format(**told))
    inspected.wait_for_function(ALL_SET)
    inspected.keyboard.press("Tab")
    assert faults(inspected) == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_fits_a_phone_and_its_targets_a_finger(
    phone: Page, told: dict[str, Any], address: str
) -> None:
    phone.goto(address.format(**told))
    expect(phone.locator("h1").first).to_be_attached()
    assert (phone.evaluate(NARROW), phone.evaluate(SMALL)) == ([], [])


@pytest.mark.parametrize("words", ["i", "\n"])
@pytest.mark.parametrize("address", ["/", "/conversations/{conversation}/", "/tools/explain/replay/"])
def test_the_shortest_question_is_large_enough_too(
    phone: Page, live: LiveServer, upstream: Upstream, words: str, address: str
) -> None:
    asked = live.ask(live.add_provider(upstream), words, tool="explain")
    live.ended(asked.run)
    phone.goto(address.format(conversation=asked.conversation))
    expect(phone.locator("h1").first).to_be_attached()
    assert phone.evaluate(SMALL) == []


@pytest.mark.parametrize("block", ["pre", "table", ".math.display"])
def test_what_scrolls_sideways_is_reached_with_the_tab_key(
    phone: Page, told: dict[str, Any], block: str
) -> None:
    wide = answer(phone, told).locator(block)
    phone.keyboard.press("Tab")
    wide.focus()
    expect(wide).to_have_attribute("tabindex", "0")  # Chromium would do without
    phone.keyboard.press("ArrowRight")
    phone.wait_for_function("element => element.scrollLeft > 0", arg=wide.element_handle())


def test_on_a_phone_the_composer_of_a_conversation_is_one_row_of_controls(
    phone: Page, told: dict[str, Any]
) -> None:
    phone.goto(f"/conversations/{told['conversation']}/")
    middles = phone.locator(".composer__row > :visible").evaluate_all(
        "each => each.map((one) => { const { top, height } = one.getBoundingClientRect(); return top + height / 2; })"
    )
    assert max(middles) - min(middles) < 4
    assert phone.locator(".composer__row").evaluate("row => row.scrollWidth <= row.clientWidth")


def test_while_it_is_renamed_a_conversation_has_a_heading(page: Page, told: dict[str, Any]) -> None:
    page.goto(f"/conversations/{told['conversation']}/")
    page.get_by_label("Rename this conversation").click()
    expect(page.get_by_label("Title of this conversation")).to_be_focused()
    expect(page.get_by_role("heading", name="Tides", level=1)).to_be_attached()

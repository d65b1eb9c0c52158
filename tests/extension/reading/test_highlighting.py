"""The mark over a part: seen, out of the way, and gone when it is taken away."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.extension.reading.conftest import Opening, Reader

DOWN = {"xpath": "HTML>body>p[2]", "digest": "Far down."}
PAGE = "<body><p>Top.</p><div class=room></div><p>Far down.</p><div class=room></div>"
ROOM = "<style>.room { height: 5000px }</style>"
LAYOUT = (
    "[...document.querySelectorAll('html, body, body *')]"
    ".map((e) => [e.offsetLeft, e.offsetTop, e.offsetWidth, e.offsetHeight, e.scrollWidth, e.scrollHeight]).join()"
)
CENTRE = (
    "(() => { const { left, top, width, height } = document.querySelectorAll('p')[1].getBoundingClientRect();"
    " return [left + width / 2, top + height / 2] })()"
)
BORDER = (138, 90, 0)
ROOM_AROUND = 4


@pytest.fixture
def reader(opened: Opening) -> Reader:
    return opened.html(ROOM + PAGE)


@pytest.fixture
def still(opened: Opening) -> Reader:
    """For whom asked for no motion."""
    opened.tab.emulate_media(reduced_motion="reduce")
    return opened.html(ROOM + PAGE)


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for name in ("children", "shadowRoots"):
        for child in node.get(name, []):
            yield from nodes(child)
    if "contentDocument" in node:
        yield from nodes(node["contentDocument"])


def mark_box(reader: Reader) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom of the mark in the window: the debugger looks into closed shadow roots."""
    document = reader.session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    holders = [node for node in nodes(document) if node["nodeName"] == "ASKWEB-HIGHLIGHT"]
    if not holders:
        return None
    (holder,) = holders
    mark = holder["shadowRoots"][0]["children"][0]
    left, top, _, _, right, bottom, _, _ = reader.session.send("DOM.getBoxModel", {"nodeId": mark["nodeId"]})[
        "model"
    ]["border"]
    return left, top, right, bottom


def is_drawn(reader: Reader) -> bool:
    """Whether the middle of its left border has its colour in a picture of the window."""
    box = mark_box(reader)
    assert box is not None
    left, top, _, bottom = box
    picture = Image.open(BytesIO(reader.tab.screenshot())).convert("RGB")
    return picture.getpixel((round(left), round((top + bottom) / 2))) == BORDER


def test_it_scrolls_there_and_lies_around_the_text(still: Reader) -> None:
    assert still.highlight(DOWN) == "found"
    x, y = still.evaluate(CENTRE)
    assert 0 < y < 700
    box = mark_box(still)
    assert box is not None
    left, top, right, bottom = box
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((x, y), abs=0.6)
    height = still.evaluate("document.querySelectorAll('p')[1].offsetHeight")
    assert bottom - top == pytest.approx(height + 2 * ROOM_AROUND, abs=0.1)
    assert is_drawn(still)


def test_at_the_edge_of_the_window_it_is_seen_whole(opened: Opening) -> None:
    opened.tab.emulate_media(reduced_motion="reduce")
    reader = opened.html("<body style='margin: 0'><p style='margin: 0'>Text")
    reader.highlight(reader.part("Text"))
    box = mark_box(reader)
    assert box is not None
    assert (box[0], box[1], box[2]) == (0, 0, 1000)
    assert is_drawn(reader)


def test_it_scrolls_softly_unless_motion_is_unwanted(reader: Reader) -> None:
    reader.evaluate(f"askwebPage.highlight({DOWN})")
    assert reader.evaluate("scrollY") < 1000
    reader.tab.wait_for_function("() => scrollY > 4000")


def test_without_motion_it_is_there_at_once(still: Reader) -> None:
    still.evaluate(f"askwebPage.highlight({DOWN})")
    assert still.evaluate("scrollY") > 4000
    assert still.evaluate("document.getAnimations({ subtree: true }).length") == 0


def test_it_changes_no_layout_and_takes_no_clicks(still: Reader) -> None:
    before = still.evaluate(LAYOUT)
    still.highlight(DOWN)
    assert still.evaluate(LAYOUT) == before
    x, y = still.evaluate(CENTRE)
    assert still.evaluate(f"document.elementFromPoint({x}, {y}).textContent") == "Far down."


def test_it_is_taken_away_without_a_trace(still: Reader) -> None:
    before = still.tab.content()
    still.highlight(DOWN)
    assert still.tab.content() != before
    still.evaluate("askwebPage.removeHighlight()")
    assert still.tab.content() == before
    still.evaluate("askwebPage.removeHighlight()")


def test_there_is_one_at_a_time_and_none_when_the_next_is_gone(still: Reader) -> None:
    still.highlight({"xpath": "HTML>body>p", "digest": "Top."})
    assert still.highlight(DOWN) == "found"
    assert mark_box(still) is not None
    assert still.highlight({"xpath": "HTML>body>p[9]", "digest": "Nothing like it."}) == "gone"
    assert mark_box(still) is None


def test_injecting_again_keeps_it_removable(still: Reader) -> None:
    still.highlight(DOWN)
    still.inject()
    still.evaluate("askwebPage.removeHighlight()")
    assert mark_box(still) is None


@pytest.mark.parametrize(
    "change",
    [
        "scrollBy(0, 50)",
        "document.querySelector('.room').style.height = '5100px'",
        "document.querySelectorAll('p')[1].style.fontSize = '40px'",
    ],
)
def test_it_stays_with_its_part(still: Reader, change: str) -> None:
    still.highlight(DOWN)
    still.tab.evaluate(f"() => {{ {change} }}")
    still.tab.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    still.tab.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    box = mark_box(still)
    assert box is not None
    _, y = still.evaluate(CENTRE)
    assert (box[1] + box[3]) / 2 == pytest.approx(y, abs=0.6)


def test_it_goes_with_its_part(still: Reader) -> None:
    still.highlight(DOWN)
    still.tab.evaluate("() => document.querySelectorAll('p')[1].remove()")
    expect(still.tab.locator("askweb-highlight")).to_have_count(0)


@pytest.mark.parametrize("name", ["hostile", "strict"])
def test_no_style_or_policy_of_the_page_reaches_it(opened: Opening, name: str) -> None:
    opened.tab.emulate_media(reduced_motion="reduce")
    reader = opened(f"/{name}.html")
    part = reader.parts()[1]
    assert reader.highlight(part) == "found"
    assert is_drawn(reader)


def test_it_is_seen_where_the_whole_page_is_turned_or_moved(opened: Opening) -> None:
    opened.tab.emulate_media(reduced_motion="reduce")
    reader = opened.html(
        "<style>html { transform: translate(40px, 30px); filter: blur(0) }</style><body><p>Text</p>"
    )
    reader.highlight(reader.part("Text"))
    box = mark_box(reader)
    assert box is not None
    assert box[0] == pytest.approx(
        reader.evaluate("document.querySelector('p').getBoundingClientRect().left") - 4
    )


def test_it_lies_above_a_dialog(opened: Opening) -> None:
    opened.tab.emulate_media(reduced_motion="reduce")
    reader = opened.html("<body><dialog><p>In the dialog.</p></dialog>")
    reader.tab.evaluate("() => document.querySelector('dialog').showModal()")
    assert reader.highlight(reader.part("In the dialog.")) == "found"
    assert is_drawn(reader)


def test_it_lies_above_a_dialog_around_a_shadow_root(opened: Opening) -> None:
    opened.tab.emulate_media(reduced_motion="reduce")
    reader = opened.html("<body><dialog><div></div></dialog>")
    reader.tab.evaluate(
        "() => { const dialog = document.querySelector('dialog'); dialog.showModal();"
        " dialog.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<p>In its shadow.' }"
    )
    assert reader.highlight(reader.part("In its shadow.")) == "found"
    assert is_drawn(reader)


@pytest.mark.parametrize("page", ["frames", "shadow"])
def test_it_is_drawn_in_frames_and_shadow_roots(opened: Opening, page: str) -> None:
    opened.tab.emulate_media(reduced_motion="reduce")
    reader = opened(f"/{page}.html")
    inner = [part for part in reader.parts() if ">>" in part["xpath"]]
    for part in inner:
        assert reader.highlight(part) == "found"
        assert mark_box(reader) is not None
    assert reader.highlight(inner[1]) == "found"
    assert is_drawn(reader)

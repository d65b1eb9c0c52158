"""An article: what a person sees of it, and nothing else."""

import json
from itertools import pairwise

import pytest

from tests.extension.reading.conftest import Opening


def test_a_page_has_title_address_and_language(opened: Opening, site: str) -> None:
    page = opened("/article.html?x=1#first").item("page")
    assert page["title"] == "Why the sky turns red at sunset"
    assert page["url"] == f"{site}/article.html?x=1#first"
    assert page["lang"] == "en-GB"


def test_the_content_is_the_article_without_what_stands_around_it(opened: Opening) -> None:
    content = opened("/article.html").item("page")["content"]
    assert content.startswith("Sunlight holds all colours. Air molecules scatter the short waves,")
    assert "News" not in content
    assert "Footer" not in content


def test_paragraphs_are_apart_and_their_lines_joined(opened: Opening) -> None:
    content = opened("/article.html").item("page")["content"]
    assert "the sky is blue.\n\nAt noon the light" in content
    assert "wherever we look, as at noon, and however long we look.\n\nThe long way\n\nAt sunset" in content


def test_items_and_rows_are_lines_and_cells_have_tabs_between(opened: Opening) -> None:
    content = opened("/article.html").item("page")["content"]
    assert "Dust makes it paler\nSmoke makes it redder\nWood smoke\nVolcanic ash" in content
    assert "Time\tWay\nNoon\t1\nSunset\t40" in content


def test_lines_that_the_style_keeps_are_kept(opened: Opening) -> None:
    content = opened("/article.html").item("page")["content"]
    assert "Red sky at night,\n  shepherds' delight." in content


def test_what_nobody_sees_is_not_read(opened: Opening) -> None:
    assert "SECRET" not in json.dumps(opened("/article.html").read())


@pytest.mark.parametrize(
    "seen",
    [
        "but for this.",
        "Summary of the details",
        "These details are open.",
        "Lower line of the box that scrolls.",
    ],
)
def test_what_can_be_scrolled_to_or_is_shown_again_is_read(opened: Opening, seen: str) -> None:
    assert seen in [part["digest"] for part in opened("/article.html").parts()]


@pytest.mark.parametrize(
    "style",
    [
        "position: absolute; clip: rect(0 0 0 0)",
        "position: absolute; clip-path: inset(100%)",
        "clip-path: circle(0)",
        "position: absolute; left: -9999px",
        "position: fixed; top: -500px",
        "text-indent: -9999px; overflow: hidden",
        "width: 1px; height: 1px; overflow: hidden",
        "max-height: 0; overflow: hidden",
        "content-visibility: hidden",
        "opacity: 0.01",
        "font-size: 0",
        "display: none",
        "visibility: collapse",
        "margin-left: -3000px; width: 200px",
    ],
)
def test_there_are_many_ways_to_hide_a_text(opened: Opening, style: str) -> None:
    reader = opened.html(
        f"<body><p>Seen.</p><div style='{style}'>SECRET</div><p style='margin-top: 20000px'>Below.</p>"
    )
    assert reader.item("page")["content"] == "Seen.\n\nBelow."


@pytest.mark.parametrize(
    "style",
    [
        "clip-path: inset(10% 0)",
        "text-indent: 2em",
        "opacity: 0.5",
        "overflow: hidden",
        "position: absolute; left: 100px",
        "margin-left: 3000px",
        "position: relative; left: -3px",
        "content-visibility: auto",
        "margin: 200px; transform: rotate(10deg)",
        "overflow: hidden; height: 0; position: static",
        "display: contents; overflow: hidden",
        "display: inline; overflow: hidden",
    ],
)
def test_what_is_styled_is_not_hidden(opened: Opening, style: str) -> None:
    inner = "<span style='position: absolute'>Seen.</span>" if "height: 0" in style else "Seen."
    assert opened.html(f"<body><div style='{style}'>{inner}</div>").item("page")["content"] == "Seen."


def test_a_row_of_slides_is_read_as_far_as_it_is_shown(opened: Opening) -> None:
    slides = "".join(f"<div style='flex: 0 0 300px'>Slide {n}</div>" for n in (1, 2, 3))
    shown = f"<body><div style='display: flex; width: 300px; overflow: hidden'>{slides}</div>"
    assert opened.html(shown).item("page")["content"] == "Slide 1"
    scrolled = shown.replace("hidden", "auto")
    assert opened.html(scrolled).item("page")["content"] == "Slide 1\nSlide 2\nSlide 3"


def test_the_longest_text_comes_in_the_order_of_the_page(opened: Opening) -> None:
    content = opened("/article.html").item("page")["content"]
    order = ["Sunlight", "At noon", "The long way", "At sunset", "Time\tWay", "Red sky", "Dust and smoke"]
    assert all(content.index(one) < content.index(other) for one, other in pairwise(order))


def test_line_breaks_are_as_they_are_shown(opened: Opening) -> None:
    lines = "<p>One<br>two <br>\n three<br><br>four<br></p><div>five</div><div>six <b>and</b>\n <i>seven</i></div>"
    shown = "One\ntwo\nthree\n\nfour\n\nfive\nsix and seven"
    assert opened.html(f"<body>{lines}").item("page")["content"] == shown
    long = f"<body><article>{lines}<p>{'Long enough for an article, and more. ' * 20}</p></article>"
    assert shown in opened.html(long).item("page")["content"]


def test_nothing_in_the_page_is_changed(opened: Opening) -> None:
    reader = opened("/article.html")
    before = reader.tab.content()
    reader.tab.evaluate(
        "() => new MutationObserver(() => { document.title = 'changed' })"
        ".observe(document, { subtree: true, childList: true, attributes: true, characterData: true })"
    )
    reader.read()
    assert reader.tab.content() == before


def test_a_page_without_text_says_so_and_still_has_its_title(opened: Opening) -> None:
    read = opened("/empty.html").read()
    assert read["problem"] == "page.empty"
    assert [item["title"] for item in read["context"]] == ["Empty"]
    assert read["parts"] == 0


def test_xhtml_is_read_too(opened: Opening) -> None:
    assert opened("/strict.xhtml").item("page")["content"] == "Text & <more>"


def test_what_is_no_page_can_not_be_read(opened: Opening) -> None:
    read = opened("/drawing.svg").read()
    assert read == {"context": [], "parts": 0, "problem": "page.unreadable", "leftOut": []}

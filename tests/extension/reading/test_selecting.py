"""What is selected is read with its lines and indentation."""

import pytest

from tests.extension.reading.conftest import Opening

FROM_P_TO_CODE = """
  range.setStart(document.querySelector("main > p").firstChild, 2);
  range.setEnd(document.querySelector("#plain code").firstChild, 34);
"""


def test_paragraphs_are_apart_and_code_keeps_its_indentation(opened: Opening) -> None:
    reader = opened("/documentation.html")
    reader.select(FROM_P_TO_CODE)
    quote = reader.item("quote")
    assert quote["type"] == "selection"
    assert quote["selection"].startswith(
        "generator is a function that holds its place: it yields a value, waits"
    )
    assert quote["selection"].endswith(
        "before the first next().\n\nA first one\n\ndef halves(n):\n    while n > 1:\n  "
    )


def test_a_quote_tells_its_page(opened: Opening, site: str) -> None:
    reader = opened("/documentation.html")
    reader.select("range.selectNodeContents(document.querySelector('h1'))")
    assert reader.item("quote") == {
        "id": "quote",
        "type": "selection",
        "pageTitle": "Generators by example",
        "pageUrl": f"{site}/documentation.html",
        "selection": "Generators by example",
    }


def test_a_piece_of_one_block_of_code_is_code(opened: Opening) -> None:
    reader = opened("/documentation.html")
    reader.select(
        "const text = document.querySelector('#plain code').firstChild; range.setStart(text, 15); range.setEnd(text, 51)"
    )
    quote = reader.item("quote")
    assert (quote["type"], quote["codeLanguage"]) == ("code", "python")
    assert quote["code"] == "    while n > 1:\n        yield n\n\n  "
    assert "selection" not in quote


def test_kept_lines_are_kept_outside_of_code(opened: Opening) -> None:
    reader = opened("/documentation.html")
    reader.select("range.selectNode(document.querySelector('.poem'))")
    assert reader.item("quote")["selection"] == "Halves of halves\n    of halves of   halves"


def test_what_nobody_sees_is_not_in_it(opened: Opening) -> None:
    reader = opened("/article.html")
    reader.select("range.selectNodeContents(document.querySelector('article'))")
    selection = reader.item("quote")["selection"]
    assert "SECRET" not in selection
    assert "Dust makes it paler\nSmoke makes it redder\nWood smoke\nVolcanic ash\n\nTime\tWay" in selection


def test_what_can_not_be_selected_is_not_in_it(opened: Opening) -> None:
    reader = opened.html("<body><p>One <b style='user-select: none'>two </b>three</p>")
    reader.select("range.selectNodeContents(document.body)")
    assert reader.item("quote")["selection"] == "One three"


def test_nothing_selected_is_no_quote(opened: Opening) -> None:
    reader = opened("/article.html")
    reader.select("range.setStart(document.querySelector('#first').firstChild, 5); range.collapse(true)")
    assert reader.items("quote") == []


@pytest.mark.parametrize(
    ("field", "selection"),
    [
        ("<textarea id=field>one\n  two three</textarea>", "\n  two"),
        ("<input id=field value='onetwo'>", "two"),
        ("<input id=field type=password value='onetwo'>", None),
    ],
)
def test_a_field_gives_what_is_selected_in_it_unless_it_is_secret(
    opened: Opening, field: str, selection: str | None
) -> None:
    reader = opened.html(f"<body><p>Text</p>{field}")
    reader.tab.evaluate("() => { field.focus(); field.setSelectionRange(3, 9) }")
    assert [quote["selection"] for quote in reader.items("quote")] == (
        [] if selection is None else [selection]
    )


def test_a_selection_in_a_frame_is_read(opened: Opening) -> None:
    reader = opened("/frames.html")
    reader.evaluate(
        "{ const view = document.querySelector('#same').contentWindow; view.focus();"
        " view.getSelection().selectAllChildren(view.document.querySelector('#inner')) }"
    )
    assert reader.item("quote")["selection"] == "Text of the frame, with a link."


def test_a_selection_in_a_shadow_root_is_read(opened: Opening) -> None:
    reader = opened("/shadow.html")
    story = reader.tab.locator("#story").first
    story.click(click_count=3)
    assert reader.item("quote")["selection"] == "Text in the shadow."


def test_a_selection_in_a_strange_script_is_cut_nowhere(opened: Opening) -> None:
    reader = opened("/arabic.html")
    reader.select("range.selectNodeContents(document.querySelector('pre'))")
    assert reader.item("quote")["code"] == 'print("مرحبا")\n    # تعليق'

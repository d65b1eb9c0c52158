"""Megabytes of text: what is taken is bounded, and the page goes on meanwhile."""

import json
from typing import Any

import pytest

from tests.extension.reading.conftest import Opening, Reader

MIB = 1 << 20
CONTENT = 1_000_000
PARTS = 5_000
PARAGRAPH = "<p>{}</p>".format("The quick brown fox jumps over the lazy dog, 敏捷的棕色狐狸. " * 10)
MANY = {
    "paragraphs": PARAGRAPH * (5 * MIB // len(PARAGRAPH)),
    "one paragraph": "<p>four" + "cafe\u0301e\u0301 " * (5 * MIB // 8),
    "code": "<pre>" + "  x = 1\n" * (5 * MIB // 8),
    "elements": "<div><span>text</span></div>" * 50_000,
    "line breaks": "text<br>" * 100_000,
    "links": "<ul>" + "<li><a href=x>link</a></li>" * 40_000,
}
WATCHED = """
  (async () => {
    const { port1, port2 } = new MessageChannel();
    let last = performance.now();
    let longest = 0;
    port1.onmessage = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      port2.postMessage(null);
    };
    port2.postMessage(null);
    const start = performance.now();
    const { context, parts, leftOut } = await askwebPage.read();
    port1.close();
    return { longest, took: performance.now() - start, parts, leftOut: leftOut.map(({ what }) => what),
             content: context[0].content, size: JSON.stringify(context).length };
  })()
"""


def watched(reader: Reader) -> Any:
    return reader.evaluate(WATCHED)


@pytest.mark.parametrize("name", MANY)
def test_five_megabytes_are_read_within_bounds(opened: Opening, name: str) -> None:
    read = watched(opened.html(f"<title>Large</title><body>{MANY[name]}"))
    assert 100_000 < len(read["content"]) <= CONTENT + 2 * PARTS
    assert 1 <= read["parts"] <= PARTS
    assert read["size"] < 4 * MIB
    assert read["took"] < 10_000
    assert read["longest"] < 2_000  # on a machine that does much else; a quarter of that where it does not


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("paragraphs", ["text", "parts"]),
        ("code", ["text"]),
        ("elements", ["elements", "parts"]),
        ("links", ["parts"]),
    ],
)
def test_what_is_left_out_is_named(opened: Opening, name: str, what: list[str]) -> None:
    read = opened.html(f"<body>{MANY[name]}").read()
    assert set(what) <= {each["what"] for each in read["leftOut"]}


def test_the_text_is_cut_between_characters(opened: Opening) -> None:
    content = opened.html(f"<body>{MANY['one paragraph']}").item("page")["content"]
    assert content.endswith("e\u0301 caf")
    assert len(content) == CONTENT - 1


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("a👍b", 2, "a"),
        ("a👍b", 3, "a👍"),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("👩‍👩‍👧x", 5, ""),
        ("x" + "\u0301" * 500, 300, "x" + "\u0301" * 299),
        ("x" * 100 + "👍", 101, "x" * 100),
        ("", 0, ""),
    ],
)
def test_a_cut_falls_between_characters(opened: Opening, text: str, limit: int, kept: str) -> None:
    reader = opened("/empty.html")
    reader.evaluate("askwebPage.define('tested', ({ cutting }) => Object.assign(globalThis, cutting))")
    assert reader.evaluate(f"cut({json.dumps(text)}, {limit})") == kept


def test_the_last_part_of_a_long_page_is_found_again(opened: Opening) -> None:
    reader = opened.html(
        "<body>" + "".join(f"<p>Paragraph {n} of many, each with its number.</p>" for n in range(4000))
    )
    last = reader.parts()[-1]
    assert last["digest"].startswith("Paragraph 3999")
    reader.tab.evaluate("() => document.querySelector('p').remove()")
    assert reader.highlight(last) == "moved"

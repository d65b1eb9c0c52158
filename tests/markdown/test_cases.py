"""Answers with their right HTML, described by selectors."""

import json
import os
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from askweb.conversations.rendering import render_reply

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases") / "markdown" / "cases.json"
CASES = json.loads(FILE.read_bytes()) if FILE.exists() else []

pytestmark = pytest.mark.skipif(not CASES, reason="cases: ASKWEB_CASES has no markdown/cases.json")


def is_code(node: LexborNode | None) -> bool:
    return node is not None and (node.tag == "pre" or is_code(node.parent))


def collapsed(text: str) -> str:
    return " ".join(text.split())


def text_of(node: LexborNode) -> str:
    return node.text().rstrip("\n") if is_code(node) else collapsed(node.text())


def matches(tree: LexborHTMLParser, expected: dict) -> bool:
    nodes = tree.css(expected["selector"]) if "selector" in expected else [tree.body]
    return (
        len(nodes) == expected.get("count", len(nodes) or 1)
        and ("text" not in expected or any(text_of(node) == expected["text"] for node in nodes))
        and any(collapsed(expected.get("text_contains", "")) in collapsed(node.text()) for node in nodes)
    )


def occurs(html: str, tree: LexborHTMLParser, forbidden: dict) -> bool:
    return bool(tree.css(forbidden["selector"])) if "selector" in forbidden else forbidden["text"] in html


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case(case):
    html = render_reply(case["markdown"])
    tree = LexborHTMLParser(f"<body>{html}</body>")
    assert [expected for expected in case["expect"] if not matches(tree, expected)] == []
    assert [forbidden for forbidden in case["forbid"] if occurs(html, tree, forbidden)] == []

"""Blocks of an answer that is still being written."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askweb.conversations.rendering import render_reply
from askweb.markdown.streaming import BlockSplitter, FinishedBlock
from tests.markdown.test_cases import CASES
from tests.markdown.test_harmless import TEXTS

LATE = ("footnote", "ref-link")
SAME = [case for case in CASES if not case["id"].startswith(LATE)]


def cut(text: str, chance: random.Random) -> list[str]:
    ends = sorted(chance.choices(range(len(text) + 1), k=min(len(text), 200)))
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


def blocks_of(pieces: list[str]) -> list[FinishedBlock]:
    splitter = BlockSplitter()
    return [block for piece in pieces for block in splitter.feed(piece)] + splitter.end()


def html_of(pieces: list[str]) -> str:
    return "".join(block.html() for block in blocks_of(pieces))


@pytest.mark.parametrize("case", SAME, ids=[case["id"] for case in SAME])
@pytest.mark.parametrize("seed", range(3))
def test_block_by_block_gives_the_html_of_the_whole(case, seed):
    text = case["markdown"]
    assert html_of(cut(text, random.Random(seed))) == render_reply(text)  # noqa: S311


@given(TEXTS.filter(lambda text: "[^" not in text and "]:" not in text), st.randoms(use_true_random=False))
def test_block_by_block_gives_the_html_of_the_whole_whatever_the_text(text, chance):
    assert html_of(cut(text, chance)) == render_reply(text)


@given(TEXTS, st.randoms(use_true_random=False))
def test_no_character_is_lost(text, chance):
    sources = "".join(block.source for block in blocks_of(cut(text, chance)))
    assert sources.rstrip() == text.rstrip()


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("# a\n", ["# a\n"]),
        ("a", []),
        ("a\n", []),
        ("a\n\n", ["a\n\n"]),
        ("a\n---\n", ["a\n---\n"]),
        ("```\na\n\nb\n", []),
        ("```\na\n```\n", ["```\na\n```\n"]),
        ("- a\n\n", []),
        ("- a\n\nb\n", ["- a\n\n"]),
        ("a\n| b | c |\n", []),
        ("a\n| b | c |\n|---|---|\n", ["a\n"]),
        ("$$\na\n\nb\n", []),
        ("$$\na\n\nb\n$$\n\n", ["$$\na\n\nb\n$$\n\n"]),
        ("\\[\na\n\nb\n", []),
        ("<details>\n\na\n\nb\n", []),
        ("<!-- a\n\nb\n", []),
    ],
)
def test_a_block_is_given_as_soon_as_nothing_can_change_it(text, finished):
    assert [block.source for block in BlockSplitter().feed(text)] == finished


@pytest.mark.parametrize("text", ["- ```\n  a\n\nb\n", "a\n2. b\n|-|\n", "a\n    b\n|-|\n"])
def test_a_block_is_read_alike_with_and_without_what_comes_before(text):
    assert html_of([text]) == render_reply(text)


def test_the_tail_is_what_no_block_has():
    splitter = BlockSplitter()
    splitter.feed("# a\n\nb **c")
    assert splitter.tail == "\nb **c"


def test_a_later_block_knows_the_definitions_before_it():
    link = '<a href="https://a.b" rel="noopener noreferrer" target="_blank">m</a>'
    assert html_of(["[m]: https://a.b\n\n", "See [m].\n\n"]) == f'<p dir="auto">See {link}.</p>'


def test_blocks_share_the_budgets_of_a_text():
    row = f"{'|a' * 100}|\n{'|-' * 100}|\n" + "|a|\n" * 60 + "\n"
    assert html_of([row * 3]) == render_reply(row * 3)


def test_two_blocks_as_one_are_their_html_joined():
    first, second = BlockSplitter().feed("# a\n\n# b\n")
    assert (first + second).html() == first.html() + second.html()


@pytest.mark.parametrize("text", ["See [m].\n\n[m]: https://a.b\n", "a[^1]\n\n[^1]: b\n\nc\n"])
def test_what_comes_later_changes_links_and_footnotes_alone(text):
    assert html_of([text]) != render_reply(text)

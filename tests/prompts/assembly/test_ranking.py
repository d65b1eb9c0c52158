"""Ranking: what answers the question comes first, whether or not its script parts words."""

import pytest

from prompts.ranking import ranked

TEXTS = [
    "The weather is fine today.",
    "An SQL database keeps rows in tables.",
    "数据库把数据存放在表里。",
    "データベースは表にデータを保存する。",
    "ฐานข้อมูลเก็บข้อมูลในตาราง",
    "Cơ sở dữ liệu lưu các hàng trong bảng.",
]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What is the weather?", 0),
        ("find anything about sql", 1),
        ("SQL", 1),
        ("数据库是什么？", 2),
        ("データベースとは", 3),
        ("ข้อมูลคืออะไร", 4),
        ("dữ liệu là gì", 5),
    ],
)
def test_the_best_comes_first(question: str, best: int) -> None:
    assert ranked(question, TEXTS)[0] == best


@pytest.mark.parametrize("question", ["", "???", "penguin"])
def test_equals_stay_in_order(question: str) -> None:
    assert ranked(question, TEXTS) == list(range(len(TEXTS)))


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    texts = ["the cat", "the dog", "the bird", "zebra"]
    assert ranked("the zebra", texts)[0] == 3


def test_a_text_that_only_repeats_itself_does_not_win_by_length() -> None:
    texts = ["sql " + "and other words " * 200, "sql tables"]
    assert ranked("sql", texts)[0] == 1


def test_nothing_to_rank_is_no_fault() -> None:
    assert ranked("x", []) == []

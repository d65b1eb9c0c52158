"""Two texts, line by line."""

import pytest

from prompts.differing import MOST_MATCHED, Line, Row, compare

LONG = "\n".join(map(str, range(20)))

KINDS: list[tuple[str, str, list[str]]] = [
    ("a", "a", []),
    ("a", "b", ["changed"]),
    ("a\nb", "a", ["same", "removed"]),
    ("a", "a\nb", ["same", "added"]),
    ("", "a", ["changed"]),
    ("a\nb\nc", "a\nx\nc", ["same", "changed", "same"]),
    ("a\na", "a", ["same", "removed"]),
    (f"x\n{LONG}\ny", f"X\n{LONG}\nY", ["changed", *["same"] * 3, "skipped", *["same"] * 3, "changed"]),
    (f"{LONG}\nx", f"{LONG}\ny", ["skipped", *["same"] * 3, "changed"]),
]


@pytest.mark.parametrize(("old", "new", "kinds"), KINDS, ids=range(len(KINDS)))
def test_rows_follow_both_texts(old: str, new: str, kinds: list[str]) -> None:
    assert [row.kind for row in compare(old, new)] == kinds


def test_a_changed_line_names_what_changed_in_it() -> None:
    assert compare("the old line", "the new line") == [
        Row("changed", Line(1, "the ", "old", " line"), Line(1, "the ", "new", " line"))
    ]


def test_skipped_lines_are_counted() -> None:
    assert next(row.skipped for row in compare(f"{LONG}\nx", f"{LONG}\ny") if row.kind == "skipped") == 17


def test_texts_too_long_to_match_count_as_replaced() -> None:
    old = "\n".join(f"old {number}" for number in range(MOST_MATCHED + 1))
    assert {row.kind for row in compare(old, "new")} == {"changed", "removed"}


def test_a_huge_line_is_cut_around_what_changed() -> None:
    (row,) = compare("x" * 100_000 + "a" + "y" * 100_000, "x" * 100_000 + "b" + "y" * 100_000)
    assert row.old is not None
    assert (row.old.changed, len(row.old.head), len(row.old.tail)) == ("a", 1001, 1001)

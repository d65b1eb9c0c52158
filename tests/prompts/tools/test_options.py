"""Options: what is stored, and what is read from what was stored."""

from typing import Any

import pytest

from prompts.options import READERS, Options


def test_only_what_is_not_the_default_is_stored() -> None:
    assert Options(model="m", budget="head", output_only=True).changed() == {
        "model": "m",
        "output_only": True,
    }


@pytest.mark.parametrize(
    "values",
    [{}, {"temperature": "hot"}, {"budget": None}, {"colour": "red"}, {"names": {"ja": "x"}}, {"system": 3}],
)
def test_what_is_no_value_counts_as_the_default(values: dict[str, Any]) -> None:
    assert Options.stored(values) == Options()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("system", " {{page.title}}\n"),
        ("temperature", 0),
        ("temperature", 2),
        ("output_only", True),
        ("budget", "head_tail"),
        ("leftovers", "omit"),
        ("provider", "zhipu"),
        ("language", "中文"),
    ],
)
def test_a_value_is_kept(name: str, value: Any) -> None:
    assert READERS[name](value) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -0.1),
        ("temperature", 2.1),
        ("temperature", True),
        ("temperature", float("nan")),
        ("output_only", "yes"),
        ("budget", ["head"]),
        ("leftovers", "keep"),
        ("model", "x" * 301),
        ("system", "x" * 65537),
        ("language", 3),
    ],
)
def test_any_other_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match="Must be"):
        READERS[name](value)


def test_nothing_is_the_default() -> None:
    assert {name: READERS[name](None) for name in READERS} == Options().shape()

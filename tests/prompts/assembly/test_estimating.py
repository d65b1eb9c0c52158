"""Estimates: per script, on the safe side, and turned into lengths without reading all of a text."""

import pytest

from prompts.estimating import Estimator, Size, measure, measure_messages

TEXTS = [
    "word " * 3000,
    "今天天气很好。" * 1000,
    "a今b天" * 2000,
    "x" * 9000,
    "1234567890" * 700,
    "😀" * 3000,
    "",
]


def test_wide_scripts_are_counted_apart() -> None:
    assert measure("今天 abc def") == Size(wide=2, narrow=3)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("three letters each", Size(narrow=6)),
        ("a+b = {c: d}", Size(narrow=9)),
        ("in 1969", Size(narrow=6)),
        ("x" * 24, Size(narrow=8)),
        ("x" * 25, Size(narrow=25)),
        ("éàü", Size(narrow=4)),
        ("ไทย", Size(narrow=6)),
        ("\u2e7f", Size(narrow=3)),
        ("\u2e80", Size(wide=1, narrow=1)),
        ("今天", Size(wide=2, narrow=1)),
        ("😀", Size(wide=2, narrow=1)),
        ("\ud800", Size(wide=1, narrow=1)),
        ("a\u00a0b\u3000c", Size(wide=1, narrow=4)),
    ],
)
def test_each_script_is_counted_in_its_own_way(text: str, size: Size) -> None:
    assert measure(text) == size


@pytest.mark.parametrize(
    ("text", "least"), [("1234567890", 10), ("aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Q5Zk3QxL", 31)]
)
def test_digits_and_codes_take_more_than_words(text: str, least: int) -> None:
    assert measure(text).narrow >= least


def test_a_models_own_ratios_count() -> None:
    assert Estimator(wide=2.0, narrow=0.5).of(Size(wide=10, narrow=100)) == 70


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tokens", [-5, 0, 10, 1000, 1_000_000])
class TestLengths:
    def test_from_the_beginning_fit(self, text: str, tokens: int) -> None:
        kept = text[: Estimator().head(text, tokens)]
        assert Estimator().tokens(kept) <= max(tokens, 0) + 2

    def test_from_the_end_fit(self, text: str, tokens: int) -> None:
        kept = text[len(text) - Estimator().tail(text, tokens) :]
        assert Estimator().tokens(kept) <= max(tokens, 0) + 2

    def test_of_what_fits_are_all_of_it(self, text: str, tokens: int) -> None:
        fits = Estimator().tokens(text) <= tokens - 20
        assert not fits or Estimator().head(text, tokens) == Estimator().tail(text, tokens) == len(text)


def test_calls_of_functions_are_counted() -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "x" * 300}}
    assert measure_messages([{"role": "assistant", "content": None, "tool_calls": [call]}]).total > 100

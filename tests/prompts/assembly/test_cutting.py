"""Cutting a text: at paragraphs, with a visible mark, and nothing counted wrong."""

import pytest

from prompts.cutting import Cutter, mark
from prompts.estimating import Estimator
from prompts.options import BudgetPolicy

POLICIES: list[BudgetPolicy] = ["head", "head_tail", "relevant"]
PARAGRAPHS = "".join(f"This is paragraph {number} of many, about nothing.\n\n" for number in range(100))
TEXTS = {
    "paragraphs": PARAGRAPHS,
    "lines": PARAGRAPHS.replace("\n\n", "\n"),
    "sentences": PARAGRAPHS.replace("\n\n", " "),
    "chinese": "今天天气很好，我们去公园散步吧。" * 200,
    "one word": "x" * 5000,
    "accents": "e\u0301" * 3000,
    "emoji": "👨‍👩‍👧" * 800,
    "blanks": " \n\n" * 2000,
    "windows": PARAGRAPHS.replace("\n", "\r\n"),
}


def cutter(policy: BudgetPolicy = "head", question: str = "") -> Cutter:
    return Cutter(Estimator(), policy, question)


def test_the_mark_says_how_much_is_missing() -> None:
    assert mark(12400) == "[… 12,400 characters left out …]"


def test_what_fits_is_not_touched() -> None:
    cut = cutter().cut("Short.\n", 10)
    assert (cut.text, cut.kept, cut.left_out) == ("Short.\n", 7, 0)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
class TestAnyText:
    @pytest.mark.parametrize("tokens", [0, 30, 100, 1000])
    def test_takes_no_more_than_it_may(self, policy: BudgetPolicy, text: str, tokens: int) -> None:
        cut = cutter(policy, "paragraph 7 公园").cut(text, tokens)
        assert Estimator().tokens(cut.text) <= max(tokens, cutter().mark_tokens)

    @pytest.mark.parametrize("tokens", [0, 100, 1000])
    def test_is_kept_or_missing_to_the_last_character(
        self, policy: BudgetPolicy, text: str, tokens: int
    ) -> None:
        cut = cutter(policy, "paragraph 7 公园").cut(text, tokens)
        assert cut.kept + cut.left_out == len(text)

    def test_shows_only_what_it_holds(self, policy: BudgetPolicy, text: str) -> None:
        shown = cutter(policy, "paragraph 7 公园").cut(text, 200).text.split("\n\n[… ")
        pieces = [piece.split("left out …]\n\n")[-1] for piece in shown]
        assert all(piece in text or piece.endswith("…]") for piece in pieces)


class TestHead:
    def test_ends_with_a_paragraph(self) -> None:
        cut = cutter().cut(PARAGRAPHS, 200).text
        assert cut.startswith("This is paragraph 0 of many, about nothing.\n\nThis is paragraph 1")
        assert cut.rpartition("\n\n[… ")[0].endswith("about nothing.")

    def test_ends_with_a_sentence_where_there_are_no_paragraphs(self) -> None:
        assert cutter().cut(TEXTS["chinese"], 200).text.rpartition("\n\n[… ")[0].endswith("。")

    @pytest.mark.parametrize("tokens", range(40, 60))
    def test_does_not_part_a_letter_from_its_accent(self, tokens: int) -> None:
        assert cutter().cut(TEXTS["accents"], tokens).text.partition("\n")[0][-1:] in ("\u0301", "]")


class TestHeadAndTail:
    def test_keeps_both_ends(self) -> None:
        cut = cutter("head_tail").cut(PARAGRAPHS, 300).text
        assert "paragraph 0 " in cut
        assert "paragraph 99 " in cut
        assert cut.count("left out") == 1

    def test_keeps_more_of_the_beginning(self) -> None:
        head, _mark, tail = cutter("head_tail").cut(PARAGRAPHS, 600).text.partition("left out")
        assert len(head) > len(tail) > 100


class TestRelevant:
    def test_keeps_what_answers_the_question_where_it_stood(self) -> None:
        text = PARAGRAPHS + "Penguins live in the south.\n\n" + PARAGRAPHS
        cut = cutter("relevant", "Where do penguins live?").cut(text, 200).text
        assert "Penguins live in the south." in cut
        assert cut.startswith(("This is paragraph", "[… "))

    def test_works_without_spaces(self) -> None:
        text = TEXTS["chinese"] + "\n\n企鹅生活在南极。\n\n" + TEXTS["chinese"]
        assert "企鹅生活在南极。" in cutter("relevant", "企鹅在哪里？").cut(text, 100).text

    def test_marks_every_gap(self) -> None:
        text = PARAGRAPHS + "Penguins swim.\n\n" + PARAGRAPHS + "Penguins eat.\n\n" + PARAGRAPHS
        cut = cutter("relevant", "penguins").cut(text, 90).text
        assert cut.index("Penguins swim.") < cut.index("Penguins eat.")
        assert cut.count("left out") == 3

    def test_without_a_question_keeps_the_head(self) -> None:
        assert cutter("relevant", " ").cut(PARAGRAPHS, 200) == cutter("head").cut(PARAGRAPHS, 200)

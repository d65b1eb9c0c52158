"""A question set as text: it can be read, answered and skipped without buttons."""

import pytest
from django.utils import translation

from questions.readable import readable_text
from questions.shapes import Option, Question
from questions.text_answers import read_reply

TARGET = Question("target", "Target", "Where?", (Option("Staging", "the\nsafe one"), Option("Production")))
PARTS = Question("parts", "Parts", "Which\nparts?", (Option("Docs"), Option("Code")), multi_select=True)
OPEN = Question("followup", "Question", "What is the name?", ())


@pytest.fixture(autouse=True)
def _in_english():
    with translation.override("en"):
        yield


def test_one_question():
    assert readable_text([TARGET], seconds_left=899).splitlines() == [
        "Target: Where?",
        "1) Staging – the safe one",
        "2) Production",
        "",
        "Answer with an option's number or label, or in your own words.",
        "To skip the question, reply: skip",
        "Time left: 14 minutes",
    ]


def test_several_questions():
    assert readable_text([TARGET, PARTS], seconds_left=60).splitlines() == [
        "1. Target: Where?",
        "   1) Staging – the safe one",
        "   2) Production",
        "",
        "2. Parts: Which",
        "   parts?",
        "   (more than one may be chosen)",
        "   1) Docs",
        "   2) Code",
        "",
        "Answer with an option's number or label, or in your own words.",
        "Put commas between several options: 1, 3",
        "One line for each question, in order or with its number: “1. your answer”.",
        "A line with only “-” leaves its question open.",
        "To skip all questions, reply: skip",
        "Time left: 1 minute",
    ]


def test_a_question_without_options():
    assert "Answer in your own words." in readable_text([OPEN], seconds_left=30)


@pytest.mark.parametrize(("seconds", "left"), [(-3, "0 seconds"), (1, "1 second"), (59, "59 seconds")])
def test_the_last_minute_is_counted_in_seconds(seconds, left):
    assert readable_text([OPEN], seconds_left=seconds).endswith(f"Time left: {left}")


def test_the_word_it_names_skips():
    text = readable_text([TARGET], seconds_left=60)

    assert read_reply([TARGET], text.splitlines()[-2].rpartition(": ")[2]).skipped

"""What a plain-text reply to a question set means."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.reply_lines import MOST_LINES, lines_of
from questions.reply_values import free_text
from questions.shapes import Answer, Option, Question
from questions.text_answers import Reply, read_reply
from questions.trimming import trim

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases") / "questions" / "text_answers.json"
CASES = json.loads(FILE.read_bytes()) if FILE.exists() else []
handed = pytest.mark.skipif(not CASES, reason="cases: ASKWEB_CASES has no questions/text_answers.json")


def question(key, *labels, header="", multi=False):
    return Question(key, header or key.title(), f"{key}?", tuple(map(Option, labels)), multi)


TARGET = question("target", "Staging (Recommended)", "Production", "Local")
PARTS = question("parts", "Docs", "Tests", "Code, all of it", "Images", multi=True)
WINDOW = question("window", "Tonight", "Weekend", header="When, then")
THREE = [TARGET, WINDOW, PARTS]


def values(reply):
    return {key: [answer.value for answer in several] for key, several in reply.answers.items()}


def picked(asked, text):
    """Indexes of options, or the free text."""
    answers = read_reply([asked], text).answers[asked.id]
    return [answer.value if answer.index is None else answer.index for answer in answers]


@handed
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_handed_reply(case):
    asked = [
        Question(
            each["id"],
            each["header"],
            each["question"],
            tuple(Option(option["label"]) for option in each["options"]),
            each["multiSelect"],
        )
        for each in case["questions"]
    ]
    reply = read_reply(asked, case["reply"])
    answers = {
        key: [{"value": answer.value, "source": answer.source, "index": answer.index} for answer in several]
        for key, several in reply.answers.items()
    }

    assert {"answers": answers, "unmatched": list(reply.unmatched)} == case["expect"]


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (("1", "2"), "2", [1]),
        (("2", "1"), "2", [0]),
        (("X (Recommended)", "X"), "x", [1]),
        (("X (Recommended)", "Y"), "X(recommended)", ["X(recommended)"]),
        (("X (Recommended)", "Y"), "(Recommended)", ["(Recommended)"]),
        (("=3", "Y"), "=3", [0]),
        (("A", "B"), "０２", [1]),
        (("A", "B"), "১", [0]),
        (("A", "B"), "0" * 5000 + "2", [1]),
        (("A", "B"), "9" * 5000, ["9" * 5000]),
        (("A", "B"), "²", ["²"]),
        (("A", "B"), "①", ["①"]),
        (("A", "B"), "二", ["二"]),
        (("A", "B"), "1️⃣", ["1️⃣"]),
        (("é", "B"), "e\u0301", ["e\u0301"]),
        (("A b", "B"), "A  b", ["A  b"]),
        (("Straße", "B"), "STRASSE", [0]),
        (("A", "B"), "“2”", ["2"]),
        (("A", "B"), "“2", ["“2"]),
        (("A", "B"), '"2”', ['"2”']),
        (("A", "B"), '"a"', ["a"]),
        (("X (Recommended)", "B"), "= x", ["x"]),
        (("A", "B"), "=7", ["7"]),
        (("A", "B"), "=", ["="]),
        (("A", "B"), '""', ['""']),
        (("A", "B"), "1. 2", ["1. 2"]),
        (("A", "B"), "-", ["-"]),
        (("Skip", "B"), "skip", [0]),
        (("A", "B"), "  one line\t", ["one line"]),
        (("A", "B"), "\n\n  if x:\n\n    y \n \n", ["  if x:\n\n    y "]),
        (("A", "B"), "a\rb\r\nc", ["a\nb\nc"]),
    ],
)
def test_a_reply_to_one_question(labels, text, expected):
    assert picked(question("q", *labels), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("code, all of it", [2]),
        ("4、1；docs", [3, 0]),
        ("1,,2;", [0, 1]),
        (",;", [",;"]),
        ("1، 2", ["1، 2"]),
        ("1\r\n\r\n3", [0, 2]),
        ("1, =2", ["1, =2"]),
        ("Docs, and more\n  indented", ["Docs, and more\n  indented"]),
    ],
)
def test_a_reply_to_a_multi_select_question(text, expected):
    assert picked(PARTS, text) == expected


@pytest.mark.parametrize("word", ["skip", " SKIP\n", "跳过", "スキップ", "Bỏ qua", "bo\u0309 qua"])
@pytest.mark.parametrize("asked", [[TARGET], [TARGET, WINDOW]], ids=["one", "two"])
def test_a_word_skips_the_set(asked, word):
    assert read_reply(asked, word) == Reply(left_open=tuple(each.id for each in asked), skipped=True)


@pytest.mark.parametrize(
    ("text", "expected", "unmatched"),
    [
        ("1", {"target": ["Staging (Recommended)"]}, ("window", "parts")),
        ("\n1", {"window": ["Tonight"]}, ("target", "parts")),
        ("3. 1\n2.weekend", {"parts": ["Docs"], "window": ["Weekend"]}, ("target",)),
        ("２: 1", {"window": ["Tonight"]}, ("target", "parts")),
        ("2：weekend", {"window": ["Weekend"]}, ("target", "parts")),
        ("1.5\n2：30", {"target": ["1.5"], "window": ["2：30"]}, ("parts",)),
        ("1:\n0. x", {"window": ["0. x"]}, ("target", "parts")),
        ("WHEN, THEN：1\nTarget:2", {"target": ["Production"], "window": ["Tonight"]}, ("parts",)),
        ("when: 1", {"target": ["when: 1"]}, ("window", "parts")),
        ("parts: 1, 2", {"parts": ["Docs", "Tests"]}, ("target", "window")),
        ("target: 1:30", {"target": ["1:30"]}, ("window", "parts")),
        ("2. 1\n2. 2", {"window": ["Weekend"]}, ("target", "parts")),
        ("x\n1. 2", {"target": ["Production"]}, ("window", "parts")),
        (
            "parts: ```py\n  x = 1\n\n```\nTonight",
            {"parts": ["```py\n  x = 1\n\n```"], "window": ["Tonight"]},
            ("target",),
        ),
    ],
)
def test_a_reply_to_several_questions(text, expected, unmatched):
    reply = read_reply(THREE, text)

    assert (values(reply), reply.unmatched) == (expected, unmatched)


def test_a_dash_or_skip_leaves_a_question_open():
    reply = read_reply(THREE, "-\n2. skip\n1")

    assert (values(reply), reply.left_open, reply.unmatched) == (
        {"parts": ["Docs"]},
        ("target", "window"),
        (),
    )


def test_all_questions_left_open_skip_the_set():
    assert read_reply([TARGET, WINDOW], "-\n-").skipped


def test_a_line_that_is_a_label_is_no_key():
    asked = [question("a", "b: one", "two"), question("b", "one", "two")]

    assert values(read_reply(asked, "b: one\n2")) == {"a": ["b: one"], "b": ["two"]}


def test_two_equal_headers_mean_the_question_in_that_place():
    asked = [question("a", "x", "y", header="Same"), question("b", "x", "y", header="Same")]

    assert values(read_reply(asked, "same: 1\nsame: 2")) == {"a": ["x"], "b": ["y"]}


def test_a_line_that_answers_nothing_is_a_comment():
    assert read_reply([TARGET, WINDOW], "1\n2\n\nThank you!").comment == "Thank you!"


@pytest.mark.parametrize("text", ["", " ", "\n\r\n\u3000"])
def test_a_blank_reply_is_asked_again(text):
    assert read_reply(THREE, text) == Reply(unmatched=("target", "window", "parts"))


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("x\n" * MOST_LINES + "1. Production\n2. Weekend", "1. Production\n2. Weekend"),
        ("\n" * 10**6, "\n" * (10**6 - MOST_LINES)),
        ("x\n" * 10**6, "x\n" * (10**6 - MOST_LINES)),
        ("```\n" + "1. x\n" * 10**6, "```\n" + "1. x\n" * 10**6),
        ("```\n" + "`" * 10**6 + "x", "```\n" + "`" * 10**6 + "x"),
        ("~~~~\nx\n~~~\n \u3000~~~~~\t\nTonight", "Tonight"),
        ("1:" * 10**6, "1:" * 10**6),
    ],
)
def test_keys_are_looked_for_in_so_many_lines(text, last):
    lines = lines_of(THREE, text)

    assert len(lines) <= MOST_LINES + 1
    assert lines[-1].text == last
    assert "\n".join(line.text for line in lines) == text


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (PARTS, "1," * 10**6),
        (PARTS, "1\n" * 10**6),
        (PARTS, "," * 10**6),
        (TARGET, "e" + "\u0301\u0316" * 10**5),
        (TARGET, "1" * 10**6),
        (TARGET, "\u0661" * 10**6),
        (TARGET, "x" + " " * 10**6 + "x"),
    ],
)
def test_what_is_too_long_to_pick_anything_is_free_text(asked, text):
    assert picked(asked, text) == [free_text(text)]


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from(" \n\u3000xy")))
def test_free_text_loses_only_blank_lines_at_its_ends(text):
    lines = text.split("\n")
    while lines and not trim(lines[0]):
        del lines[0]
    while lines and not trim(lines[-1]):
        del lines[-1]

    assert free_text(text) == (trim(lines[0]) if len(lines) == 1 else "\n".join(lines))


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('1２.:：-= \n\r,;"“”`~sStagingwindowtarget\u0301')) | st.text(st.characters()))
@pytest.mark.parametrize("asked", [[TARGET], [PARTS], THREE], ids=["single", "multi", "three"])
def test_any_reply_settles_every_question(asked, text):
    reply = read_reply(asked, text)

    assert sorted([*reply.answers, *reply.unmatched, *reply.left_open]) == sorted(each.id for each in asked)
    assert [value for several in values(reply).values() for value in several if not trim(value)] == []


def test_an_answer_knows_where_it_comes_from():
    assert read_reply([TARGET], "staging").answers == {
        "target": (Answer("Staging (Recommended)", "option", 0),)
    }

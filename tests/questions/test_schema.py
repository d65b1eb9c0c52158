"""What `ask_user` accepts, what becomes of it, and which faults it names."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.schema import clamp_timeout, read_call
from questions.shapes import Option, Question, QuestionCall

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases") / "questions" / "schema.json"
CASES = json.loads(FILE.read_bytes()) if FILE.exists() else []
GOOD = [pytest.param(case, id=case["id"]) for case in CASES if case["expect"]["ok"]]
BAD = [pytest.param(case, id=case["id"]) for case in CASES if not case["expect"]["ok"]]
handed = pytest.mark.skipif(not CASES, reason="cases: ASKWEB_CASES has no questions/schema.json")

A, B = {"label": "A"}, {"label": "B"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(
                [
                    "questions",
                    "timeoutSeconds",
                    "id",
                    "header",
                    "question",
                    "options",
                    "label",
                    "description",
                    "x\ud800",
                ]
            ),
            inner,
        )
    ),
    max_leaves=20,
)


def question(**changes):
    return {"id": "env", "header": "Target", "question": "Where?", "options": [A, B], **changes}


def call(*questions, **changes):
    return {"questions": list(questions), **changes}


def faults(arguments):
    found = read_call(arguments)
    return [] if isinstance(found, QuestionCall) else [(fault.path, fault.code) for fault in found]


def option_shape(option):
    shape = {"label": option.label, "description": option.description, "recommended": option.recommended}
    return {key: value for key, value in shape.items() if value}


def question_shape(asked):
    return {
        "id": asked.id,
        "header": asked.header,
        "question": asked.question,
        "multiSelect": asked.multi_select,
        "options": [option_shape(option) for option in asked.options],
    }


@handed
@pytest.mark.parametrize("case", GOOD)
def test_a_handed_call_is_normalised(case):
    read = read_call(case["call"])

    assert isinstance(read, QuestionCall)
    assert case["expect"]["normalised"] == {
        "questions": [question_shape(asked) for asked in read.questions],
        "timeout_seconds": read.timeout_seconds,
    }


@handed
@pytest.mark.parametrize("case", BAD)
def test_a_handed_bad_call_has_its_faults(case):
    expected = [(error["path"], error["code"]) for error in case["expect"]["errors"]]

    assert sorted(faults(case["call"])) == sorted(expected)


def test_a_call_is_read_as_written():
    options = [
        {"label": " Fast (Recommended) ", "description": " soon "},
        {"label": "Slow", "description": ""},
    ]

    assert read_call(call(question(options=options, multiSelect=True), timeoutSeconds=60.0)) == QuestionCall(
        (Question("env", "Target", "Where?", (Option("Fast (Recommended)", "soon"), Option("Slow")), True),),
        60,
    )


@pytest.mark.parametrize(
    ("arguments", "path", "code"),
    [
        (None, "", "wrong_type"),
        ([], "", "wrong_type"),
        ("nonsense", "", "wrong_type"),
        ("[" * 100_000, "", "wrong_type"),
        (json.dumps(json.dumps(json.dumps(call(question())))), "", "wrong_type"),
        ("", "questions", "missing"),
        (" \n", "questions", "missing"),
        ({}, "questions", "missing"),
        (call(questions=None), "questions", "missing"),
        (call(questions="one"), "questions", "wrong_type"),
        (call(), "questions", "too_few"),
        (call(*[{}] * 4), "questions", "too_many"),
        (call("one"), "questions[0]", "wrong_type"),
        (call(question(id=None)), "questions[0].id", "missing"),
        (call(question(id=1)), "questions[0].id", "wrong_type"),
        (call(question(id="")), "questions[0].id", "bad_id"),
        (call(question(id="env\n")), "questions[0].id", "bad_id"),
        (call(question(id=" env")), "questions[0].id", "bad_id"),
        (call(question(id="é")), "questions[0].id", "bad_id"),
        (call(question(id="1st")), "questions[0].id", "bad_id"),
        (call(question(id="i" * 65)), "questions[0].id", "bad_id"),
        (call(question(), question()), "questions[1].id", "duplicate_id"),
        (call(question(header="\u3000\u2028")), "questions[0].header", "blank"),
        (call(question(header="A\tB")), "questions[0].header", "control_character"),
        (call(question(question="q" * 1001)), "questions[0].question", "too_long"),
        (call(question(question="a\x00b")), "questions[0].question", "control_character"),
        (call(question(question="\x1f")), "questions[0].question", "control_character"),
        (call(question(question="\ud83d")), "questions[0].question", "control_character"),
        (call(question(options={})), "questions[0].options", "wrong_type"),
        (call(question(options=[A, "B", B])), "questions[0].options[1]", "wrong_type"),
        (call(question(options=[A, {"label": 2}])), "questions[0].options[1].label", "wrong_type"),
        (
            call(question(options=[A, {"label": "C", "description": 0}])),
            "questions[0].options[1].description",
            "wrong_type",
        ),
        (
            call(question(options=[A, {"label": "B\nC"}])),
            "questions[0].options[1].label",
            "control_character",
        ),
        (
            call(question(options=[A, {"label": "\u00a0a"}])),
            "questions[0].options[1].label",
            "duplicate_label",
        ),
        (
            call(question(options=[{"label": "Straße"}, {"label": "STRASSE"}])),
            "questions[0].options[1].label",
            "duplicate_label",
        ),
        (call(question(options=[A, {"label": "KHÁC"}])), "questions[0].options", "only_other"),
        (call(question(options=[{"label": "その他"}])), "questions[0].options", "only_other"),
        (
            call(question(options=[A, B, {"label": "Other", "x": 1}])),
            "questions[0].options[2].x",
            "unknown_key",
        ),
        (call(question(multiSelect=1)), "questions[0].multiSelect", "wrong_type"),
        (call(question(), timeoutSeconds=float("inf")), "timeoutSeconds", "not_integer"),
        (call(question(), timeoutSeconds=float("nan")), "timeoutSeconds", "not_integer"),
        (call(question(), timeoutSeconds=[]), "timeoutSeconds", "not_integer"),
    ],
)
def test_one_fault_is_named_by_path_and_code(arguments, path, code):
    assert faults(arguments) == [(path, code)]


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "two\nlines\tand a tab"},
        {"question": "q" * 1000},
        {"id": "i" * 64},
        {"id": "constructor"},
        {"multiSelect": None},
        {"options": [{"label": "A", "description": None}, {"label": "Others"}]},
        {"options": [{"label": "X"}, {"label": "X (Recommended)"}]},
        {"options": [{"label": "é"}, {"label": "e\u0301"}]},
        {"options": [{"label": "Ｏｔｈｅｒ"}, {"label": "Other…"}, {"label": "Other (Recommended)"}]},
        {"options": [A, B, {"label": "other", "description": "d" * 501}]},
    ],
)
def test_this_is_no_fault(changes):
    assert faults(call(question(**changes))) == []


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        (" twelve chars ", "twelve chars"),
        ("twelve charss", "twelve chars"),
        ("eleven char now", "eleven char"),
        ("Team chat 👨‍👩‍👧", "Team chat"),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
        ("a" + "\u0301" * 12 + "b", "a" + "\u0301" * 12),
        ("abcdefghijk🇻🇳🇯🇵", "abcdefghijk"),
        ("abcdefghij🇻🇳🇯🇵", "abcdefghij🇻🇳"),
        ("abcdefghijk👍🏽", "abcdefghijk"),
        ("abcdefghijkक्ष", "abcdefghijk"),
        ("abcdefghijk\u1112\u1161\u11ab", "abcdefghijk"),
        ("abcdefghijk각", "abcdefghijk각"),
        ("ก" * 12 + "ำ", "ก" * 11),
    ],
)
def test_a_header_is_cut_between_graphemes(header, kept):
    read = read_call(call(question(header=header)))

    assert isinstance(read, QuestionCall)
    assert read.questions[0].header == kept


@pytest.mark.parametrize(
    ("label", "recommended"),
    [
        ("Fast (Recommended)", True),
        ("Fast(RECOMMENDED)", True),
        ("(Recommended) (recommended)", True),
        ("(Recommended)", False),
        ("Fast Recommended", False),
        ("Fast (Recommended) way", False),
        ("Fast （Recommended）", False),
    ],
)
def test_the_suffix_recommends(label, recommended):
    assert Option(label).recommended is recommended


@pytest.mark.parametrize(
    ("seconds", "clamped"), [(-1, 30), (29, 30), (30, 30), (3600, 3600), (3601, 3600), (1e300, 3600)]
)
def test_a_timeout_is_clamped(seconds, clamped):
    assert clamp_timeout(seconds) == clamped


def test_a_very_long_number_is_clamped_too():
    arguments = json.dumps(call(question(), timeoutSeconds=7)).replace("7", "7" * 9999)

    assert read_call(arguments) == read_call(call(question(), timeoutSeconds=3600))


def test_every_message_begins_with_its_path():
    found = read_call(call(question(id="Bad", nonsense=1), timeoutSeconds="60"))

    assert not isinstance(found, QuestionCall)
    assert [fault.path for fault in found if not fault.message.startswith(f"{fault.path}: ")] == []


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_no_arguments_raise_and_every_fault_can_be_sent(arguments):
    for given_as in (arguments, call(arguments), call(question(options=arguments)), json.dumps(arguments)):
        assert "".join(path for path, _ in faults(given_as)).encode() is not None

"""A follow-up call in streamed text: what is shown, what is asked, what is refused."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.followup import FollowupReader
from questions.followup_xml import FollowupCall, read_native_followup
from questions.results import followup_shape

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases")
FILE = FOLDER / "questions" / "xml_followup.json"
CASES = json.loads(FILE.read_bytes()) if FILE.exists() else []
handed = pytest.mark.skipif(not CASES, reason="cases: ASKWEB_CASES has no questions/xml_followup.json")
each_case = pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
SEEDS = sorted((FOLDER / "seeds").glob("followup-*.xml"))
COUNTS = {"followup-1": 3, "followup-2": 4, "followup-3": 3}

OPEN, CLOSE = "<ask_followup_question>", "</ask_followup_question>"
CALL = f"{OPEN}<question>Go?</question><follow_up><suggest>Yes</suggest></follow_up>{CLOSE}"
FRAGMENTS = [
    OPEN,
    CLOSE,
    CALL,
    "<question>",
    "</question>",
    "<follow_up>",
    "</follow_up>",
    "<suggest>",
    "</suggest>",
]
FRAGMENTS += [
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    " ",
    "&",
    "&amp;",
    "&#65;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<",
    ">",
]
FRAGMENTS += ["<ask_followup_question", "/>", "text", "- ", "> ", "\r\n", "\ud800", "\x00", "<!DOCTYPE a>"]


class Reading:
    """All that a reader let out, chunk by chunk and at the end."""

    def __init__(self, chunks):
        reader = FollowupReader()
        self.shown = [reader.feed(chunk) for chunk in chunks]
        self.outcome = reader.end()
        self.all_shown = [*self.shown, self.outcome.shown]

    def text(self, end=None):
        return "".join(shown.text for shown in self.all_shown[:end])

    def preview(self, end=None):
        return "".join(shown.question for shown in self.all_shown[:end])

    @property
    def withdrawn(self):
        return any(shown.withdrawn for shown in self.all_shown)

    @property
    def error(self):
        return self.outcome.fault.code if self.outcome.fault else None

    def summary(self):
        return (
            self.text(),
            self.preview(),
            self.withdrawn,
            self.outcome.call,
            self.outcome.fault,
            self.outcome.later,
        )


def around(inside):
    return f"{OPEN}{inside}{CLOSE}"


def asking(*suggestions, question="Go?"):
    suggests = "".join(f"<suggest>{suggestion}</suggest>" for suggestion in suggestions)
    return around(f"<question>{question}</question><follow_up>{suggests}</follow_up>")


def expected_of(reading):
    call = reading.outcome.call or FollowupCall("")
    return {
        "visible_text": reading.text(),
        "question": call.question or None,
        "suggestions": list(call.suggestions),
        "error": reading.error,
    }


@handed
@each_case
@pytest.mark.parametrize(
    "cut", [list, "".join, lambda chunks: [*"".join(chunks)]], ids=["cut", "whole", "bits"]
)
def test_a_handed_reply(case, cut):
    chunks = cut(case["chunks"])

    assert expected_of(Reading([chunks] if isinstance(chunks, str) else chunks)) == case["expect"]


@handed
@each_case
def test_a_handed_reply_is_shown_as_it_arrives(case):
    reading = Reading(case["chunks"])
    partials = [(part["after_chunk"] + 1, part) for part in case.get("partial", [])]

    assert [(reading.text(end), reading.preview(end).strip()) for end, _ in partials] == [
        (part["visible_so_far"], part["question_so_far"].strip()) for _, part in partials
    ]


@pytest.mark.skipif(not SEEDS, reason="cases: ASKWEB_CASES has no seeds/followup-*.xml")
@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in SEEDS])
@pytest.mark.parametrize("size", [1, 10**6], ids=["bits", "whole"])
def test_a_seed_is_asked_and_nothing_of_it_is_seen(file, size):
    text = file.read_text(encoding="utf-8")
    reading = Reading([text[at : at + size] for at in range(0, len(text), size)])

    assert reading.text().strip() == ""
    assert reading.outcome.call is not None
    assert len(followup_shape(reading.outcome.call)["suggest"]) == COUNTS[file.stem]


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("", ""),
        (f"a {CALL} b", "a  b"),
        (f"a\n\n{CALL}\n", "a\n\n\n"),
        ("<ask_followup_questions>", "<ask_followup_questions>"),
        ("<Ask_Followup_Question>", "<Ask_Followup_Question>"),
        ("< ask_followup_question>", "< ask_followup_question>"),
        (f"<{CALL}", "<"),
        (f"~~~\n{CALL}\n~~~\n", f"~~~\n{CALL}\n~~~\n"),
        (f"~~~\n{CALL}\n```\n{CALL}", f"~~~\n{CALL}\n```\n{CALL}"),
        (f"````\n```\n{CALL}\n````\n{CALL}", f"````\n```\n{CALL}\n````\n"),
        (f"- ```xml\r\n  {CALL}\r\n  ```\r\n{CALL}", f"- ```xml\r\n  {CALL}\r\n  ```\r\n"),
        (f"> ~~~\n> {CALL}", f"> ~~~\n> {CALL}"),
        (f"```{OPEN}\n```\n", f"```{OPEN}\n```\n"),
        (f"a ``` b\n{CALL}", "a ``` b\n"),
        (f"`a` {CALL}", "`a` "),
        (f"`` ` {CALL} ``", f"`` ` {CALL} ``"),
        (f"` {CALL} ``", "`  ``"),
        (f"`\n{CALL} `", "`\n `"),
        (f"` {CALL}\n`", "` \n`"),
        (f"` {CALL}", "` "),
        (f"`{OPEN}`", f"`{OPEN}`"),
    ],
)
def test_what_is_seen(text, visible):
    assert Reading([text]).text() == visible


@pytest.mark.parametrize(
    ("xml", "call"),
    [
        (CALL, FollowupCall("Go?", ("Yes",))),
        (asking(" A ", "a", "", "Other", "B"), FollowupCall("Go?", ("A", "B"))),
        (asking("1", "2", "3", "4", "khác"), FollowupCall("Go?", ("1", "2", "3", "4"))),
        (asking(question="a <b>bold</b> <!-- x -->word"), FollowupCall("a bold word")),
        (asking(question=f"<![CDATA[a & {CLOSE}]]>"), FollowupCall(f"a & {CLOSE}")),
        (asking("a & b &c &amp; &#38;", question="?"), FollowupCall("?", ("a & b &c & &",))),
        (asking("s" * 500, question="q" * 1000), FollowupCall("q" * 1000, ("s" * 500,))),
        (asking("two\nlines"), FollowupCall("Go?", ("two\nlines",))),
        (f'<ask_followup_question a="1"\n><question b="2">?</question>{CLOSE}', FollowupCall("?")),
        (around("<question>?</question><follow_up/>"), FollowupCall("?")),
    ],
)
def test_a_good_call(xml, call):
    assert Reading([xml]).outcome.call == call


@pytest.mark.parametrize(
    ("xml", "code"),
    [
        ("<ask_followup_question/>", "missing_question"),
        (around("<question/>"), "missing_question"),
        (around("Go?"), "missing_question"),
        (around("<Question>Go?</Question>"), "missing_question"),
        (asking("1", "2", "3", "4", "5"), "too_many"),
        (asking(question="q" * 1001), "invalid_format"),
        (asking("s" * 501), "invalid_format"),
        (asking("a\x85b"), "invalid_format"),
        (asking(question="<b>" * 99 + "</b>" * 99), "invalid_format"),
        (around(CALL), "invalid_format"),
        (asking(question=CALL), "invalid_format"),
        (around("<question>A</question><question>B</question>"), "invalid_format"),
        (around("<question>A</question> words"), "invalid_format"),
        (around("<question>A</question><suggest>B</suggest>"), "invalid_format"),
        (around("<question>A</question><follow_up>B</follow_up>"), "invalid_format"),
        (around("<question>A</question><follow_up><option>B</option></follow_up>"), "invalid_format"),
        (asking(question="a < b"), "malformed_xml"),
        (asking(question="a&nbsp;b"), "malformed_xml"),
        (asking(question="\ud800"), "malformed_xml"),
        (asking(question="\x00"), "malformed_xml"),
        (around("<question>A"), "malformed_xml"),
        ("<ask_followup_question", "malformed_xml"),
        (OPEN, "malformed_xml"),
        (f"{OPEN}<![CDATA[{CLOSE}", "malformed_xml"),
        (around("<!DOCTYPE a><question>A</question>"), "malformed_xml"),
    ],
)
def test_a_bad_call_shows_nothing_of_itself(xml, code):
    reading = Reading([f"before {xml}"])

    assert (reading.text(), reading.error, reading.outcome.call) == ("before ", code, None)
    assert reading.outcome.raw == xml


@pytest.mark.parametrize(
    ("xml", "line", "column"),
    [
        (around("<question>A</questio>"), 1, len(OPEN) + 14),
        (around("\n<question>你好</questio>"), 2, 15),
        (around("&& \r\n&<b>&</c>"), 2, 8),
        (around("<![CDATA[&]]></c>"), 1, len(OPEN) + 16),
        (around("\n\ud800"), 2, 1),
    ],
)
def test_malformed_xml_is_located_in_the_call(xml, line, column):
    fault = Reading([xml]).outcome.fault

    assert fault is not None
    assert (fault.line, fault.column) == (line, column)
    assert f"line {line}, column {column}" in fault.message
    assert fault.chinese.startswith(f"操作解析失败：第{line}行第{column}列")


def test_the_words_of_a_missing_question():
    fault = Reading([around("")]).outcome.fault

    assert fault is not None
    assert (fault.message, fault.chinese) == (
        "Missing required parameter 'question'",
        "缺失必选参数'question'",
    )


def test_the_words_of_a_wrong_form():
    fault = Reading([asking(*"12345")]).outcome.fault

    assert fault is not None
    assert fault.chinese.startswith("操作XML格式不合法")


def test_the_preview_of_a_bad_call_is_withdrawn():
    reading = Reading([f"{OPEN}<question>Which one", "</question></b>", CLOSE])

    assert reading.preview(1) == "Which one"
    assert [shown.withdrawn for shown in reading.shown] == [False, False, True]


def test_the_preview_of_an_unclosed_call_is_withdrawn_at_the_end():
    assert Reading([f"{OPEN}<question>Which"]).outcome.shown.withdrawn


def test_a_good_call_keeps_its_preview():
    assert not Reading([CALL]).withdrawn


@pytest.mark.parametrize(
    ("inside", "preview"),
    [
        ("R&", "R"),
        ("R&D", "R"),
        ("R&D or", "R&D or"),
        ("a &lt;b&gt; &#x4F60;", "a <b> 你"),
        ("a <b>bold", "a bold"),
        ("a <b", "a "),
        ("<![CDATA[a & b]]", "a & b"),
        ("<![CDATA[a]] b]]> c", "a]] b c"),
        ("a<!-- b > c -->d", "ad"),
        ("q" * 2000, "q" * 1000),
    ],
)
def test_the_question_is_previewed_as_text(inside, preview):
    assert Reading([*f"{OPEN}<question>{inside}"]).preview() == preview


def test_the_first_call_decides_and_later_ones_are_only_reported():
    second = asking(question="And?")
    reading = Reading([f"{CALL} and {second}."])

    assert (reading.text(), reading.outcome.call, reading.outcome.later) == (
        " and .",
        FollowupCall("Go?", ("Yes",)),
        (second,),
    )


def test_a_bad_first_call_is_not_replaced_by_a_good_second():
    reading = Reading([around("") + CALL])

    assert (reading.error, reading.outcome.call) == ("missing_question", None)


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        ({"question": "Go?"}, FollowupCall("Go?")),
        ({"question": "Go?", "follow_up": None}, FollowupCall("Go?")),
        ({"question": "Go?", "follow_up": ["A", " B", "a"]}, FollowupCall("Go?", ("A", "B"))),
        ({"question": "Go?", "follow_up": "<suggest>A & B</suggest>"}, FollowupCall("Go?", ("A & B",))),
        (
            {"question": "?", "follow_up": "<follow_up><suggest>A</suggest></follow_up>"},
            FollowupCall("?", ("A",)),
        ),
        ('{"question": "Go?"}', FollowupCall("Go?")),
    ],
)
def test_a_native_call_is_the_same_thing(arguments, call):
    assert read_native_followup(arguments) == call


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "invalid_format"),
        ({}, "missing_question"),
        ({"question": " "}, "missing_question"),
        ({"question": 1}, "invalid_format"),
        ({"question": "?", "follow_up": 1}, "invalid_format"),
        ({"question": "?", "follow_up": [1]}, "invalid_format"),
        ({"question": "?", "follow_up": "A"}, "invalid_format"),
        ({"question": "?", "follow_up": "<suggest>"}, "malformed_xml"),
        ({"question": "?", "follow_up": [*"12345"]}, "too_many"),
        ({"question": "?", "other": 1}, "invalid_format"),
    ],
)
def test_a_bad_native_call(arguments, code):
    fault = read_native_followup(arguments)

    assert not isinstance(fault, FollowupCall)
    assert fault.code == code


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25), st.data())
def test_cut_up_anywhere_it_says_the_same(fragments, data):
    text = "".join(fragments)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    whole = Reading([text]).summary()
    assert Reading(pieces).summary() == whole
    assert Reading([*text]).summary() == whole


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters()))
def test_text_without_a_tag_is_shown_whole(text):
    assert Reading([*text]).text() == text


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25))
def test_nothing_is_lost_but_the_calls(fragments):
    text = "".join(fragments)
    reading = Reading([text])
    raws = [reading.outcome.raw or "", *reading.outcome.later]

    assert sorted(reading.text() + "".join(raws)) == sorted(text)

"""What the model gets when a question set ends, exactly."""

import json
import os
from pathlib import Path

import pytest

from questions import results
from questions.schema import read_call
from questions.shapes import Answer, Fault, Option, Question
from questions.text_answers import read_reply

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases") / "seeds" / "ask-user-answered.json"
TARGET = Question(
    "deploy_target", "Target", "Where?", (Option("Staging (Recommended)"), Option("Production"))
)
STAGING = Answer("Staging (Recommended)", "option", 0)


@pytest.mark.skipif(not SEED.exists(), reason="cases: ASKWEB_CASES has no seeds/ask-user-answered.json")
@pytest.mark.parametrize("reply", ["1", "staging", "Staging (Recommended)"])
def test_the_seed_is_what_the_model_gets(reply):
    answers = read_reply([TARGET], reply).answers

    assert results.answered(answers, ids=["deploy_target"]) == json.loads(SEED.read_bytes())


def test_a_full_answer_says_nothing_more():
    assert results.answered({"a": [STAGING]}, ids=["a"]) == {
        "status": "answered",
        "answers": {"answers": {"a": {"answers": ["Staging (Recommended)"]}}},
    }


def test_a_partial_answer_names_what_is_missing_and_the_comment():
    several = [Answer("B", "option", 1), Answer("x" * 9000, "other")]

    assert results.answered({"b": several, "a": []}, ids=["a", "b", "c"], comment="Hm") == {
        "status": "answered",
        "answers": {"answers": {"b": {"answers": ["B", "x" * 9000]}}},
        "comment": "Hm",
        "unanswered": ["a", "c"],
    }


@pytest.mark.parametrize("reason", ["skipped", "expired", "cancelled"])
def test_no_answer_says_why_and_to_go_on(reason):
    result = results.no_answer(reason)

    assert (result["status"], result["reason"]) == ("no_answer", reason)
    assert "go on with your best judgement" in result["message"]


def test_details_say_where_a_value_comes_from():
    assert results.details({"a": [STAGING, Answer("Later (Recommended)", "other")]}) == {
        "a": [
            {"value": "Staging (Recommended)", "source": "option", "index": 0, "recommended": True},
            {"value": "Later (Recommended)", "source": "other", "index": None},
        ]
    }


def test_a_bad_call_gets_one_error_for_each_fault():
    assert results.refused([Fault("questions", "missing", "questions: required, a list.")]) == {
        "status": "error",
        "errors": [{"path": "questions", "code": "missing", "message": "questions: required, a list."}],
    }


def test_faults_of_a_call_can_be_told():
    found = read_call({})

    assert isinstance(found, tuple)
    assert results.refused(found)["errors"][0]["path"] == "questions"


def test_a_followup_is_answered_in_a_message():
    assert results.followup_answer([Answer("选用Tailwind CSS", "option", 1)]) == (
        "<answer>\n选用Tailwind CSS\n</answer>"
    )


def test_a_followup_without_an_answer():
    assert results.followup_no_answer("skipped").startswith('<no_answer reason="skipped" />\n')


def test_only_one_set_at_a_time():
    assert "ask one at a time" in results.ask_one_at_a_time()["errors"][0]["message"]

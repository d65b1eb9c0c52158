"""Answers: the first submission wins, the same again is the same success, everybody else is told who won."""

import threading
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.images.cleaning import CleanImage
from askweb.images.models import Image
from questions.answering import answer_set
from questions.drafting import BYTES_LIMIT
from questions.ending import Sender
from questions.models import QuestionSet, RememberedAnswer, Status
from questions.reading_answers import stored_answers
from questions.resolving import resolve
from questions.results import answered
from questions.shapes import Answer
from tests.conversations.conftest import Published, published
from tests.questions.conftest import AskSet, Call, question, several
from tests.questions.test_text_answers import CASES, handed

__all__ = ["published"]
pytestmark = pytest.mark.django_db

SENDER = Sender("tests")
ANSWERS = {"a": Answer("Staging (Recommended)", "option", 0), "b": Answer("Production", "option", 1)}
STAGING = {"target": {"options": [0]}}
PRODUCTION = {"target": {"options": [1]}}


def option(value: str, index: int) -> dict[str, Any]:
    return {"value": value, "source": "option", "index": index}


def other(value: str) -> dict[str, Any]:
    return {"value": value, "source": "other", "index": None}


def sent(answers: object, client_id: str = "1", **more: object) -> dict[str, Any]:
    return {"client_id": client_id, "answers": answers, **more}


def fields(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 422, answer.content
    told: dict[str, Any] = answer.json()["error"]["fields"]
    return told


class TestOneWins:
    def test_01_the_second_tab_is_told_who_won_where_and_with_what(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        assert call(row, "answer", sent(STAGING, "a", surface="tab-a")).status_code == 200
        late = call(row, "answer", sent(PRODUCTION, "b"))
        told = late.json()["question_set"]
        assert (late.status_code, late.json()["error"]["code"]) == (409, "question.already_resolved")
        assert (told["status"], told["resolved_by"]["surface"]) == ("answered", "tab-a")
        assert told["answers"] == {"target": [option("Staging (Recommended)", 0)]}

    @pytest.mark.django_db(transaction=True)
    def test_01_of_two_at_the_same_moment_one_wins(self, ask_set: AskSet) -> None:
        row, start, told = ask_set(), threading.Barrier(2), list[str]()

        def submit(client_id: str, answers: object) -> None:
            own = QuestionSet.objects.get(pk=row.pk)
            start.wait()
            try:
                told.append(answer_set(own, sent(answers, client_id), sender=SENDER).resolved_as)
            except Problem as problem:
                told.append(problem.code)
            connection.close()

        threads = [threading.Thread(target=submit, args=args) for args in (("a", STAGING), ("b", PRODUCTION))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        row.refresh_from_db()
        assert sorted(told) == sorted([row.resolved_as, "question.already_resolved"])
        assert row.answers == stored_answers({"target": [ANSWERS[row.resolved_as]]})

    def test_02_the_same_again_is_the_same_success(
        self, ask_set: AskSet, call: Call, person: User, published: Published
    ) -> None:
        row = ask_set()
        with published.committed():  # type: ignore[attr-defined]
            first, again = (call(row, "answer", sent(STAGING)) for _each in range(2))
        assert (again.status_code, again.json()) == (200, first.json())
        assert published.events(person.pk).count("question.answered") == 1

    def test_02_with_another_body_it_changes_nothing(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        first = call(row, "answer", sent(STAGING))
        again = call(row, "answer", sent({"target": "nonsense"}))
        assert (again.status_code, again.json()) == (200, first.json())

    def test_04_an_answer_after_the_deadline_is_refused_as_expired(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(seconds=30)
        now = row.expires_at + timedelta(seconds=1)
        with pytest.raises(Problem, match="time") as told:
            answer_set(row, sent(STAGING), sender=SENDER, now=now)
        assert (told.value.code, told.value.status) == ("question.already_resolved", 409)
        assert told.value.data["question_set"]["status"] == "expired"  # type: ignore[index]
        row.refresh_from_db()
        assert (row.status, row.answers) == (Status.EXPIRED, None)

    def test_12_a_cancelled_set_takes_no_answer(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        call(row, "draft", {"answers": {"target": {"other": "typed"}}, "revision": 0})
        resolve(row, Status.CANCELLED)
        told = call(row, "answer", sent(STAGING)).json()["question_set"]
        assert (told["status"], told["reason"], told["answers"]) == ("cancelled", "cancelled", None)
        assert told["draft"]["answers"] == {"target": {"other": "typed"}}

    def test_what_ended_it_counts_before_what_is_wrong_with_the_body(
        self, ask_set: AskSet, call: Call
    ) -> None:
        row = ask_set()
        call(row, "skip", {"client_id": "a"})
        assert call(row, "answer", sent({"lost": {}}, "b")).status_code == 409


class TestAnswers:
    @pytest.mark.parametrize(
        ("entry", "values"),
        [
            ({"options": [0]}, [option("A", 0)]),
            ({"options": [2, 0]}, [option("C", 2), option("A", 0)]),
            ({"options": [], "other": "  free\n text "}, [other("  free\n text ")]),
            ({"options": [1], "other": "and this"}, [option("B (Recommended)", 1), other("and this")]),
            ({"options": [1], "other": " \u3000 "}, [option("B (Recommended)", 1)]),
            ({"other": "A"}, [other("A")]),
            ({"other": "x" * 20_000}, [other("x" * 20_000)]),
            ({"other": "\x00"}, [other("\ufffd")]),
        ],
    )
    def test_values_are_kept_as_authored_and_as_typed(
        self, ask_set: AskSet, call: Call, entry: object, values: object
    ) -> None:
        row = ask_set(question("q", "A", "B (Recommended)", "C", multiSelect=True))
        assert call(row, "answer", sent({"q": entry})).json()["answers"] == {"q": values}

    def test_details_say_what_was_recommended(self, ask_set: AskSet, call: Call) -> None:
        details = call(ask_set(), "answer", sent(STAGING)).json()["details"]
        assert details["target"] == [option("Staging (Recommended)", 0) | {"recommended": True}]

    def test_10_what_is_left_open_is_absent_and_listed(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b", "c"))
        entries = {"c": {"options": [1]}, "b": {"options": [], "other": " "}, "a": {"options": [0]}}
        shown = call(row, "answer", sent(entries)).json()
        assert (shown["status"], shown["unanswered"], list(shown["answers"])) == (
            "answered",
            ["b"],
            ["a", "c"],
        )

    def test_10_the_model_gets_no_empty_answer(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b", "c"))
        call(row, "answer", sent({"a": {"options": [0]}, "c": {"other": "mine"}}))
        row.refresh_from_db()
        assert answered(row.given(), ids=row.ids) == {
            "status": "answered",
            "answers": {"answers": {"a": {"answers": ["Staging (Recommended)"]}, "c": {"answers": ["mine"]}}},
            "unanswered": ["b"],
        }

    @pytest.mark.parametrize(
        ("entry", "code"),
        [
            ({"options": [2]}, "unknown_option"),
            ({"options": [-1]}, "unknown_option"),
            ({"options": [0, 0]}, "duplicate"),
            ({"options": [True]}, "wrong_type"),
            ({"options": [0.0]}, "wrong_type"),
            ({"options": ["0"]}, "wrong_type"),
            ({"options": 0}, "wrong_type"),
            ({"options": [0, 1]}, "too_many"),
            ({"options": [0], "other": "too"}, "too_many"),
            ({"other": 7}, "wrong_type"),
            ({"options": [0], "surprise": 1}, "wrong_type"),
            ("Staging", "wrong_type"),
            ([0], "wrong_type"),
        ],
    )
    def test_what_can_not_be_meant_is_refused(
        self, ask_set: AskSet, call: Call, entry: object, code: str
    ) -> None:
        row = ask_set()
        told = fields(call(row, "answer", sent({"target": entry})))
        assert [fault["code"] for fault in told["answers.target"]] == [code]
        row.refresh_from_db()
        assert row.is_pending

    def test_each_question_has_its_own_message(self, ask_set: AskSet, call: Call) -> None:
        entries = {"a": {"options": [9]}, "b": {"options": [0]}, "c": {"other": []}, "lost": {}}
        told = fields(call(ask_set(*several("a", "b", "c")), "answer", sent(entries)))
        assert {path: len(faults) for path, faults in told.items()} == {
            "answers.a": 1, "answers.c": 1, "answers.lost": 1,
        }  # fmt: skip

    @pytest.mark.parametrize(
        "body", [{}, {"answers": None}, {"answers": {"target": None}, "comment": " "}, {"text": " \n"}]
    )
    def test_nothing_at_all_is_refused_with_a_word_of_skip(
        self, ask_set: AskSet, call: Call, body: dict[str, object]
    ) -> None:
        answer = call(ask_set(), "answer", {"client_id": "1", **body})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "question.nothing_answered")
        assert "Skip" in answer.json()["error"]["message"]

    def test_a_comment_says_something(self, ask_set: AskSet, call: Call) -> None:
        shown = call(ask_set(), "answer", sent({}, comment=" ask Ann ")).json()
        assert (shown["status"], shown["comment"], shown["unanswered"]) == (
            "answered",
            " ask Ann ",
            ["target"],
        )

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"answers": STAGING}, "client_id"),
            (sent(STAGING, " "), "client_id"),
            (sent(STAGING, "x" * 201), "client_id"),
            (sent([]), "answers"),
            (sent(STAGING, comment=1), "comment"),
            (sent(STAGING, surprise=1), "surprise"),
            (sent(STAGING, surface="x" * 201), "surface"),
            (sent(STAGING, text="1"), "answers"),
            ({"client_id": "1", "text": "1", "comment": "too"}, "comment"),
            ({"client_id": "1", "text": 1}, "text"),
        ],
    )
    def test_a_body_that_is_not_clear_is_refused(
        self, ask_set: AskSet, call: Call, body: object, path: str
    ) -> None:
        assert set(fields(call(ask_set(), "answer", body))) == {path}

    def test_a_followups_suggestions_are_its_options(self, ask_set: AskSet, call: Call) -> None:
        long = "An answer of many words. " * 12
        asked = {"id": "followup", "header": "Question", "question": "Which?", "multi_select": False}
        options = [{"label": long, "description": "", "recommended": False}]
        row = ask_set(source="xml", questions=[{**asked, "options": options}])
        shown = call(row, "answer", sent({"followup": {"options": [0]}})).json()
        assert shown["answers"] == {"followup": [option(long, 0)]}

    def test_images_go_with_it(self, ask_set: AskSet, call: Call, person: User) -> None:
        image = Image.objects.store(person, CleanImage(media_type="image/png", width=1, height=1, data=b"1"))
        shown = call(ask_set(), "answer", sent({}, images=[str(image.pk)])).json()
        assert (shown["status"], shown["images"]) == ("answered", [str(image.pk)])

    def test_anothers_image_is_refused(self, ask_set: AskSet, call: Call) -> None:
        unknown = str(UUID(int=1))
        assert set(fields(call(ask_set(), "answer", sent(STAGING, images=[unknown])))) == {"images"}


class TestTextReplies:
    def test_a_label_or_a_number_picks_an_option(self, ask_set: AskSet, call: Call) -> None:
        shown = call(ask_set(), "answer", {"client_id": "1", "text": "staging"}).json()
        assert shown["answers"] == {"target": [option("Staging (Recommended)", 0)]}

    def test_other_lines_are_the_comment(self, ask_set: AskSet, call: Call) -> None:
        text = "1. Staging\n2. Production\nAnd hurry"
        shown = call(ask_set(*several("a", "b")), "answer", {"client_id": "1", "text": text}).json()
        assert (list(shown["answers"]), shown["comment"]) == (["a", "b"], "And hurry")

    def test_a_word_for_skip_skips_the_set(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b"))
        first, again = (call(row, "answer", {"client_id": "1", "text": "跳过"}) for _each in range(2))
        assert (first.json()["status"], again.json()) == ("skipped", first.json())

    def test_a_question_that_is_left_out_is_asked_again_by_name(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b", "c"))
        answer = call(row, "answer", {"client_id": "1", "text": "1. Staging\n\n3. my own"})
        told = fields(answer)
        assert (list(told), answer.json()["error"]["code"]) == (["answers.b"], "question.unmatched")
        assert "“B”" in told["answers.b"][0]["message"]

    def test_what_matched_is_kept_in_the_draft(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b", "c"))
        call(row, "draft", {"answers": {"b": {"other": "half"}}, "step": 1, "revision": 0})
        answer = call(row, "answer", {"client_id": "1", "text": "1. Staging\n\n3. my own\nAnd hurry"})
        draft = answer.json()["question_set"]["draft"]
        assert (draft["revision"], draft["step"], draft["comment"]) == (2, 1, "And hurry")
        assert draft["answers"] == {
            "a": {"options": [0], "other": None, "other_checked": False, "replied": True},
            "b": {"other": "half"},
            "c": {"options": [], "other": "my own", "other_checked": True, "replied": True},
        }

    @pytest.mark.parametrize(
        ("replies", "status", "given"),
        [
            (["1. Staging", "2. mine"], "answered", {"a": "Staging (Recommended)", "b": "mine"}),
            (["1. Staging", "mine"], "answered", {"a": "Staging (Recommended)", "b": "mine"}),
            (["1. Staging", "b: mine"], "answered", {"a": "Staging (Recommended)", "b": "mine"}),
            (["1. Staging", "Production\nmine"], "answered", {"a": "Production", "b": "mine"}),
            (["1. Staging", "-"], "answered", {"a": "Staging (Recommended)"}),
            (["1. -", "mine"], "answered", {"b": "mine"}),
            (["1. -", "2. -"], "skipped", None),
            (["1. Staging", "skip"], "skipped", None),
        ],
    )
    def test_a_later_reply_may_leave_out_what_was_told(
        self, ask_set: AskSet, call: Call, replies: list[str], status: str, given: dict[str, str] | None
    ) -> None:
        row = ask_set(*several("a", "b"))
        for at, text in enumerate(replies):
            answer = call(row, "answer", {"client_id": str(at), "text": text})
        shown = answer.json()
        values = shown["answers"] and {id_: each[0]["value"] for id_, each in shown["answers"].items()}
        assert (shown["status"], values) == (status, given)

    @pytest.mark.parametrize(
        ("replies", "comment"),
        [
            (["1. Staging\n1. Production", "2"], "1. Staging"),
            (["1. Staging\n1. Production", "1. Staging\n1. Production", "2"], "1. Staging"),
            (["1. Staging\n\nAnd hurry", "2. mine\n\n\nThanks"], "And hurry\nThanks"),
            (["\n\nAnd hurry", "1. Staging\n2. mine"], "And hurry"),
            (["\n\nAnd\nhurry", "\n\nAnd\nhurry", "1\n2"], "And\nhurry"),
        ],
    )
    def test_what_replies_say_besides_is_neither_lost_nor_doubled(
        self, ask_set: AskSet, call: Call, replies: list[str], comment: str
    ) -> None:
        row = ask_set(*several("a", "b"))
        for at, text in enumerate(replies):
            answer = call(row, "answer", {"client_id": str(at), "text": text})
        assert (answer.status_code, answer.json()["comment"]) == (200, comment)

    def test_the_same_reply_again_leaves_the_same_draft(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b"))
        call(row, "draft", {"answers": {}, "comment": "typed", "revision": 0})
        for client_id in ("1", "2"):
            told = call(row, "answer", {"client_id": client_id, "text": "1. Staging\n\nAnd hurry"})
        assert told.json()["question_set"]["draft"]["comment"] == "typed\nAnd hurry"

    @pytest.mark.parametrize(
        ("before", "open_"), [([], ["answers.a", "answers.b"]), (["2. mine"], ["answers.a"])]
    )
    @pytest.mark.parametrize("text", ["", "  \n ", "\n \n"])
    def test_after_a_blank_one_each_open_question_is_asked_again(
        self, ask_set: AskSet, call: Call, before: list[str], open_: list[str], text: str
    ) -> None:
        row = ask_set(*several("a", "b"))
        for reply in (*before, text):
            answer = call(row, "answer", {"client_id": "1", "text": reply})
        assert (list(fields(answer)), answer.json()["error"]["code"]) == (open_, "question.nothing_answered")

    def test_what_is_kept_of_replies_has_the_drafts_limit(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set(*several("a", "b"))
        answer = call(row, "answer", {"client_id": "1", "text": "1. " + "x" * BYTES_LIMIT})
        row.refresh_from_db()
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "question.draft_too_large")
        assert (row.draft, row.is_pending) == (None, True)

    def test_what_was_only_chosen_in_a_window_is_not_sent_by_a_reply(
        self, ask_set: AskSet, call: Call
    ) -> None:
        row = ask_set(*several("a", "b"))
        call(row, "draft", {"answers": {"a": {"options": [1]}}, "revision": 0})
        assert list(fields(call(row, "answer", {"client_id": "1", "text": "2. mine"}))) == ["answers.a"]


@handed
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_handed_reply_is_taken_or_asks_again_by_name(
    ask_set: AskSet, call: Call, case: dict[str, Any]
) -> None:
    answer = call(ask_set(*case["questions"]), "answer", {"client_id": "1", "text": case["reply"]})
    shown = answer.json()
    open_ = [f"answers.{id_}" for id_ in case["expect"]["unmatched"]]
    assert list(shown.get("error", {}).get("fields", {})) == open_
    assert open_ or (shown["answers"] or {}) == case["expect"]["answers"]


class TestSkipping:
    def test_11_the_model_is_told_so(self, ask_set: AskSet, call: Call) -> None:
        shown = call(ask_set(), "skip", {"client_id": "1"}).json()
        assert (shown["status"], shown["reason"], shown["answers"]) == ("skipped", "skipped", None)

    def test_the_same_again_is_the_same_success(self, ask_set: AskSet, call: Call) -> None:
        row = ask_set()
        first, again = (call(row, "skip", {"client_id": "1"}) for _each in range(2))
        assert (again.status_code, again.json()) == (200, first.json())

    @pytest.mark.parametrize("body", [{"client_id": "2"}, {}])
    def test_another_is_told_that_it_is_over(self, ask_set: AskSet, call: Call, body: dict[str, str]) -> None:
        row = ask_set()
        call(row, "skip", {"client_id": "1"})
        assert call(row, "skip", body).status_code == 409


class TestRemembering:
    def ask(self, ask_set: AskSet) -> QuestionSet:
        return ask_set(*several("a", "b"), source="tool", tool="translate")

    def values(self) -> dict[str, Any]:
        return dict(RememberedAnswer.objects.values_list("question", "values"))

    @pytest.mark.parametrize(
        ("remember", "kept"), [(True, {"a"}), (["a"], {"a"}), (["b"], set()), (False, set()), (None, set())]
    )
    def test_what_is_chosen_to_be_is_remembered(
        self, ask_set: AskSet, call: Call, remember: object, kept: set[str]
    ) -> None:
        answer = call(self.ask(ask_set), "answer", sent({"a": {"options": [1]}}, remember=remember))
        assert answer.status_code == 200
        assert self.values() == {id_: [option("Production", 1)] for id_ in kept}

    def test_a_newer_answer_takes_the_place_of_the_older(self, ask_set: AskSet, call: Call) -> None:
        for entry in ({"options": [1]}, {"other": "mine"}):
            call(self.ask(ask_set), "answer", sent({"a": entry}, remember=True))
        assert self.values() == {"a": [other("mine")]}

    @pytest.mark.parametrize("remember", [["lost"], "yes", 1, [7]])
    def test_only_questions_that_there_are(self, ask_set: AskSet, call: Call, remember: object) -> None:
        told = fields(call(self.ask(ask_set), "answer", sent({"a": {"options": [1]}}, remember=remember)))
        assert set(told) == {"remember"}

    def test_only_a_tools_questions(self, ask_set: AskSet, call: Call) -> None:
        assert set(fields(call(ask_set(), "answer", sent(STAGING, remember=True)))) == {"remember"}

    def test_who_comes_too_late_is_not_remembered(self, ask_set: AskSet, call: Call) -> None:
        row = self.ask(ask_set)
        call(row, "skip", {"client_id": "a"})
        call(row, "answer", sent({"a": {"options": [1]}}, "b", remember=True))
        assert self.values() == {}

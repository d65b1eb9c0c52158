"""What goes with the turn: history as it was sent, as far as there is room."""

import pytest

from prompts.assembling import MakeTurn, Turn, assemble_within
from prompts.budgeting import Budget, fit_history
from prompts.estimating import Estimator
from prompts.shapes import AssemblyShape, SentMessage

ONE_TURN = 220


def history(turns: int, words: int = 100) -> list[SentMessage]:
    messages: list[SentMessage] = []
    for number in range(turns):
        messages.append({"role": "user", "content": f"Question {number} " + "word " * words})
        messages.append({"role": "assistant", "content": f"Answer {number} " + "word " * words})
    return messages


def maker(needed: int) -> MakeTurn:
    """Makes a turn that would take so many tokens, and shows less where there is less room."""
    return lambda room: Turn("ab " * min(needed, max(room, 0)), is_cut=needed > room)


def assembled(available: int, turn: int, turns: int) -> AssemblyShape:
    budget = Budget(window=available * 2, answer=available - int(available * 0.06))
    return assemble_within(budget, "Be brief.", history(turns), maker(turn))


class TestHistory:
    def test_that_fits_is_sent_as_it_was(self) -> None:
        fitted = fit_history(history(3), 3 * ONE_TURN + 400, Estimator())
        assert (fitted.messages, fitted.part, fitted.warning) == (history(3), None, "")

    def test_loses_its_oldest_turns_first_and_whole(self) -> None:
        fitted = fit_history(history(5), 2 * 360, Estimator())
        assert fitted.messages == history(5)[-4:]

    def test_tells_what_it_lost(self) -> None:
        fitted = fit_history(history(5), 2 * 360, Estimator())
        assert fitted.part is not None
        size = sum(len(str(message["content"])) for message in history(5))
        assert (fitted.part["name"], fitted.part["kept"] + fitted.part["cut"]) == ("history", size)
        assert fitted.warning == "6 earlier messages were left out to make room."

    def test_shows_the_ends_of_a_long_question_where_nothing_else_is_left(self) -> None:
        long: list[SentMessage] = [
            {"role": "user", "content": "Start. " + "word " * 9000 + "Why?"},
            history(1)[1],
        ]
        (question, answer) = fit_history(long, 1000, Estimator()).messages
        assert str(question["content"]).startswith("Start.")
        assert str(question["content"]).endswith("Why?")
        assert answer == history(1)[1]

    @pytest.mark.parametrize("room", [-10, 0, 50])
    def test_may_be_lost_altogether_and_then_says_why(self, room: int) -> None:
        fitted = fit_history(history(2), room, Estimator())
        assert fitted.messages == []
        assert fitted.part is not None
        assert fitted.part["left_out"]

    def test_never_begins_with_a_result_of_a_call_that_is_gone(self) -> None:
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        turn: list[SentMessage] = [
            {"role": "user", "content": "word " * 200},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "content": "42", "tool_call_id": "c"},
        ]
        assert fit_history([*turn, *history(1)], 400, Estimator()).messages == history(1)


class TestTheWhole:
    def test_gives_the_turn_all_that_the_oldest_turns_had(self) -> None:
        assembly = assembled(2000, 1000, 10)
        assert len(str(assembly["messages"][-1]["content"])) == 3000
        assert assembly["messages"][1]["content"] != history(1)[0]["content"]
        assert assembly["parts"][0]["name"] == "history"

    def test_cuts_a_turn_that_is_too_long_by_itself_to_what_the_history_leaves(self) -> None:
        assembly = assembled(2000, 9000, 1)
        assert assembly["messages"][1:3] == history(1)

    def test_leaves_such_a_turn_at_least_half(self) -> None:
        turn = assembled(4000, 9000, 30)["messages"][-1]
        assert Estimator().tokens(str(turn["content"])) > 1800

    @pytest.mark.parametrize(("turn", "turns"), [(10, 0), (10, 50), (9000, 0), (9000, 50), (1500, 3)])
    def test_fits(self, turn: int, turns: int) -> None:
        budget = Budget(window=3000, answer=700)
        assembly = assemble_within(budget, "Be brief.", history(turns), maker(turn))
        assert assembly["tokens"] <= budget.window - budget.answer

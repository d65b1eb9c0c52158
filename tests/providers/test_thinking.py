"""Reasoning in tags inside the text."""

import pytest


@pytest.mark.parametrize(
    ("pieces", "reasoning", "text"),
    [
        (["<think>hm</think>so"], "hm", "so"),
        (list("<think>hm</think>so"), "hm", "so"),
        (["\n<think>\nhm", "</thi", "nk>\n\nso"], "hm", "so"),
        (["<thinking>a</think>b</thinking>so"], "a</think>b", "so"),
        (["<THINK>hm</Think>so"], "hm", "so"),
        (["<think></think>so"], "", "so"),
        (["<think>\n\n</think>", "\n\n", "so"], "", "so"),
        (["<think>a</think>\n<think>b</think>so"], "ab", "so"),
        (["<think>a < b</", "p>", "</think>so"], "a < b</p>", "so"),
        (["<think>hm"], "hm", ""),
        (["<think>hm</thin"], "hm</thin", ""),
        (["so <think>x</think>"], "", "so <think>x</think>"),
        (["<think>hm</think>so</think>"], "hm", "so</think>"),
        (["<thin"], "", "<thin"),
        (["<", "b>bold"], "", "<b>bold"),
        (["<thinker>"], "", "<thinker>"),
        (["x</think>y"], "", "x</think>y"),
    ],
)
def test_tags_before_the_answer_hold_reasoning(read_deltas, pieces: list[str], reasoning: str, text: str):
    got = read_deltas(*({"content": piece} for piece in pieces))
    assert (got.reasoning, got.text.lstrip(), got.ending.finish) == (reasoning, text, "stop")


@pytest.mark.parametrize(
    ("pieces", "reasoning", "text"),
    [
        (["hm</think>so"], "hm", "so"),
        (list("hm</thinking>so"), "hm", "so"),
        (["<think>hm</think>so"], "hm", "so"),
        (["\n<", "think>hm</think>so"], "hm", "so"),
        (["hm, hm"], "hm, hm", ""),
        (["<"], "<", ""),
    ],
)
def test_a_model_may_start_inside_its_reasoning(read_deltas, pieces: list[str], reasoning: str, text: str):
    got = read_deltas(*({"content": piece} for piece in pieces), think_open=True)
    assert (got.reasoning, got.text) == (reasoning, text)


def test_tags_are_text_where_the_settings_say_so(read_deltas):
    assert read_deltas({"content": "<think>hm</think>so"}, think_tags=False).text == "<think>hm</think>so"


@pytest.mark.parametrize("body", ["<thi", "<think>hm</thi"])
def test_the_beginning_of_a_tag_is_nothing_at_a_break(read_payloads, body: str):
    got = read_payloads({"choices": [{"delta": {"content": body}}]}, cut=True)
    assert (got.text, got.reasoning) == ("", "hm" if "hm" in body else "")

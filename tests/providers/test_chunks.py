"""The shapes of a chunk: text, reasoning, refusals, usage, finish reasons."""

import pytest

from askweb.providers.events import ReasoningDelta, TextDelta, Usage


@pytest.mark.parametrize(
    ("delta", "text"),
    [
        ({"content": "bee"}, "bee"),
        ({"content": " "}, " "),
        ({"role": None, "content": "bee"}, "bee"),
        ({"role": "", "content": "bee", "tool_calls": None, "refusal": None}, "bee"),
        ({"content": None}, ""),
        ({"content": ""}, ""),
        ({}, ""),
        (None, ""),
        ("bee", "bee"),
        ({"content": ["be", {"type": "text", "text": "e"}]}, "bee"),
        ({"content": {"type": "text", "text": "bee"}}, "bee"),
        ({"content": [{"type": "output_text", "text": {"value": "bee"}}]}, "bee"),
        ({"content": [{"type": "image_url", "image_url": {"url": "x"}}, None, 4]}, ""),
        ({"content": "nul\x00l"}, "nul\ufffdl"),
    ],
)
def test_text_of_a_delta(read_deltas, delta: object, text: str):
    assert read_deltas(delta).text == text


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm", "content": None},
        {"reasoning": "hm", "reasoning_content": "hm", "reasoning_details": [{"text": "hm"}]},
        {"reasoning_content": "", "reasoning": "hm"},
        {
            "reasoning_details": [
                {"type": "reasoning.text", "text": "h"},
                {"type": "reasoning.summary", "summary": "m"},
            ]
        },
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "xx"}, {"text": "hm"}]},
        {"reasoning": {"content": "hm"}},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]},
        {"content": [{"type": "reasoning", "text": "hm"}]},
    ],
)
def test_reasoning_goes_to_its_own_field(read_deltas, delta: object):
    got = read_deltas(delta, {"content": "so"})
    assert (got.reasoning, got.text) == ("hm", "so")


@pytest.mark.parametrize(
    "choices",
    [
        [],
        None,
        [{"index": 1, "delta": {"content": "other"}, "finish_reason": "length"}],
        [{"index": 0}],
        [{"index": 0, "delta": None, "finish_reason": ""}],
        [None],
        {"index": 0, "delta": {}},
        "x",
    ],
)
def test_chunks_without_a_usable_choice_change_nothing(read_payloads, choices: object):
    chunk = {"choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]}
    got = read_payloads({"choices": choices}, chunk, {"choices": choices}, {"id": "lonely"})
    assert (got.text, got.ending.finish) == ("ok", "stop")


@pytest.mark.parametrize(
    "choice",
    [
        {"message": {"role": "assistant", "content": "ok"}},
        {"delta": None, "message": {"content": "ok"}},
        {"delta": {}, "message": {"content": "ok"}},
        {"index": None, "delta": {"content": "ok"}},
        {"index": "0", "delta": {"content": "ok"}},
        {"text": "ok"},
    ],
)
def test_a_message_or_a_text_may_stand_for_the_delta(read_payloads, choice: object):
    assert read_payloads({"choices": [choice]}).text == "ok"


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([r"\ud83d", r"\ude80"], "🚀"),
        ([r"a\ud83d", "", r"\ude80b"], "a🚀b"),
        ([r"\ud83d", "x"], "\ufffdx"),
        ([r"\ude80"], "\ufffd"),
        ([r"x\ud83d"], "x\ufffd"),
        ([r"\ud83d\ud83d", r"\ude80"], "\ufffd🚀"),
        (["a", "", r"\u0000"], "a\ufffd"),
    ],
)
def test_split_surrogate_pairs_are_joined_and_lone_halves_replaced(read, pieces: list[str], text: str):
    lines = "".join(f'data: {{"choices":[{{"delta":{{"content":"{piece}"}}}}]}}\n\n' for piece in pieces)
    got = read(f"{lines}data: [DONE]\n\n".encode())
    assert (got.text, got.ending.outcome) == (text, "finished")


def test_half_a_pair_at_a_break_is_not_text(read):
    got = read(b'data: {"choices":[{"delta":{"content":"x\\ud83d"}}]}\n\n', cut=True)
    assert (got.text, got.ending.outcome) == ("x", "interrupted")


def test_pieces_may_repeat(read_deltas):
    assert read_deltas({"content": "no"}, {"content": "no"}, {"content": "nono"}).text == "nononono"


def test_a_last_chunk_that_says_everything_again_is_dropped(read_deltas):
    first, second = "To be or not. " * 9, "That is asked. " * 9
    assert (
        read_deltas({"content": first}, {"content": second}, {"content": first + second}).text
        == first + second
    )


def test_reasoning_said_again_is_dropped_too(read_deltas):
    thought = "Four legs make a table. " * 10
    assert read_deltas({"reasoning": thought}, {"reasoning": thought, "content": "A"}).reasoning == thought


@pytest.mark.parametrize(
    ("usages", "wanted"),
    [
        ([{"prompt_tokens": 3, "completion_tokens": 4}], Usage(3, 4)),
        ([{"input_tokens": 3, "output_tokens": 4}], Usage(3, 4)),
        ([{"prompt_tokens": 3, "completion_tokens": n} for n in (1, 2, 4)], Usage(3, 4)),
        (
            [{"prompt_tokens": 3, "completion_tokens": 4}, {"prompt_tokens": 0, "completion_tokens": 0}],
            Usage(3, 4),
        ),
        ([{"prompt_tokens": 3, "completion_tokens": 4}, None, {}, [], 5], Usage(3, 4)),
        ([{"prompt_tokens": 3.0, "completion_tokens": "4"}], Usage(3, 0)),
        ([{"prompt_tokens": 3, "completion_tokens": 10**12}], Usage(3, 0)),
        ([{"prompt_tokens": 0, "completion_tokens": 0}], None),
        ([{"prompt_tokens": -1, "completion_tokens": None}], None),
        ([None], None),
    ],
)
def test_the_last_usage_that_is_not_zero_wins(read_payloads, usages: list[object], wanted: Usage | None):
    stop = {"choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]}
    got = read_payloads(stop, *({"choices": [], "usage": usage} for usage in usages), "[DONE]")
    assert (got.ending.usage, got.ending.outcome) == (wanted, "finished")


@pytest.mark.parametrize(
    "place",
    [
        {"x_groq": {"usage": {"prompt_tokens": 1, "completion_tokens": 2}}},
        {"choices": [{"delta": {"content": "z"}, "usage": {"prompt_tokens": 1, "completion_tokens": 2}}]},
        {
            "choices": [{"index": 0, "delta": {"content": "z"}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 2},
        },
    ],
)
def test_usage_may_be_in_other_places(read_payloads, place: object):
    assert read_payloads(place).ending.usage == Usage(1, 2)


def test_usage_is_told_when_it_changes(read_payloads):
    usage = {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}
    assert read_payloads(usage, usage).events == [Usage(1, 2)]


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("STOP", "stop"),
        ("eos_token", "stop"),
        ("end-turn", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("tool_calls", "stop"),
        ("function_call", "stop"),
        ("content_filter", "content_filter"),
        ("sensitive", "content_filter"),
        ("refusal", "content_filter"),
        ("RECITATION", "content_filter"),
        ("whatever", "unknown"),
        (None, "unknown"),
        ("", "unknown"),
        ("null", "unknown"),
        (7, "unknown"),
    ],
)
def test_finish_reasons_have_one_word_each(read_deltas, reason: object, finish: str):
    assert read_deltas({"content": "ok"}, finish=reason).ending.finish == finish


@pytest.mark.parametrize(
    ("reason", "code"), [("error", "unavailable"), ("network_error", "unavailable"), ("timeout", "timeout")]
)
def test_a_finish_reason_may_be_an_error(read_deltas, reason: str, code: str):
    got = read_deltas({"content": "ok"}, finish=reason)
    assert (got.text, got.ending.outcome, got.fault and got.fault[0]) == ("ok", "failed", f"provider.{code}")


def test_text_after_the_finish_reason_is_kept(read_payloads):
    stop = {"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]}
    more = {"choices": [{"index": 0, "delta": {"content": "b"}, "finish_reason": "length"}]}
    got = read_payloads(stop, more, "[DONE]")
    assert (got.text, got.ending.finish) == ("ab", "stop")


@pytest.mark.parametrize(
    "delta", [{"refusal": "I won't."}, {"content": [{"type": "refusal", "refusal": "I won't."}]}]
)
def test_a_refusal_is_text_and_content_filter(read_deltas, delta: object):
    got = read_deltas(delta)
    assert (got.text, got.ending.finish) == ("I won't.", "content_filter")


def test_reasoning_comes_before_the_text_of_the_same_chunk(read_deltas):
    got = read_deltas({"content": "so", "reasoning": "hm"})
    assert got.events[:2] == [ReasoningDelta("hm"), TextDelta("so")]


def test_reasoning_alone_and_done_is_no_answer(read_payloads):
    got = read_payloads({"choices": [{"delta": {"reasoning": "hm"}}]}, "[DONE]")
    assert (got.reasoning, got.ending.outcome) == ("hm", "interrupted")

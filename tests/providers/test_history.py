"""What is sent must be a history that no provider refuses."""

from copy import deepcopy

import pytest

from askweb.providers.history import NO_RESULT, repair_history

ASK = {"role": "user", "content": "How deep?"}


def calling(*ids: str, content: object = None) -> dict[str, object]:
    calls = [
        {"id": call_id, "type": "function", "function": {"name": "dig", "arguments": "{}"}} for call_id in ids
    ]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def result(call_id: str, content: str = "2 m") -> dict[str, object]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


@pytest.mark.parametrize(
    ("messages", "repaired"),
    [
        pytest.param([ASK, calling("a"), result("a")], [ASK, calling("a"), result("a")], id="already fit"),
        pytest.param([calling("a"), ASK], [calling("a"), result("a", NO_RESULT), ASK], id="missing"),
        pytest.param([calling("a"), ASK, result("a")], [calling("a"), result("a"), ASK], id="late"),
        pytest.param(
            [calling("a", "b"), result("b", "3 m"), result("a")],
            [calling("a", "b"), result("a"), result("b", "3 m")],
            id="out of order",
        ),
        pytest.param(
            [calling("a"), result("a"), result("a", "no")], [calling("a"), result("a")], id="second result"
        ),
        pytest.param([result("a"), ASK, result("b")], [ASK], id="results without a call"),
        pytest.param(
            [result("a", "old"), calling("a")], [calling("a"), result("a", NO_RESULT)], id="before its call"
        ),
        pytest.param(
            [calling("a"), result("a", "1"), calling("a"), result("a", "2")],
            [calling("a"), result("a", "1"), calling("a"), result("a", "2")],
            id="id used again",
        ),
        pytest.param(
            [calling("a"), calling("a"), result("a", "2")],
            [calling("a"), result("a", NO_RESULT), calling("a"), result("a", "2")],
            id="id used again, first result missing",
        ),
        pytest.param(
            [calling("a", "a"), result("a", "1"), result("a", "2")],
            [calling("a", "a_1"), result("a", "1"), result("a_1", "2")],
            id="two calls with one id",
        ),
        pytest.param([calling(""), result("")], [calling("call_0"), result("call_0")], id="no id"),
        pytest.param(
            [calling(content="hi")], [{"role": "assistant", "content": "hi"}], id="no calls in the list"
        ),
    ],
)
def test_each_call_has_exactly_one_result_in_order(messages: list[dict], repaired: list[dict]):
    assert repair_history(messages) == repaired


@pytest.mark.parametrize("content", [None, "", " \n", [], [{"type": "text", "text": " "}]])
def test_empty_assistant_messages_are_left_out(content: object):
    empty = {"role": "assistant", "content": content, "tool_calls": []}
    assert repair_history([ASK, empty, ASK]) == [ASK, ASK]


def test_an_empty_user_message_stays():
    assert repair_history([{"role": "user", "content": ""}]) == [{"role": "user", "content": ""}]


def test_an_assistant_message_with_an_image_is_not_empty():
    image = {"role": "assistant", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}
    assert repair_history([image]) == [image]


@pytest.mark.parametrize(
    ("messages", "merged"),
    [
        ([ASK, {"role": "user", "content": "Well?"}], [{"role": "user", "content": "How deep?\n\nWell?"}]),
        (
            [ASK, {"role": "assistant", "content": ""}, ASK],
            [{"role": "user", "content": "How deep?\n\nHow deep?"}],
        ),
        (
            [ASK, {"role": "user", "content": [{"type": "image_url"}]}],
            [{"role": "user", "content": [{"type": "text", "text": "How deep?"}, {"type": "image_url"}]}],
        ),
        (
            [{"role": "assistant", "content": "Hm"}, calling("a")],
            [calling("a", content="Hm"), result("a", NO_RESULT)],
        ),
        ([calling("a", "b")], [calling("a", "b"), result("a", NO_RESULT), result("b", NO_RESULT)]),
        ([ASK, {"role": "system", "content": "x"}, ASK], [ASK, {"role": "system", "content": "x"}, ASK]),
    ],
)
def test_neighbours_are_merged_when_asked(messages: list[dict], merged: list[dict]):
    assert repair_history(messages, merge=True) == merged


def test_neighbours_are_not_merged_unasked():
    assert repair_history([ASK, ASK]) == [ASK, ASK]


@pytest.mark.parametrize("merge", [True, False])
def test_the_input_is_never_changed(merge: bool):
    messages = [
        ASK,
        {"role": "user", "content": [{"type": "text", "text": "x"}]},
        calling("", "a", "a"),
        result("a"),
    ]
    before = deepcopy(messages)
    repair_history(messages, merge=merge)
    assert messages == before


def test_repairing_twice_changes_nothing_more():
    once = repair_history([calling("a", "a"), ASK, calling(""), ASK], merge=True)
    assert repair_history(once, merge=True) == once

"""Function calls from pieces that can't be trusted."""

import pytest

from askweb.providers.calls import MAX_CALLS
from askweb.providers.events import BrokenCall, FunctionCallDelta


def piece(arguments: object = None, name: object = None, **fields: object) -> dict[str, object]:
    return {**fields, "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    ("pieces", "calls"),
    [
        pytest.param(
            [piece("", "dig", index=0, id="a"), piece('{"m"', index=0), piece(":2}", index=0)],
            [("dig", {"m": 2})],
            id="name first",
        ),
        pytest.param(
            [
                piece('{"m":', "dig", index=0, id="a"),
                piece('{"n":', "sow", index=1, id="b"),
                piece("1}", index=0),
                piece("2}", index=1),
            ],
            [("dig", {"m": 1}), ("sow", {"n": 2})],
            id="interleaved by index",
        ),
        pytest.param(
            [
                piece('{"m":', "dig", id="a"),
                piece('{"n":', "sow", id="b"),
                piece("1}", id="a"),
                piece("2}", id="b"),
            ],
            [("dig", {"m": 1}), ("sow", {"n": 2})],
            id="interleaved by id",
        ),
        pytest.param(
            [piece('{"m":1}', "dig", id="a"), piece('{"m":2}', "dig", id="b")],
            [("dig", {"m": 1}), ("dig", {"m": 2})],
            id="no index",
        ),
        pytest.param(
            [piece('{"m":1}', "dig"), piece('{"m":2}', "dig")],
            [("dig", {"m": 1}), ("dig", {"m": 2})],
            id="no index, no id",
        ),
        pytest.param(
            [piece("", "dig"), piece('{"m"'), piece(":1}"), piece("", "sow"), piece("{}")],
            [("dig", {"m": 1}), ("sow", {})],
            id="no index, no id, in pieces",
        ),
        pytest.param(
            [
                piece('{"m":1}', "dig", index=0, id="a"),
                piece("", "dig", index=0, id="b"),
                piece('{"m":2}', index=0),
            ],
            [("dig", {"m": 1}), ("dig", {"m": 2})],
            id="constant index",
        ),
        pytest.param(
            [piece('{"m"', "dig", index=0, id="a"), piece(":1}", index=1), piece("", index=2)],
            [("dig", {"m": 1})],
            id="index counts pieces",
        ),
        pytest.param(
            [piece('{"m"', "dig", index=0, id="a"), piece(":1}", "dig", index=1, id="a")],
            [("dig", {"m": 1})],
            id="wrong index, same id",
        ),
        pytest.param(
            [piece('{"m":1}', "dig", index=0, id="x"), piece('{"m":2}', "sow", index=1, id="x")],
            [("dig", {"m": 1}), ("sow", {"m": 2})],
            id="constant id",
        ),
        pytest.param(
            [
                piece('{"m"', "dig", index=0, id="a"),
                piece(":[1,", index=0, id="b"),
                piece("2]}", index=0, id=""),
            ],
            [("dig", {"m": [1, 2]})],
            id="changing id",
        ),
        pytest.param(
            [piece('{"m"', "dig", index=0, id="a"), piece(":1}", "dig", index=0, id="b")],
            [("dig", {"m": 1})],
            id="changing id, name repeated",
        ),
        pytest.param(
            [piece('{"m"', "dig", index=0), piece(":1", "dig", index=0), piece("}", "dig", index=0)],
            [("dig", {"m": 1})],
            id="name repeated",
        ),
        pytest.param(
            [piece('{"m":1}', index=0, id="a"), piece("", "dig", index=0)],
            [("dig", {"m": 1})],
            id="name last",
        ),
        pytest.param([piece(None, "dig", index=0, id="a")], [("dig", {})], id="arguments null"),
        pytest.param([piece(" ", "dig", index=0, id="a")], [("dig", {})], id="arguments blank"),
        pytest.param([piece("null", "dig", index=0, id="a")], [("dig", {})], id="arguments say null"),
        pytest.param(
            [piece({"m": [1]}, "dig", index=0, id="a")], [("dig", {"m": [1]})], id="arguments an object"
        ),
        pytest.param(
            [piece('"{\\"m\\":1}"', "dig", index=0)], [("dig", {"m": 1})], id="arguments encoded twice"
        ),
        pytest.param([piece('{"m":"a\nb"}', "dig", index=0)], [("dig", {"m": "a\nb"})], id="raw newline"),
        pytest.param(
            [piece('{"m', "dig", index=0), piece('{"m":1', index=0), piece('{"m":12}', index=0)],
            [("dig", {"m": 12})],
            id="cumulative",
        ),
        pytest.param(
            [piece('{"m":', "dig", index=0), piece('{"m":1}', index=0), piece("}", index=0)],
            [("dig", {"m": {"m": 1}})],
            id="nested, not cumulative",
        ),
        pytest.param(
            [piece('{"m":1}', "dig", index=0), piece('{"m":1}', index=0)],
            [("dig", {"m": 1})],
            id="whole twice",
        ),
        pytest.param(
            [piece(part, "dig", index=0, id="a") for part in ('{"m', '{"m', '":1', '":1', "}", "}")],
            [("dig", {"m": 1})],
            id="each piece twice",
        ),
        pytest.param(
            [piece("{}", "dig", index=0, id="a"), piece('{"m"', index=0), piece(":1}", index=0)],
            [("dig", {"m": 1})],
            id="empty object first",
        ),
        pytest.param(
            [piece('{"m":1}', "dig", index=0, id="a"), {}, {"index": 0}, None, 7],
            [("dig", {"m": 1})],
            id="empty pieces",
        ),
        pytest.param(
            [{"index": 0, "id": "a", "name": "dig", "arguments": "{}"}], [("dig", {})], id="without function"
        ),
        pytest.param(
            [piece('{"m":"\\ud83d', "dig", index=0), piece('\\ude80\\u0000"}', index=0)],
            [("dig", {"m": "🚀\ufffd"})],
            id="surrogates",
        ),
    ],
)
def test_pieces_become_calls(read_deltas, pieces: list[object], calls: list[tuple[str, dict[str, object]]]):
    got = read_deltas(*({"tool_calls": [piece]} for piece in pieces), finish="tool_calls")
    assert (got.calls, got.ending.finish) == (calls, "function_calls")


@pytest.mark.parametrize(
    "arguments", ["{m: 1}", '{"m":', "[1]", "7", '{"m":1}}', '{"m":1}{"m":2}', "true", [1], '"x"', "{" * 5000]
)
def test_arguments_that_are_no_object_are_never_run(read_deltas, arguments: object):
    got = read_deltas({"tool_calls": [piece(arguments, "dig", index=0, id="a")]}, finish="tool_calls")
    assert (got.calls, [call.name for call in got.ending.broken]) == ([], ["dig"])


def test_a_call_without_a_name_is_never_run(read_deltas):
    got = read_deltas({"tool_calls": [piece("{}", index=0, id="a")]}, finish="tool_calls")
    assert (got.calls, got.ending.broken) == ([], (BrokenCall("a", "", "{}"),))


@pytest.mark.parametrize("arguments", ['{"m":"half', "", None])
def test_a_call_cut_off_by_the_limit_is_never_run(read_deltas, arguments: object):
    whole, half = piece("{}", "now", index=0, id="a"), piece(arguments, "dig", index=1, id="b")
    got = read_deltas({"tool_calls": [whole, half]}, finish="length")
    assert (got.calls, got.ending.finish) == ([("now", {})], "length")


@pytest.mark.parametrize("finish", ["stop", "eos", None, "mystery", "function_call"])
def test_a_whole_call_means_function_calls(read_deltas, finish: object):
    got = read_deltas({"tool_calls": [piece("{}", "now", index=0)]}, finish=finish)
    assert (got.calls, got.ending.finish) == ([("now", {})], "function_calls")


def test_calls_of_an_interrupted_reply_are_never_run(read_payloads):
    got = read_payloads({"choices": [{"delta": {"tool_calls": [piece("{}", "now", index=0)]}}]})
    assert (got.calls, got.ending.outcome) == ([], "interrupted")


def test_a_function_call_of_the_old_shape(read_deltas):
    got = read_deltas(
        {"function_call": {"name": "dig", "arguments": '{"m"'}}, {"function_call": {"arguments": ":1}"}}
    )
    assert (got.calls, got.ending.finish) == ([("dig", {"m": 1})], "function_calls")


def test_a_call_printed_as_text_is_text(read_deltas):
    got = read_deltas({"content": '<tool_call>{"name":"rm"}</tool_call>'})
    assert (got.text, got.calls) == ('<tool_call>{"name":"rm"}</tool_call>', [])


@pytest.mark.parametrize(
    ("ids", "wanted"),
    [
        (["a", "b"], ["a", "b"]),
        ([None, None], ["call_0", "call_1"]),
        (["", "b"], ["call_0", "b"]),
        (["a", "a"], ["a", "a_1"]),
    ],
)
def test_every_call_has_an_id_of_its_own(read_deltas, ids: list[object], wanted: list[str]):
    pieces = [piece("{}", name, index=at, id=ids[at]) for at, name in enumerate(("dig", "sow"))]
    assert [call.id for call in read_deltas({"tool_calls": pieces}).ending.calls] == wanted


def test_unknown_fields_are_kept(read_deltas):
    fields = {"type": "function", "index": 0, "id": "a", "extra_content": {"sign": "c2ln"}}
    call = {**fields, "function": {"name": "dig", "arguments": "{}", "strict": True}}
    [got] = read_deltas({"tool_calls": [call]}).ending.calls
    assert got.extras == {"extra_content": {"sign": "c2ln"}, "function": {"strict": True}}


@pytest.mark.parametrize(
    ("arguments", "raw"), [('{"m": 1}', '{"m": 1}'), ("", "{}"), ('{"m":"a\nb"}', '{"m": "a\\nb"}')]
)
def test_raw_arguments_are_strict_json(read_deltas, arguments: str, raw: str):
    [call] = read_deltas({"tool_calls": [piece(arguments, "dig", index=0)]}).ending.calls
    assert call.raw == raw


def test_progress_is_told_with_id_and_name_once(read_deltas):
    got = read_deltas(
        {"tool_calls": [piece('{"m"', "dig", index=0, id="a")]},
        {"tool_calls": [piece(":1}", "dig", index=0, id="a")]},
    )
    assert got.events[:2] == [
        FunctionCallDelta(0, "a", "dig", '{"m"'),
        FunctionCallDelta(0, None, None, ":1}"),
    ]


def test_too_many_calls_are_a_protocol_error(read_deltas):
    pieces = [piece("{}", "dig", index=at, id=str(at)) for at in range(MAX_CALLS + 1)]
    assert read_deltas({"tool_calls": pieces}).fault == (
        "provider.protocol",
        "The function calls are too long.",
    )


def test_endless_arguments_are_a_protocol_error(read_deltas):
    pieces = [{"tool_calls": [piece("x" * 400, "dig", index=0)]}] * 5
    got = read_deltas(*pieces, max_payload=1000)
    assert got.fault == ("provider.protocol", "The function calls are too long.")

"""Bodies are read strictly: what is not JSON is refused with its place, what is comes through unchanged."""

from io import BytesIO
from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.request import Request

from askweb.bodies import MeasuredRequest
from askweb.errors import Problem
from askweb.parsing import MAX_DEPTH, StrictJSONParser, parse_json, storable, storable_json

BROKEN = {
    "empty": (b"", 1, 1),
    "trailing comma in an object": (b'{"a": 1,}', 1, 9),
    "trailing comma in line 2": (b'{\n  "a": [1,]\n}', 2, 11),
    "two values": (b"{} {}", 1, 4),
    "single quotes": (b"{'a': 1}", 1, 2),
    "line break in a string": (b'{"a": "b\nc"}', 1, 9),
    "NaN": (b'{"a": "NaN",\n "b": NaN}', 2, 7),
    "Infinity": (b"[Infinity]", 1, 2),
    "minus Infinity": (b'{"-Infinity": -Infinity}', 1, 15),
    "a float beyond all bounds": (b'["\\"1e999", 1e999]', 1, 13),
    "more digits than can be read": (b"[0,\n" + b"7" * 4301 + b"]", 2, 1),
    "not UTF-8": (b'{"a":\n "\xff"}', 2, 3),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), 1, 1),
}


@pytest.mark.parametrize(("body", "line", "column"), BROKEN.values(), ids=BROKEN)
def test_what_is_not_json_is_refused_with_its_place(body: bytes, line: int, column: int) -> None:
    with pytest.raises(Problem) as caught:
        parse_json(body)
    problem = caught.value
    assert (problem.status, problem.code) == (400, "json.broken")
    assert problem.data == {"line": line, "column": column}
    assert f"line {line}, column {column}" in problem.message


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"1", 1),
        (b"1.0", 1.0),
        (b"1e5", 1e5),
        (b"0.1", 0.1),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'\xef\xbb\xbf{"bom": true}', {"bom": True}),
    ],
)
def test_json_means_what_it_says(body: bytes, value: object) -> None:
    read = parse_json(body)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_a_hundred_levels_are_read(opening: bytes, closing: bytes) -> None:
    parse_json(opening * MAX_DEPTH + b"1" + closing * MAX_DEPTH)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000, 1_000_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_more_levels_are_refused(opening: bytes, closing: bytes, depth: int) -> None:
    with pytest.raises(Problem) as caught:
        parse_json(opening * depth + b"1" + closing * depth)
    assert (caught.value.status, caught.value.code) == (400, "json.too_deep")


def test_a_body_of_exactly_the_limit_is_read(settings: Settings) -> None:
    settings.ASKWEB_BODY_LIMIT = 10
    assert StrictJSONParser().parse(BytesIO(b'"12345678"')) == "12345678"


def test_a_larger_body_is_refused_before_it_is_parsed(settings: Settings) -> None:
    settings.ASKWEB_BODY_LIMIT = 10
    with pytest.raises(Problem) as caught:
        StrictJSONParser().parse(BytesIO(b"not even json"))
    assert (caught.value.status, caught.value.code) == (413, "body.too_large")


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("", ""),
        ("a\x00b", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
        ("\udc00\ud800", "\ufffd\ufffd"),
        ("\U0001f600 é 找\x01", "\U0001f600 é 找\x01"),
    ],
)
def test_only_what_databases_refuse_is_replaced(text: str, stored: str) -> None:
    assert storable(text) == stored


@pytest.mark.parametrize(
    ("value", "stored", "changed"),
    [
        ({"a": ["x", 1, None]}, {"a": ["x", 1, None]}, False),
        ({"a": ["\x00"]}, {"a": ["\ufffd"]}, True),
        ({"\ud800": 1}, {"\ufffd": 1}, True),
        ("\x00", "\ufffd", True),
    ],
)
def test_a_value_is_made_storable_at_every_depth(value: Any, stored: Any, changed: bool) -> None:
    assert storable_json(value) == (stored, changed)


@pytest.mark.parametrize("headers", [[], [(b"transfer-encoding", b"chunked")], [(b"content-length", b"8")]])
def test_a_body_in_chunks_is_read_like_any_other(headers: list[tuple[bytes, bytes]]) -> None:
    headers = [(b"content-type", b"application/json"), *headers]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}
    request = Request(MeasuredRequest(scope, BytesIO(b'{"a": 1}')), parsers=[StrictJSONParser()])
    assert request.data == {"a": 1}

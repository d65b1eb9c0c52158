"""What two databases call the same row, and what PostgreSQL would refuse."""

from typing import Any

import pytest

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.images.models import Image
from askweb.operations.rows import Checksum, refused
from askweb.runs.models import Run

TITLE = Conversation._meta.get_field("title")
TEXT = Message._meta.get_field("content")
JSONB = Message._meta.get_field("function_calls")
TEXT_JSON = Message._meta.get_field("posted")
COUNT = Run._meta.get_field("prompt_tokens")
BYTES = Image._meta.get_field("data")


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (TEXT, "a\0", "has a NUL character"),
        (TEXT, "一页 😀" * 100_000, None),
        (TITLE, "x" * 200, None),
        (TITLE, "x" * 201, "has 201 characters, and 200 at most are allowed"),
        (JSONB, [{"a": ["\0"]}], "has a NUL character"),
        (JSONB, {"\0": 1}, "has a NUL character"),
        (JSONB, ["\\u0000"], None),
        (JSONB, ["\ud800"], "has half of a character"),
        (JSONB, [float("inf")], "has a number that is infinite, or none"),
        (JSONB, [float("nan")], "has a number that is infinite, or none"),
        (JSONB, [10**300, None, True], None),
        (TEXT_JSON, ["\0"], None),
        (TEXT_JSON, "\0", None),
        (COUNT, 2**31, "has a number that is out of range"),
        (COUNT, None, None),
        (BYTES, b"\0", None),
    ],
)
def test_what_postgresql_cannot_hold(field: Any, value: object, why: str | None) -> None:
    assert refused(field, value, "postgresql") == why


@pytest.fixture(autouse=True)
def postgresql_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db.backends.postgresql.operations import DatabaseOperations

    rules = type("Connection", (), {"ops": DatabaseOperations(None)})()
    monkeypatch.setattr("askweb.operations.rows.connections", {"postgresql": rules})


def checksum(field: Any, *values: object) -> Checksum:
    checksum = Checksum()
    for value in values:
        checksum.add([field], [value])
    return checksum


@pytest.mark.parametrize(
    ("field", "one", "other"),
    [
        (JSONB, [1e2, -0.0, {"b": 1e-7, "a": 1e300}], [100, 0, {"a": 10**300, "b": 0.0000001}]),
        (BYTES, b"\0\xff", memoryview(b"\0\xff")),
    ],
)
def test_what_is_the_same(field: Any, one: object, other: object) -> None:
    assert checksum(field, one) == checksum(field, other)


@pytest.mark.parametrize(
    ("field", "one", "other"),
    [
        (TEXT, "", None),
        (TEXT, "页", "頁"),
        (JSONB, [True], [1]),
        (JSONB, [1], ["1"]),
        (JSONB, [2**53], [2**53 + 1]),
        (TEXT_JSON, {"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (User._meta.get_field("is_active"), True, False),
    ],
)
def test_what_differs(field: Any, one: object, other: object) -> None:
    assert checksum(field, one) != checksum(field, other)


def test_the_order_of_rows_does_not_matter_but_their_number_does() -> None:
    assert checksum(TEXT, "a", "b") == checksum(TEXT, "b", "a")
    assert checksum(TEXT, "a") != checksum(TEXT, "a", "a")

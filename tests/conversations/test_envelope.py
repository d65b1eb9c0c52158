"""The envelope: every fault is named by its path, and what is no fault is kept as it came."""

from typing import Any

import pytest

from askweb.conversations.envelope import Envelope, Meta, read_envelope
from askweb.errors import Problem

FAULTS: dict[str, tuple[Any, str, str]] = {
    "context is no list": ({"context": {}}, "context", "wrong_type"),
    "an item is no object": ({"context": [{"id": "page"}, "page"]}, "context[1]", "wrong_type"),
    "an item has no kind": ({"context": [{"title": "x"}]}, "context[0].id", "missing"),
    "a kind is blank": ({"context": [{"id": " "}]}, "context[0].id", "wrong_type"),
    "a kind is a number": ({"context": [{"id": 7}]}, "context[0].id", "wrong_type"),
    "meta is no object": ({"meta": []}, "meta", "wrong_type"),
    "a tool is a number": ({"meta": {"tool": 1}}, "meta.tool", "wrong_type"),
    "a model is blank": ({"meta": {"model": " "}}, "meta.model", "wrong_type"),
    "a client id is too long": ({"meta": {"client_id": "x" * 201}}, "meta.client_id", "wrong_type"),
    "store is no truth value": ({"meta": {"store": "no"}}, "meta.store", "wrong_type"),
    "assembled is no truth value": ({"meta": {"assembled": 1}}, "meta.assembled", "wrong_type"),
    "a temperature is a text": ({"meta": {"temperature": "1"}}, "meta.temperature", "wrong_type"),
    "a temperature is a truth value": ({"meta": {"temperature": True}}, "meta.temperature", "wrong_type"),
    "a temperature is too high": ({"meta": {"temperature": 2.1}}, "meta.temperature", "wrong_type"),
    "pending is neither word": ({"meta": {"pending": "later"}}, "meta.pending", "unknown"),
    "messages are no list": ({"messages": "Hi"}, "messages", "wrong_type"),
    "a message is no object": ({"messages": ["Hi"]}, "messages[0]", "wrong_type"),
    "a role is unknown": ({"messages": [{"role": "bot"}]}, "messages[0].role", "unknown"),
    "a role is a list": ({"messages": [{"role": ["user"]}]}, "messages[0].role", "unknown"),
    "a content is a number": (
        {"messages": [{"role": "user", "content": 1}]},
        "messages[0].content",
        "wrong_type",
    ),
    "a part is no text": (
        {"messages": [{"role": "user", "content": [{"type": "audio"}]}]},
        "messages[0].content",
        "wrong_type",
    ),
    "calls are no list": (
        {"messages": [{"role": "assistant", "tool_calls": 1}]},
        "messages[0].tool_calls",
        "wrong_type",
    ),
    "a call is no object": (
        {"messages": [{"role": "assistant", "tool_calls": ["f"]}]},
        "messages[0].tool_calls",
        "wrong_type",
    ),
    "a call's id is a number": (
        {"messages": [{"role": "tool", "content": "1", "tool_call_id": 1}]},
        "messages[0].tool_call_id",
        "wrong_type",
    ),
    "delta is no object": ({"delta": ["x"]}, "delta", "wrong_type"),
}


def faults_of(body: Any) -> dict[str, str]:
    with pytest.raises(Problem) as caught:
        read_envelope(body)
    assert (caught.value.status, caught.value.code) == (422, "invalid")
    return {path: faults[0]["code"] for path, faults in caught.value.fields.items()}


@pytest.mark.parametrize(("body", "path", "code"), FAULTS.values(), ids=FAULTS)
def test_each_fault_is_named_by_its_path(body: Any, path: str, code: str) -> None:
    assert faults_of(body) == {path: code}


def test_all_faults_are_told_at_once() -> None:
    body = {"context": [1], "meta": {"tool": 1, "store": 1}, "messages": [{"role": "x"}], "delta": 1}
    assert list(faults_of(body)) == ["context[0]", "meta.tool", "meta.store", "messages[0].role", "delta"]


@pytest.mark.parametrize("body", [None, [], "x", 1])
def test_a_body_that_is_no_object_is_refused(body: Any) -> None:
    assert faults_of(body) == {}


@pytest.mark.parametrize("body", [{}, dict.fromkeys(("context", "meta", "messages", "delta"))])
def test_every_key_is_optional(body: Any) -> None:
    assert read_envelope(body) == Envelope()


def test_unknown_kinds_and_keys_are_kept() -> None:
    item = {"id": "weather", "wind": {"speed": [1, None, True]}, "": "x"}
    (read,) = read_envelope({"context": [item]}).context
    assert (read.kind, read.value) == ("weather", item)


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ({"agentId": "quote"}, "quote"),
        ({"id": None, "agentId": "quote"}, "quote"),
        ({"id": "page", "agentId": "quote"}, "page"),
    ],
)
def test_without_an_id_the_agent_id_names_the_kind(item: Any, kind: str) -> None:
    assert read_envelope({"context": [item]}).context[0].kind == kind


@pytest.mark.parametrize("url", ["import * as vscode", "http://[", "", 7, None, {"no": "url"}])
def test_no_field_of_an_item_is_judged(url: object) -> None:
    item = {"id": "page", "url": url, "pageUrl": url, "list": [{"xpath": "//["}]}
    assert read_envelope({"context": [item]}).context[0].value == item


def test_unknown_keys_beside_and_in_meta_are_ignored() -> None:
    assert read_envelope({"meta": {"colour": "red"}, "more": 1}) == Envelope()


def test_every_key_of_meta_is_read() -> None:
    meta = {
        "tool": "ask", "language": "中文", "provider": "p", "model": "a/b", "temperature": 1, "parent": "x",
        "client_id": "c", "surface": "extension", "store": False, "assembled": True, "pending": "skip",
    }  # fmt: skip
    assert read_envelope({"meta": meta}).meta == Meta(**{**meta, "temperature": 1.0})  # type: ignore[arg-type]


def test_null_in_meta_is_as_good_as_absent() -> None:
    assert read_envelope({"meta": {"tool": None, "store": None, "temperature": None}}).meta == Meta()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("x", "x"),
        (None, ""),
        ([], ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
    ],
)
def test_a_content_is_a_text_or_its_parts(content: Any, text: str) -> None:
    assert read_envelope({"messages": [{"role": "user", "content": content}]}).messages[0].content == text


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_what_databases_refuse_is_replaced_and_said(text: str) -> None:
    envelope = read_envelope({"context": [{"id": "page", text: text}]})
    assert envelope.normalised
    assert "\ufffd" in "".join(envelope.context[0].value)


def test_other_text_is_not_said_to_be_replaced() -> None:
    assert not read_envelope({"messages": [{"role": "user", "content": "\ufffd 😀"}]}).normalised


@pytest.mark.parametrize(
    ("roles", "is_import"),
    [
        ([], False),
        (["user"], False),
        (["user", "assistant"], True),
        (["assistant", "user"], False),
        (["tool"], False),
    ],
)
def test_history_that_ends_with_an_answer_is_an_import(roles: list[str], is_import: bool) -> None:
    messages = [{"role": role, "content": "x"} for role in roles]
    assert read_envelope({"messages": messages}).is_import is is_import

"""Streams with right answers: read whole, cut up at every offset, cut off at every offset."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from askweb.providers.events import Ending, Event, ReasoningDelta, TextDelta
from askweb.providers.reading import StreamReader

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases") / "provider_streams" / "cases.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_bytes()) if FILE.exists() else []
SMALL = 4096
BIG_OFFSETS = 12

pytestmark = pytest.mark.skipif(not CASES, reason="ASKWEB_CASES has no provider_streams/cases.json")
each_case = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


def body_of(case: dict[str, Any]) -> bytes:
    return base64.b64decode(case["body_base64"])


def read(case: dict[str, Any], *pieces: bytes, cut: bool | None = None) -> tuple[list[Event], Ending]:
    hints = case.get("hints") or {}
    reader = StreamReader(
        status=case["status"],
        content_type=case["headers"].get("content-type", ""),
        headers=case["headers"],
        secrets=[hints["api_key"]] if "api_key" in hints else [],
        think_open=hints.get("think_open", False),
    )
    events = [event for piece in pieces for event in reader.feed(piece)]
    ending = reader.end(cut=case["close"] == "cut" if cut is None else cut)
    return events + ending.events, ending


def said(events: list[Event], kind: type[TextDelta] | type[ReasoningDelta]) -> str:
    return "".join(event.text for event in events if isinstance(event, kind))


def summary(events: list[Event], ending: Ending) -> tuple[object, ...]:
    error = ending.error and (ending.error.code, ending.error.message)
    return events, ending.outcome, ending.finish, ending.usage, ending.calls, error


def offsets(body: bytes) -> range:
    return range(0, len(body) + 1, 1 if len(body) < SMALL else len(body) // BIG_OFFSETS)


@each_case
def test_the_text_and_the_reasoning(case):
    events, _ = read(case, body_of(case))
    tags = (case.get("hints") or {}).get("think_tags")
    text, reasoning = said(events, TextDelta), said(events, ReasoningDelta)
    got = (text.lstrip(), reasoning.strip()) if tags else (text, reasoning)
    assert got == (case["expect"]["text"], case["expect"]["reasoning"])


@each_case
def test_the_outcome(case):
    _, ending = read(case, body_of(case))
    usage = ending.usage and {
        "prompt_tokens": ending.usage.prompt_tokens,
        "completion_tokens": ending.usage.completion_tokens,
    }
    expect = case["expect"]
    assert (ending.outcome, ending.finish, usage) == (expect["outcome"], expect["finish"], expect["usage"])


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case["id"]) for case in CASES if case["expect"]["outcome"] == "finished"],
)
def test_the_calls(case):
    _, ending = read(case, body_of(case))
    calls = [{"name": call.name, "arguments": call.arguments} for call in ending.calls]
    assert calls == case["expect"]["calls"]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case["id"]) for case in CASES if case["expect"]["outcome"] == "failed"],
)
def test_the_error(case):
    expect, error = case["expect"], read(case, body_of(case))[1].error
    assert error is not None
    assert expect["error_code"] in (None, error.code)
    assert expect["retryable"] in (None, error.retryable)
    assert (expect["message_contains"] or "") in error.message
    assert expect.get("message_lacks", "\x00") not in error.message
    assert len(error.message.encode()) <= 2100


@each_case
def test_cut_up_anywhere_it_says_the_same(case):
    body = body_of(case)
    whole = summary(*read(case, body))
    assert [at for at in offsets(body) if summary(*read(case, body[:at], b"", body[at:])) != whole] == []


@each_case
def test_byte_by_byte_it_says_the_same(case):
    body = body_of(case)
    size = 1 if len(body) < SMALL else 997
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    assert summary(*read(case, *pieces)) == summary(*read(case, body))


@each_case
@pytest.mark.parametrize(("cut", "step"), [(False, 1), (True, 5)], ids=["clean", "cut"])
def test_cut_off_anywhere_it_says_a_prefix_and_no_success(case, cut, step):
    body = body_of(case)
    whole, _ = read(case, body)
    complete = len(body) + 1 if case["complete_from"] is None else case["complete_from"]
    for at in offsets(body)[::step]:
        events, ending = read(case, body[:at], cut=cut)
        assert said(whole, TextDelta).startswith(said(events, TextDelta)), at
        assert said(whole, ReasoningDelta).startswith(said(events, ReasoningDelta)), at
        assert ending.outcome != "finished" or at >= complete, at

"""The recorded streams through everything: HTTP, the reader, the run, the database, and the API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from questions.deciding import OURS
from tests.providers.test_cases import CASES, body_of
from tests.stand_ins.recorded import RecordedProvider, Recording
from tests.stand_ins.server import Asked, LiveServer
from tests.waiting import until

LONG = 90.0
"""Seconds; what is worth trying again is tried again, after the pause that its provider asks for."""

STATES = {"finished": "completed", "interrupted": "interrupted", "failed": "failed"}

pytestmark = [
    pytest.mark.skipif(not CASES, reason="cases: ASKWEB_CASES has no provider_streams/cases.json"),
    pytest.mark.once,
]


def only(outcome: str) -> list[Any]:
    return [pytest.param(each, id=each["id"]) for each in CASES if each["expect"]["outcome"] == outcome]


each_case = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
each_finished = pytest.mark.parametrize("case", only("finished"))
each_failed = pytest.mark.parametrize("case", only("failed"))


@pytest.fixture(scope="module")
def recorded() -> Iterator[RecordedProvider]:
    provider = RecordedProvider(
        {
            case["id"]: Recording(case["status"], case["headers"], body_of(case), case["close"] == "cut")
            for case in CASES
        }
    )
    yield provider
    provider.close()


@dataclass(frozen=True)
class Answered:
    """What the API tells of a case once its run has ended."""

    run: Any
    reply: Any


@pytest.fixture(scope="module")
def answered(live: LiveServer, recorded: RecordedProvider) -> dict[str, Answered]:
    """All cases, asked at once."""
    slugs = {hints: add_provider(live, recorded, *hints) for hints in {hints_of(case) for case in CASES}}
    asked = {case["id"]: ask(live, slugs[hints_of(case)], case) for case in CASES}
    wait_for_the_slowest(live, asked)
    return {id_: Answered(run_of(live, each), live.message(each.reply)) for id_, each in asked.items()}


def ask(live: LiveServer, provider: str, case: dict[str, Any]) -> Asked:
    """Over OpenAI's API where the model asks the person, since there its calls are nobody's but the client's."""
    if OURS.isdisjoint(call["name"] for call in case["expect"].get("calls") or ()):
        return live.ask(provider, model=case["id"])
    body = {"model": f"{provider}/{case['id']}", "messages": [{"role": "user", "content": "Hi"}]}
    ids = live.post("/v1/chat/completions", body).json["meta"]
    return Asked(**{name: ids[name] for name in ("conversation", "message", "reply", "run")})


def hints_of(case: dict[str, Any]) -> tuple[str, bool]:
    hints = case.get("hints") or {}
    return hints.get("api_key", "sk-test"), hints.get("think_open", False)


def add_provider(live: LiveServer, recorded: RecordedProvider, api_key: str, think_open: bool) -> str:
    capabilities = {"*": {"think_open": think_open}}
    row = {"base_url": recorded.base_url, "api_key": api_key, "capabilities": capabilities}
    slug: str = live.post("/api/providers/", row).json["slug"]
    return slug


def wait_for_the_slowest(live: LiveServer, asked: dict[str, Asked]) -> None:
    """Be told when the run ends whose provider asks for the longest pauses, since asking takes the server's time."""
    slowest = max(CASES, key=pause_of)
    with live.socket() as socket:
        command = {"command": "subscribe", "conversation": asked[slowest["id"]].conversation}
        socket.send(orjson.dumps({"meta": command}).decode())
        while not has_ended(orjson.loads(socket.recv(LONG))["meta"]):
            pass


def pause_of(case: dict[str, Any]) -> float:
    return float(case["headers"].get("retry-after", 0)) if case["expect"]["retryable"] else 0


def has_ended(meta: dict[str, Any]) -> bool:
    snapshot = meta["event"] == "conversation.snapshot"
    return meta["event"] == "run.failed" or (snapshot and meta["active_run"] is None)


def run_of(live: LiveServer, asked: Asked) -> Any:
    return until("the run ends", lambda: ended(live, asked), seconds=LONG)


def ended(live: LiveServer, asked: Asked) -> Any:
    run = live.run(asked.run)
    return None if run["state"] in ("queued", "streaming") else run


@each_case
def test_the_run_ends_as_the_stream_did(answered: dict[str, Answered], case: dict[str, Any]):
    run, expect = answered[case["id"]].run, case["expect"]
    got = run["state"], run["finish"], run["usage"]
    assert got == (STATES[expect["outcome"]], expect["finish"], expect["usage"])


@each_case
def test_the_reply_is_what_the_stream_said(answered: dict[str, Answered], case: dict[str, Any]):
    reply = answered[case["id"]].reply
    got = reply["content"], reply["reasoning"]
    if (case.get("hints") or {}).get("think_tags"):
        got = got[0].lstrip(), got[1].strip()
    assert got == (case["expect"]["text"], case["expect"]["reasoning"])


@each_finished
def test_the_reply_has_the_calls(answered: dict[str, Answered], case: dict[str, Any]):
    calls = answered[case["id"]].reply["function_calls"]
    got = [{"name": call["name"], "arguments": call["arguments"]} for call in calls]
    assert got == case["expect"]["calls"]


@each_failed
def test_the_run_says_what_failed(answered: dict[str, Answered], case: dict[str, Any]):
    run, expect = answered[case["id"]].run, case["expect"]
    assert expect["error_code"] in (None, run["code"])
    assert expect["retryable"] in (None, run["retryable"])
    assert (expect["message_contains"] or "") in run["error"]
    assert expect.get("message_lacks", "\x00") not in run["error"]
    assert len(run["error"].encode()) <= 2100

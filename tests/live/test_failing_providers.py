"""However a provider fails, the run ends with a code, and the conversation can be gone on with."""

from typing import Any

import orjson
import pytest

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer, free_port
from tests.stand_ins.upstream import Upstream

JSON = "application/json"


def complaint(message: str, code: str) -> bytes:
    return orjson.dumps({"error": {"message": message, "code": code}})


@pytest.mark.parametrize(
    ("pieces", "how", "state", "code"),
    [
        pytest.param(
            [complaint("Incorrect API key provided", "invalid_api_key")],
            {"status": 401, "content_type": JSON},
            "failed",
            "provider.auth",
            id="wrong key",
        ),
        pytest.param(
            [complaint("The model does not exist", "model_not_found")],
            {"status": 404, "content_type": JSON},
            "failed",
            "provider.model_unknown",
            id="unknown model",
        ),
        pytest.param(
            [b"<!doctype html><title>Welcome</title>"],
            {"content_type": "text/html"},
            "failed",
            "provider.protocol",
            id="a web page",
        ),
        pytest.param([sse.chunk("Part")], {"cut": True}, "interrupted", "run.interrupted", id="cut"),
        pytest.param([sse.chunk("Part")], {}, "interrupted", "run.interrupted", id="ends without a finish"),
    ],
)
def test_a_failing_provider(
    live: LiveServer,
    upstream: Upstream,
    parrot: str,
    pieces: list[bytes],
    how: dict[str, Any],
    state: str,
    code: str,
) -> None:
    upstream.will_send(*pieces, **how)
    asked = live.ask(parrot)
    run = live.ended(asked.run)
    assert (run["state"], run["code"]) == (state, code)
    after = live.ask(parrot, conversation=asked.conversation)
    assert live.ended(after.run)["state"] == "completed"


def test_text_before_a_cut_is_kept(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    upstream.will_send(sse.chunk("Part"), cut=True)
    asked = live.ask(parrot)
    live.ended(asked.run)
    reply = live.message(asked.reply)
    assert (reply["content"], reply["state"]) == ("Part", "interrupted")


def test_a_provider_that_is_down(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    nowhere = live.add_provider(upstream, base_url=f"http://127.0.0.1:{free_port()}/v1")
    asked = live.ask(nowhere)
    run = live.ended(asked.run)
    assert (run["state"], run["code"], run["retryable"]) == ("failed", "provider.unavailable", True)
    after = live.ask(parrot, conversation=asked.conversation)
    assert live.ended(after.run)["state"] == "completed"


def test_the_key_is_sent_to_the_provider_and_shown_to_nobody(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    live.ended(live.ask(parrot).run)
    assert upstream.next_call().headers["Authorization"] == "Bearer sk-test"
    assert b"sk-test" not in live.get("/api/providers/").body

"""The small model that comes with the install, and the same runtime as an ordinary provider."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.starting import SERVING
from tests.live.follower import Follower
from tests.required import PROJECT
from tests.stand_ins.server import Asked, LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream

PATIENCE = 120.0


def test_the_page_that_is_posted_as_it_is_gets_a_streamed_reply(
    new_server: MakeServer, installed_model: LocalModel, cases: Path
) -> None:
    server = new_server(ASKWEB_LOCAL_MODEL=str(installed_model.path))
    server.start()
    seed = (cases / "seeds" / "stackoverflow-envelope.json").read_bytes()
    asked = Asked.by(server.request("POST", "/api/conversations/", seed))
    with server.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until(lambda: len(follower.deltas) > 3, seconds=PATIENCE)
        server.post(f"/api/runs/{asked.run}/stop/")
        follower.until_ended(asked.run)
    joined = "".join(delta["delta"]["content"] for delta in follower.deltas)
    assert server.message(asked.reply)["content"].endswith(joined)
    assert follower.text(asked.reply) == server.message(asked.reply)["content"]
    server.terminate()


@pytest.fixture
def llama_server(installed_model: LocalModel) -> Iterator[str]:
    """llama.cpp's own server, as anyone may run it; yields its address."""
    order = {"path": str(installed_model.path), "name": "small", "api_key": "sk-test"}
    command = [sys.executable, "-m", SERVING]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(order).encode() + b"\n")
        child.stdin.flush()
        yield json.loads(child.stdout.readline())["address"]
        child.stdin.close()


def test_its_runtime_can_be_configured_by_hand(
    live: LiveServer, upstream: Upstream, llama_server: str
) -> None:
    by_hand = live.add_provider(upstream, base_url=f"{llama_server}/v1", default_model="small")
    asked = live.ask(by_hand, "Say hello.")
    run = live.ended(asked.run, seconds=PATIENCE)
    assert (run["state"], run["code"]) == ("completed", None)
    assert live.message(asked.reply)["content"]

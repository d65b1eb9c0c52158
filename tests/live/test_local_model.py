"""The small model that comes with the install, and the same runtime as an ordinary provider."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.starting import SERVING
from tests.live.asking import answer, question_set
from tests.live.follower import Follower
from tests.required import PROJECT
from tests.stand_ins.server import Answer, Asked, LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

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


@pytest.mark.long
def test_its_runtime_can_be_configured_by_hand(
    live: LiveServer, upstream: Upstream, llama_server: str
) -> None:
    by_hand = live.add_provider(upstream, base_url=f"{llama_server}/v1", default_model="small")
    asked = live.ask(by_hand, "Say hello.")
    run = live.ended(asked.run, seconds=PATIENCE)
    assert (run["state"], run["code"]) == ("completed", None)
    assert live.message(asked.reply)["content"]


XML_GRAMMAR = r"""
root ::= "<ask_followup_question><question>Which?</question>" choice "</ask_followup_question>"
choice ::= "<follow_up><suggest>Tea</suggest><suggest>" words "</suggest></follow_up>"
words ::= "Red" | "Green"
"""


@pytest.mark.long
def test_a_followup_that_a_model_writes_is_asked(
    live: LiveServer, upstream: Upstream, llama_server: str
) -> None:
    where = {"base_url": f"{llama_server}/v1", "default_model": "small"}
    by_hand = live.add_provider(upstream, **where, capabilities={"small": {"refuses": ["tools"]}})
    body = {
        "model": f"{by_hand}/small",
        "messages": [{"role": "user", "content": "Ask me something."}],
        "grammar": XML_GRAMMAR,
        "stream": True,
        "meta": {"questions": True, "client_id": by_hand},
    }
    answers: list[Answer] = []
    asking = threading.Thread(target=lambda: answers.append(live.post("/v1/chat/completions", body)))
    asking.start()
    rows: list[Any] = until("it asks", lambda: pending(live, "Tea") or answers, seconds=2 * PATIENCE)
    assert answers == []
    chosen = rows[0]["followup"]["suggest"][1]["answer"]
    answer(live, rows[0], 1)
    path = f"/api/messages/{rows[0]['message']}/assembly/"
    sent = {"role": "user", "content": f"<answer>\n{chosen}\n</answer>"}
    until("the model is sent the answer", lambda: live.get(path).json["messages"][-1] == sent)
    assert live.message(rows[0]["message"])["content"] == ""
    live.post(f"/api/runs/{rows[0]['run']}/stop/")
    asking.join()


def pending(server: LiveServer, suggestion: str) -> list[Any]:
    """The follow-ups that wait, and suggest this first: other tests leave some, too."""
    rows = server.get("/api/questions/?status=pending").json["results"]
    followups = [row for row in rows if row["source"] == "xml"]
    return [row for row in followups if row["followup"]["suggest"][0]["answer"] == suggestion]


@pytest.mark.long
def test_translating_with_the_local_model_asks_for_the_language(
    new_server: MakeServer, installed_model: LocalModel
) -> None:
    server = new_server(ASKWEB_LOCAL_MODEL=str(installed_model.path))
    server.start()
    page = {"id": "page", "title": "Tides", "selection": "Good morning."}
    posted = server.post("/api/conversations/", {"context": [page], "meta": {"tool": "translate"}})
    asked = Asked.by(posted)
    answer(server, question_set(server, asked), 3)
    until("it answers", lambda: server.message(asked.reply)["content"], seconds=PATIENCE)
    prompt = server.get(f"/api/messages/{asked.message}/assembly/").json["messages"][-1]["content"]
    assert prompt.startswith("Translate the following into Tiếng Việt.")
    server.post(f"/api/runs/{asked.run}/stop/")
    server.terminate()

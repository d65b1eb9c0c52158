"""A page of 3 MB of Chinese text and the real small model, which reads 4,096 tokens."""

import json

import pytest

from askweb.providers.local.choosing import LocalModel
from tests.stand_ins.server import Asked, MakeServer
from tests.waiting import until

PATIENCE = 240.0
CHINESE = "月亮牵引着大海，潮汐由此而来。渔民们很早就知道这一点。\n\n" * 37_000


@pytest.mark.long
def test_gets_a_reply_and_the_cuts_are_shown(new_server: MakeServer, installed_model: LocalModel) -> None:
    server = new_server(ASKWEB_LOCAL_MODEL=str(installed_model.path))
    server.start()
    page = {"id": "page", "title": "潮汐", "content": CHINESE}
    body = {
        "context": [page],
        "meta": {"tool": "page"},
        "messages": [{"role": "user", "content": "潮汐是怎么来的？"}],
    }
    asked = Asked.by(server.request("POST", "/api/conversations/", json.dumps(body).encode()))
    until("the reply begins", lambda: server.message(asked.reply)["content"], seconds=PATIENCE)
    server.post(f"/api/runs/{asked.run}/stop/")
    assert server.ended(asked.run)["state"] in ("stopped", "completed")
    assembly = server.get(f"/api/messages/{asked.reply}/assembly/").json
    assert assembly["parts"][0]["cut"] > 1_000_000
    assert f"[… {assembly['parts'][0]['cut']:,} characters left out …]" in assembly["messages"][-1]["content"]
    assert server.message(asked.message)["context"] == [page]
    server.terminate()

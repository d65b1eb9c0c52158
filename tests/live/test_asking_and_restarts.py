"""A pending question outlives its server, and so does what was typed for it."""

import json
from typing import Any

import pytest

from tests.live.asking import ask_by_function, question_set, sent, waiting
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

DRAFT = {"answers": {"deploy_target": {"options": [1], "other": "half a sent"}}, "comment": "", "step": 0}


def test_08_a_killed_server_asks_again_with_the_same_draft(
    mortal: LiveServer, upstream: Upstream, mortal_parrot: str
) -> None:
    ask_by_function(upstream)
    asked, row = waiting(mortal, mortal_parrot)
    upstream.next_call()
    assert (
        mortal.request(
            "PUT", f"/api/questions/{row['id']}/draft/", json.dumps({**DRAFT, "revision": 0}).encode()
        ).status
        == 200
    )
    mortal.kill()
    mortal.restart()
    again = question_set(mortal, asked)
    assert (again["id"], again["expires_at"]) == (row["id"], row["expires_at"])
    assert again["draft"] == {**DRAFT, "revision": 1}
    answer = {"client_id": "c", "answers": {"deploy_target": {"options": [1]}}}
    assert mortal.post(f"/api/questions/{row['id']}/answer/", answer).status == 200
    assert "Production" in sent(upstream)[-1]["content"]
    assert mortal.ended(asked.run)["state"] == "completed"


def end_in_the_past(server: LiveServer, row: dict[str, Any]) -> None:
    change = f"QuestionSet.objects.filter(pk='{row['id']}').update(expires_at='2020-01-01T00:00Z')"
    server.manage("shell", "-v0", "-c", f"from questions.models import QuestionSet; {change}")


@pytest.mark.parametrize("state", ["down", "up"])
def test_09_a_question_whose_time_is_over_does_not_hold_its_run(
    mortal: LiveServer, upstream: Upstream, mortal_parrot: str, state: str
) -> None:
    ask_by_function(upstream)
    asked, row = waiting(mortal, mortal_parrot)
    upstream.next_call()
    if state == "down":
        mortal.kill()
    end_in_the_past(mortal, row)
    if state == "down":
        mortal.restart()
    else:
        assert mortal.get(f"/api/questions/{row['id']}/").json["status"] == "expired"
    result = json.loads(sent(upstream)[-1]["content"])
    assert (result["status"], result["reason"]) == ("no_answer", "expired")
    assert mortal.ended(asked.run)["state"] == "completed"


def test_a_message_after_the_deadline_lets_the_run_go_on(
    mortal: LiveServer, upstream: Upstream, mortal_parrot: str
) -> None:
    ask_by_function(upstream)
    asked, row = waiting(mortal, mortal_parrot)
    end_in_the_past(mortal, row)
    mortal.try_ask(mortal_parrot, conversation=asked.conversation)
    assert mortal.ended(asked.run)["state"] == "completed"
    assert question_set(mortal, asked, "expired")["id"] == row["id"]

"""Questions of a tool: asked before the first call, and answered into its prompt."""

from typing import Any

import pytest

from tests.live.asking import answer, sent, waiting
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream

QUESTION = {"id": "a", "header": "A", "question": "A?", "options": [{"label": "x"}, {"label": "y"}]}


def translate(server: LiveServer, provider: str, **meta: object) -> tuple[Asked, dict[str, Any]]:
    return waiting(server, provider, tool="translate", **meta)


def prompt(upstream: Upstream) -> str:
    text: str = sent(upstream)[-1]["content"]
    return text.partition("\n")[0]


def test_translating_asks_for_the_language_first(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    asked, row = translate(live, parrot)
    assert (row["source"], row["tool"], live.run(asked.run)["state"]) == ("tool", "translate", "waiting")
    assert upstream.count_calls() == 0
    badged = [option["label"] for option in row["questions"][0]["options"] if option["recommended"]]
    assert badged == ["English (Recommended)"]


def test_the_prompt_contains_the_answer(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    asked, row = translate(live, parrot)
    answer(live, row, 2)
    assert prompt(upstream).startswith("Translate the following into 日本語.")
    assert live.ended(asked.run)["state"] == "completed"
    assert live.message(asked.reply)["content"] == "Fine."


def test_free_text_is_an_answer(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    _asked, row = translate(live, parrot)
    live.post(f"/api/questions/{row['id']}/answer/", {"client_id": "c", "text": "Suomi"})
    assert "into Suomi." in prompt(upstream)


def test_a_badge_is_no_part_of_the_answer(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    _asked, row = translate(live, parrot)
    answer(live, row, 0)
    assert "into English." in prompt(upstream)


def test_a_language_that_was_chosen_is_not_asked_for(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    asked = live.ask(parrot, tool="translate", language="Suomi")
    assert "into Suomi." in prompt(upstream)
    assert live.ended(asked.run)["state"] == "completed"


def test_skipped_it_uses_the_badged_option_and_says_so(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    asked, row = translate(live, parrot)
    live.post(f"/api/questions/{row['id']}/skip/", {"client_id": "c"})
    assert "into English." in prompt(upstream)
    live.ended(asked.run)
    warnings = live.get(f"/api/messages/{asked.message}/assembly/").json["warnings"]
    assert warnings == ["Language: not answered, so English was used."]


def test_an_answer_can_be_remembered(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    asked, row = translate(live, parrot)
    answer(live, row, 3, remember=True)
    live.ended(asked.run)
    upstream.next_call()
    again = live.ask(parrot, tool="translate")
    assert "into Tiếng Việt." in prompt(upstream)
    assert live.ended(again.run)["state"] == "completed"
    (remembered,) = live.get("/api/remembered-answers/").json["results"]
    assert live.request("DELETE", f"/api/remembered-answers/{remembered['id']}/").status == 204
    translate(live, parrot)


def test_a_changed_answer_is_assembled_anew(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    asked, row = translate(live, parrot)
    answer(live, row, 0)
    live.ended(asked.run)
    upstream.next_call()
    live.post(f"/api/questions/{row['id']}/change/", {"client_id": "d", "text": "Suomi"})
    assert "into Suomi." in prompt(upstream)


@pytest.mark.parametrize("end", ["stop", "delete"])
def test_a_stopped_run_never_calls_the_model(
    live: LiveServer, upstream: Upstream, parrot: str, end: str
) -> None:
    asked, row = translate(live, parrot)
    if end == "stop":
        live.post(f"/api/runs/{asked.run}/stop/")
        assert live.get(f"/api/questions/{row['id']}/").json["status"] == "cancelled"
    else:
        live.request("DELETE", f"/api/conversations/{asked.conversation}/")
        assert live.get(f"/api/questions/{row['id']}/").status == 404
    assert upstream.count_calls() == 0


def test_a_tool_that_is_gone_fails_its_run_and_says_so(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    live.post(
        "/api/tools/",
        {"name": "Ask first", "slug": "ask-first", "template": "{{answers.a}}", "questions": [QUESTION]},
    )
    asked, row = waiting(live, parrot, tool="ask-first")
    live.request("DELETE", "/api/tools/ask-first/")
    answer(live, row)
    run = live.ended(asked.run)
    assert (run["state"], run["code"]) == ("failed", "tool.unknown")


def test_each_branch_is_regenerated_with_its_own_answer(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    asked, row = translate(live, parrot)
    answer(live, row, 2)
    live.ended(asked.run)
    changed = live.post(f"/api/questions/{row['id']}/change/", {"client_id": "d", "text": "Suomi"})
    live.ended(changed.json["run"]["id"])
    upstream.next_call(), upstream.next_call()
    live.post(f"/api/messages/{asked.reply}/regenerate/", {})
    assert "into 日本語." in prompt(upstream)

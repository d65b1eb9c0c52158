"""Runs that ask the person: by a function, by XML in the text, and what goes back to the model."""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.live.asking import (
    OFFERED,
    TARGET,
    XML,
    answer,
    ask_by_function,
    ask_by_xml,
    question_set,
    sent,
    waiting,
)
from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream

EXACTLY = '{"status": "answered", "answers": {"answers": {"deploy_target": {"answers": ["Staging (Recommended)"]}}}}'


def test_a_run_that_asks_waits(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    assert live.run(asked.run)["state"] == "waiting"
    assert (row["source"], row["run"], row["message"]) == ("function", asked.run, asked.reply)


def test_the_model_gets_exactly_the_result(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    upstream.next_call()
    answer(live, row)
    result = sent(upstream)[-1]
    assert result == {"role": "tool", "tool_call_id": "call_1", "content": EXACTLY}
    assert live.ended(asked.run)["state"] == "completed"


def test_the_function_is_offered(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    live.ask(parrot)
    (function,) = upstream.next_call().body["tools"]
    assert function["function"]["name"] == "ask_user"
    assert "never for what can be inferred" in function["function"]["description"]


def test_the_reply_goes_on_behind_the_question(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    upstream.will_send(sse.chunk("Let me see."), *sse.calls(sse.call("ask_user", OFFERED)))
    upstream.will_send(*sse.reply("Staging it is."))
    asked, row = waiting(live, parrot)
    answer(live, row)
    assert live.ended(asked.run)["steps"] == 2
    reply = live.message(asked.reply)
    assert reply["content"] == "Let me see.\n\nStaging it is."
    assert f'<p dir="auto">Let me see.</p><hr data-question-set="{row["id"]}">' in reply["html"]
    assert reply["function_calls"][0]["result"] == EXACTLY


def test_the_next_question_has_the_answer_in_its_history(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    upstream.will_send(sse.chunk("Let me see."), *sse.calls(sse.call("ask_user", OFFERED)))
    upstream.will_send(*sse.reply("Staging it is."))
    asked, row = waiting(live, parrot)
    answer(live, row)
    live.ended(asked.run)
    upstream.next_call(), upstream.next_call()
    live.ask(parrot, "And now?", conversation=asked.conversation)
    roles = [(each["role"], each["content"]) for each in sent(upstream) if each["role"] != "system"]
    assert roles[1:] == [
        ("assistant", "Let me see."),
        ("tool", EXACTLY),
        ("assistant", "Staging it is."),
        ("user", "And now?"),
    ]


def test_a_followup_is_taken_out_of_the_text(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_xml(upstream)
    asked, row = waiting(live, parrot)
    assert live.message(asked.reply)["content"] == "I can set it up.\n\n"
    assert row["followup"] == {
        "question": "Which one?",
        "suggest": [{"answer": "Use Vue"}, {"answer": "Use React & co"}],
    }


def test_its_answer_is_the_next_user_message(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_xml(upstream)
    asked, row = waiting(live, parrot)
    upstream.next_call()
    answer(live, row, 1)
    assert sent(upstream)[-2:] == [
        {"role": "assistant", "content": XML},
        {"role": "user", "content": "<answer>\nUse React & co\n</answer>"},
    ]
    live.ended(asked.run)


def test_a_native_followup_is_the_same_thing(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    arguments = {"question": "Which?", "follow_up": "<suggest>Vue</suggest>"}
    upstream.will_send(*sse.calls(sse.call("ask_followup_question", arguments)))
    _asked, row = waiting(live, parrot)
    upstream.next_call()
    assert row["followup"] == {"question": "Which?", "suggest": [{"answer": "Vue"}]}
    answer(live, row)
    assert sent(upstream)[-1]["content"] == "<answer>\nVue\n</answer>"


@pytest.mark.parametrize(("seed", "count"), [("followup-1", 3), ("followup-2", 4), ("followup-3", 3)])
def test_the_handed_followups_are_asked(
    live: LiveServer, upstream: Upstream, parrot: str, cases: Path, seed: str, count: int
) -> None:
    ask_by_xml(upstream, (cases / "seeds" / f"{seed}.xml").read_text(encoding="utf-8"))
    asked, row = waiting(live, parrot)
    upstream.next_call()
    suggestions = [each["answer"] for each in row["followup"]["suggest"]]
    assert (len(suggestions), live.message(asked.reply)["content"].strip()) == (count, "")
    answer(live, row, 1)
    assert sent(upstream)[-1] == {"role": "user", "content": f"<answer>\n{suggestions[1]}\n</answer>"}


def test_a_chinese_followup_without_its_question_is_told_so_in_chinese(
    live: LiveServer, upstream: Upstream, parrot: str, cases: Path
) -> None:
    whole = (cases / "seeds" / "followup-1.xml").read_text(encoding="utf-8")
    ask_by_xml(upstream, re.sub("<question>.*</question>", "", whole))
    live.ask(parrot)
    upstream.next_call()
    assert sent(upstream)[-1]["content"] == "<error>\n缺失必选参数'question'\n</error>"


@pytest.mark.parametrize("reply", ["1", "staging", "Staging (Recommended)"])
def test_the_handed_answer_is_what_the_model_gets(
    live: LiveServer, upstream: Upstream, parrot: str, cases: Path, reply: str
) -> None:
    ask_by_function(upstream)
    _asked, row = waiting(live, parrot)
    upstream.next_call()
    live.post(f"/api/questions/{row['id']}/answer/", {"client_id": "c", "text": reply})
    handed = json.loads((cases / "seeds" / "ask-user-answered.json").read_text(encoding="utf-8"))
    assert json.loads(sent(upstream)[-1]["content"]) == handed


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        (
            "<ask_followup_question><follow_up><suggest>A</suggest></follow_up></ask_followup_question>",
            "'question'",
        ),
        ("<ask_followup_question><question>Which", "could not be parsed: line 1"),
    ],
)
def test_a_bad_followup_is_told_and_never_shown(
    live: LiveServer, upstream: Upstream, parrot: str, xml: str, words: str
) -> None:
    ask_by_xml(upstream, xml)
    asked = live.ask(parrot)
    upstream.next_call()
    error = sent(upstream)[-1]
    assert error["role"] == "user"
    assert words in error["content"]
    assert live.ended(asked.run)["state"] == "completed"
    assert live.message(asked.reply)["content"] == "Fine."


def test_13_the_second_call_of_a_turn_is_told_to_wait(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    other = {"questions": [{**TARGET, "id": "other"}]}
    upstream.will_send(*sse.calls(sse.call("ask_user", OFFERED), sse.call("ask_user", other, "call_2", 1)))
    _asked, row = waiting(live, parrot)
    upstream.next_call()
    assert [each["id"] for each in row["questions"]] == ["deploy_target"]
    answer(live, row)
    results = {each["tool_call_id"]: each["content"] for each in sent(upstream) if each["role"] == "tool"}
    assert results["call_1"] == EXACTLY
    assert "ask one at a time" in results["call_2"]


def test_14_a_run_that_may_not_ask_is_told_so(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked = live.ask(parrot, questions=False)
    assert "tools" not in upstream.next_call().body
    assert "No person can be asked here" in sent(upstream)[-1]["content"]
    live.ended(asked.run)
    assert live.get(f"/api/questions/?conversation={asked.conversation}").json["results"] == []


BAD: dict[str, Any] = {"questions": [{**TARGET, "id": "Not Good"}]}


def test_15_three_bad_calls_in_a_row_fail_the_run(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    for arguments in (BAD, BAD, OFFERED):
        ask_by_function(upstream, arguments)
    asked, row = waiting(live, parrot)
    for arguments in (BAD, BAD, BAD):
        ask_by_function(upstream, arguments)
    answer(live, row)
    run = live.ended(asked.run)
    assert (run["state"], run["code"], run["steps"]) == ("failed", "questions.too_many_mistakes", 6)


def test_a_bad_call_is_told_every_fault(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream, BAD)
    live.ask(parrot)
    upstream.next_call()
    (error,) = json.loads(sent(upstream)[-1]["content"])["errors"]
    assert (error["path"], error["code"]) == ("questions[0].id", "bad_id")


def test_several_calls_are_answered_in_their_order(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    """Also where one of them was no JSON object."""
    made = [sse.call("ask_user", "no object", "call_1", 0), sse.call("ask_user", OFFERED, "call_2", 1)]
    upstream.will_send(*sse.calls(*made))
    _asked, row = waiting(live, parrot)
    upstream.next_call()
    answer(live, row)
    *_history, turn, first, second = sent(upstream)
    assert [call["id"] for call in turn["tool_calls"]] == ["call_1", "call_2"]
    assert [each["tool_call_id"] for each in (first, second)] == ["call_1", "call_2"]
    assert json.loads(second["content"])["status"] == "answered"


def test_a_run_that_never_comes_to_an_answer_fails(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    for number in range(5):
        ask_by_function(upstream, BAD)
        ask_by_function(upstream, OFFERED, f"call_{number}")
    asked = live.ask(parrot)
    for _number in range(4):
        answer(live, question_set(live, asked))
    run = live.ended(asked.run)
    assert (run["code"], run["steps"]) == ("run.too_many_steps", 10)


@pytest.mark.parametrize("how", ["skip", "answer"])
def test_11_a_skipped_set_is_told_to_the_model(
    live: LiveServer, upstream: Upstream, parrot: str, how: str
) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    upstream.next_call()
    live.post(
        f"/api/questions/{row['id']}/{how}/",
        {"client_id": "c"} | ({"text": "skip"} if how == "answer" else {}),
    )
    result = json.loads(sent(upstream)[-1]["content"])
    assert (result["status"], result["reason"]) == ("no_answer", "skipped")
    assert live.ended(asked.run)["state"] == "completed"


def test_12_a_stopped_run_cancels_its_question(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    live.post(f"/api/runs/{asked.run}/stop/")
    assert live.run(asked.run)["state"] == "stopped"
    late = live.post(f"/api/questions/{row['id']}/answer/", {"client_id": "c", "text": "1"})
    assert (late.status, late.code) == (409, "question.already_resolved")
    assert late.json["question_set"]["status"] == "cancelled"


def test_what_a_stopped_run_asked_stays_in_the_history(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    ask_by_function(upstream)
    asked, _row = waiting(live, parrot)
    upstream.next_call()
    live.post(f"/api/runs/{asked.run}/stop/")
    live.ask(parrot, "Go on", conversation=asked.conversation)
    (result,) = [each for each in sent(upstream) if each["role"] == "tool"]
    assert json.loads(result["content"])["reason"] == "cancelled"


def post_image(server: LiveServer, image: bytes) -> str:
    head = b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
    body = head + image + b"\r\n--x--\r\n"
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    id_: str = server.request("POST", "/api/images/", body, **form).json["id"]
    return id_


def test_images_follow_in_a_message_of_the_user(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    _asked, row = waiting(live, parrot)
    upstream.next_call()
    written = BytesIO()
    Image.new("RGB", (2, 2)).save(written, "PNG")
    image = post_image(live, written.getvalue())
    answer(live, row, images=[image])
    result, pictures = sent(upstream)[-2:]
    assert (result["role"], pictures["role"]) == ("tool", "user")
    (part,) = pictures["content"]
    assert part["image_url"]["url"].startswith("data:image/png;base64,")


def test_a_message_while_a_question_is_pending_is_refused(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    refused = live.try_ask(parrot, "What?", conversation=asked.conversation)
    assert (refused.status, refused.code) == (409, "run.waiting")
    assert refused.json["question_set"]["id"] == row["id"]


def test_a_message_can_be_the_answer(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, _row = waiting(live, parrot)
    upstream.next_call()
    posted = live.try_ask(parrot, "staging", conversation=asked.conversation, pending="answer")
    assert (posted.status, posted.json["run"]["id"]) == (202, asked.run)
    assert sent(upstream)[-1]["content"] == EXACTLY


def test_a_message_can_take_the_questions_place(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, _row = waiting(live, parrot)
    upstream.next_call()
    after = live.ask(parrot, "Never mind", conversation=asked.conversation, pending="skip")
    assert question_set(live, asked, "cancelled")["reason"] == "cancelled"
    assert live.run(asked.run)["state"] == "stopped"
    assert sent(upstream)[-1]["content"] == "Never mind"
    assert live.ended(after.run)["state"] == "completed"


@pytest.mark.parametrize("by", [ask_by_function, ask_by_xml])
def test_a_changed_answer_is_a_branch(live: LiveServer, upstream: Upstream, parrot: str, by: Any) -> None:
    by(upstream)
    asked, row = waiting(live, parrot)
    answer(live, row)
    live.ended(asked.run)
    before = upstream.next_call(), sent(upstream)
    answers = {row["questions"][0]["id"]: {"options": [1]}}
    changed = live.post(f"/api/questions/{row['id']}/change/", {"client_id": "d", "answers": answers})
    assert changed.status == 202
    assert live.ended(changed.json["run"]["id"])["state"] == "completed"
    after = sent(upstream)
    assert after[:-1] == before[1][:-1]
    assert row["questions"][0]["options"][1]["label"] in after[-1]["content"]
    assert set(live.message(asked.reply)["siblings"]) == {asked.reply, changed.json["reply"]["id"]}


def test_what_a_deleted_conversation_asked_is_gone(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    assert live.request("DELETE", f"/api/conversations/{asked.conversation}/").status == 204
    assert live.get(f"/api/questions/{row['id']}/").status == 404


def test_a_change_waits_for_a_scripts_question(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    answer(live, row)
    live.ended(asked.run)
    live.post("/api/questions/", {**OFFERED, "conversation": asked.conversation})
    refused = live.post(f"/api/questions/{row['id']}/change/", {"client_id": "d", "text": "2"})
    assert (refused.status, refused.code) == (409, "run.waiting")


def test_images_and_context_of_an_answering_message_are_kept(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    ask_by_function(upstream)
    asked, row = waiting(live, parrot)
    upstream.next_call()
    written = BytesIO()
    Image.new("RGB", (2, 2)).save(written, "PNG")
    meta = {"pending": "answer", "images": [post_image(live, written.getvalue())]}
    envelope = {
        "meta": meta,
        "messages": [{"role": "user", "content": "1"}],
        "context": [{"id": "page", "title": "T"}],
    }
    posted = live.post(f"/api/conversations/{asked.conversation}/messages/", envelope)
    assert posted.json["question_set"]["images"] == meta["images"]
    assert sent(upstream)[-1]["content"][0]["type"] == "image_url"
    kept = live.manage(
        "shell",
        "-v0",
        "-c",
        f"from questions.models import *; print(QuestionSet.objects.get(pk='{row['id']}').context)",
    )
    assert kept == "[{'id': 'page', 'title': 'T'}]"


def test_a_continued_run_tells_what_was_wrong_with_the_last_call(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    for number in range(3):
        ask_by_function(upstream, BAD, f"call_{number}")
    asked = live.ask(parrot)
    live.ended(asked.run)
    for _number in range(3):
        upstream.next_call()
    live.post(f"/api/messages/{asked.reply}/continue/", {})
    *_earlier, call, result, wish = sent(upstream)
    assert [each["id"] for each in call["tool_calls"]] == ["call_2"]
    assert (result["tool_call_id"], wish["role"]) == ("call_2", "user")
    assert "bad_id" in result["content"]


def test_a_function_that_nobody_has_keeps_no_question_from_being_asked(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    upstream.will_send(*sse.calls(sse.call("weather", {}), sse.call("ask_user", OFFERED, "call_2", 1)))
    _asked, row = waiting(live, parrot)
    upstream.next_call()
    answer(live, row)
    results = {each["tool_call_id"]: each["content"] for each in sent(upstream) if each["role"] == "tool"}
    assert "unknown_function" in results["call_1"]
    assert results["call_2"] == EXACTLY


def test_a_page_search_asks_nobody(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    ask_by_function(upstream)
    search = {"id": "pageSearch", "list": [{"xpath": "/p", "digest": "One"}]}
    meta = {"provider": parrot}
    asked = Asked.by(live.post("/api/conversations/", {"context": [search], "meta": meta}))
    live.ended(asked.run)
    assert "tools" not in upstream.next_call().body
    assert "No person can be asked here" in sent(upstream)[-1]["content"]


@pytest.fixture
def blocked(live: LiveServer) -> Iterator[str]:
    """A host that is blocked when the test says so, and no longer than that."""
    yield "waits.example"
    live.request("PATCH", "/api/settings/", b'{"blocked_hosts": []}')


def test_a_host_that_was_blocked_while_it_waited_goes_to_no_model(
    live: LiveServer, upstream: Upstream, parrot: str, blocked: str
) -> None:
    ask_by_function(upstream)
    page = {"id": "page", "url": f"https://{blocked}/", "content": "Quinces"}
    words = {"role": "user", "content": "Hi"}
    body = {"context": [page], "meta": {"provider": parrot}, "messages": [words]}
    asked = Asked.by(live.post("/api/conversations/", body))
    row = question_set(live, asked)
    upstream.next_call()
    live.request("PATCH", "/api/settings/", json.dumps({"blocked_hosts": [blocked]}).encode())
    answer(live, row)
    run = live.ended(asked.run)
    assert (run["state"], run["code"], upstream.count_calls()) == ("failed", "host.blocked", 0)
    assert blocked in run["error"]

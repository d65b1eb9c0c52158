"""Answering again: second answers, questions in other words, and answers that broke off."""

from typing import Any

import pytest

from tests.live.asking import answer, ask_by_function, sent, waiting
from tests.stand_ins import sse
from tests.stand_ins.server import Answer, Asked, LiveServer
from tests.stand_ins.upstream import Upstream

PAGE = {"id": "page", "title": "Tides", "content": "The moon pulls the sea."}


@pytest.fixture
def asked(live: LiveServer, upstream: Upstream, parrot: str) -> Asked:
    """A question about a page, by the tool `explain`, that was answered."""
    upstream.will_send(*sse.reply("First."))
    envelope = {
        "context": [PAGE],
        "meta": {"provider": parrot, "tool": "explain", "language": "Suomi"},
        "messages": [{"role": "user", "content": "Why?"}],
    }
    asked = Asked.by(live.post("/api/conversations/", envelope))
    live.ended(asked.run)
    return asked


def again(server: LiveServer, message: str, act: str, **body: object) -> Any:
    posted: Answer = server.post(f"/api/messages/{message}/{act}/", body)
    assert posted.status == 202, posted.body
    server.ended(posted.json["run"]["id"])
    return posted.json


def refused(server: LiveServer, message: str, act: str, **body: object) -> tuple[int, str]:
    posted = server.post(f"/api/messages/{message}/{act}/", body)
    return posted.status, posted.code


class TestRegenerating:
    def test_sends_the_same_again(self, live: LiveServer, upstream: Upstream, asked: Asked) -> None:
        first = sent(upstream)
        made = again(live, asked.reply, "regenerate")
        assert sent(upstream) == first
        assert made["message"]["id"] == asked.message
        assert live.message(made["reply"]["id"])["siblings"] == [asked.reply, made["reply"]["id"]]

    def test_the_new_answer_is_the_head(self, live: LiveServer, asked: Asked) -> None:
        made = again(live, asked.reply, "regenerate")
        assert live.get(f"/api/conversations/{asked.conversation}/").json["head"] == made["reply"]["id"]
        assert live.message(asked.reply)["content"] == "First."

    def test_by_another_tool(self, live: LiveServer, upstream: Upstream, asked: Asked) -> None:
        upstream.next_call()
        again(live, asked.reply, "regenerate", meta={"tool": "summarise"})
        prompt = sent(upstream)[-1]["content"]
        assert prompt.startswith("Summari")
        assert "The moon pulls the sea." in prompt

    def test_by_another_model(self, live: LiveServer, upstream: Upstream, asked: Asked) -> None:
        upstream.next_call()
        again(live, asked.reply, "regenerate", meta={"model": f"{live.add_provider(upstream)}/macaw"})
        assert upstream.next_call().body["model"] == "macaw"

    def test_the_same_client_id_starts_nothing_more(self, live: LiveServer, asked: Asked) -> None:
        meta = {"client_id": f"again {asked.reply}"}
        made = [again(live, asked.reply, "regenerate", meta=meta)["run"]["id"] for _time in range(2)]
        assert made[0] == made[1]

    def test_a_tools_question_is_not_asked_again(
        self, live: LiveServer, upstream: Upstream, parrot: str
    ) -> None:
        asked, row = waiting(live, parrot, tool="translate")
        answer(live, row, 2)
        live.ended(asked.run)
        first = sent(upstream)
        again(live, asked.reply, "regenerate")
        assert sent(upstream) == first

    def test_what_a_client_sent_as_it_was_is_sent_so_again(
        self, live: LiveServer, upstream: Upstream, parrot: str
    ) -> None:
        messages = [{"role": "user", "content": [{"type": "text", "text": "  Hi  "}], "name": "ann"}]
        live.post("/v1/chat/completions", {"model": f"{parrot}/parrot", "messages": messages, "seed": 7})
        reply = live.get("/api/conversations/").json["results"][0]["head"]
        first = upstream.next_call().body
        again(live, reply, "regenerate")
        assert upstream.next_call().body == first

    def test_a_question_cannot_be_regenerated(self, live: LiveServer, asked: Asked) -> None:
        assert refused(live, asked.message, "regenerate") == (422, "message.not_an_answer")


class TestEditing:
    def test_asks_beside_the_message_with_its_context(
        self, live: LiveServer, upstream: Upstream, asked: Asked
    ) -> None:
        first = sent(upstream)
        made = again(live, asked.message, "edit", content="How?")
        edited = live.message(made["message"]["id"])
        assert (edited["siblings"], edited["context"]) == ([asked.message, edited["id"]], [PAGE])
        assert sent(upstream)[-1]["content"] == first[-1]["content"].replace("Why?", "How?")

    def test_in_the_middle_keeps_what_was_before(
        self, live: LiveServer, upstream: Upstream, parrot: str, asked: Asked
    ) -> None:
        upstream.next_call()
        second = live.ask(parrot, "And the sun?", conversation=asked.conversation)
        live.ended(second.run)
        first = sent(upstream)
        again(live, second.message, "edit", content="And the wind?")
        edited = sent(upstream)
        assert edited[:-1] == first[:-1]
        assert "And the wind?" in edited[-1]["content"]

    def test_an_answer_cannot_be_edited(self, live: LiveServer, asked: Asked) -> None:
        assert refused(live, asked.reply, "edit", content="x") == (422, "message.not_a_question")

    @pytest.mark.parametrize("content", [None, 3, ["x"]])
    def test_its_words_are_a_text(self, live: LiveServer, asked: Asked, content: object) -> None:
        posted = live.post(f"/api/messages/{asked.message}/edit/", {"content": content})
        assert list(posted.json["error"]["fields"]) == ["content"]


class TestContinuing:
    @pytest.fixture
    def cut(self, live: LiveServer, upstream: Upstream, parrot: str) -> Asked:
        """An answer that ended in the middle of a word."""
        upstream.will_send(sse.chunk("The quick bro"), sse.finish("length"))
        asked = live.ask(parrot)
        live.ended(asked.run)
        return asked

    def test_appends_to_the_same_message(self, live: LiveServer, upstream: Upstream, cut: Asked) -> None:
        upstream.will_send(*sse.reply("wn fox."))
        made = again(live, cut.reply, "continue")
        reply = live.message(cut.reply)
        assert (made["reply"]["id"], reply["content"], reply["state"]) == (
            cut.reply,
            "The quick brown fox.",
            "complete",
        )
        assert reply["html"] == '<p dir="auto">The quick brown fox.</p>'

    def test_shows_the_model_what_it_said(self, live: LiveServer, upstream: Upstream, cut: Asked) -> None:
        first = sent(upstream)
        again(live, cut.reply, "continue")
        said, wish = sent(upstream)[len(first) :]
        assert said == {"role": "assistant", "content": "The quick bro"}
        assert "exactly where it stops" in wish["content"]

    def test_can_be_done_again_and_again(self, live: LiveServer, upstream: Upstream, cut: Asked) -> None:
        upstream.will_send(sse.chunk("wn fo"), sse.finish("length"))
        upstream.will_send(*sse.reply("x."))
        again(live, cut.reply, "continue")
        again(live, cut.reply, "continue")
        assert live.message(cut.reply)["content"] == "The quick brown fox."

    def test_a_complete_answer_has_no_rest(self, live: LiveServer, asked: Asked) -> None:
        assert refused(live, asked.reply, "continue") == (409, "message.complete")

    def test_not_once_the_conversation_has_gone_on(self, live: LiveServer, parrot: str, cut: Asked) -> None:
        after = live.ask(parrot, "Well?", conversation=cut.conversation)
        live.ended(after.run)
        assert refused(live, cut.reply, "continue") == (409, "message.answered")

    def test_what_broke_off_before_its_first_word_is_just_sent_again(
        self, live: LiveServer, upstream: Upstream, parrot: str
    ) -> None:
        upstream.will_send(b'{"error": {"message": "no"}}', status=401, content_type="application/json")
        asked = live.ask(parrot)
        live.ended(asked.run)
        first = sent(upstream)
        again(live, asked.reply, "continue")
        assert sent(upstream) == first
        assert live.message(asked.reply)["content"] == "Fine."


@pytest.mark.parametrize("act", ["regenerate", "edit", "continue"])
def test_not_while_a_question_is_pending(live: LiveServer, upstream: Upstream, parrot: str, act: str) -> None:
    ask_by_function(upstream)
    asked, _row = waiting(live, parrot)
    message = asked.message if act == "edit" else asked.reply
    assert refused(live, message, act, content="x") == (409, "run.waiting")

"""Blocks of a reply that streams: HTML from the server, in snapshots and in events, that fits the text."""

from typing import Any

import pytest

from askweb.conversations.rendering import render_reply
from tests.live.asking import OFFERED, answer, question_set
from tests.live.follower import Follower, Frame
from tests.markdown.test_streaming import SAME
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream

SOME = "# Title\n\n- one\n- two\n\nA *paragraph*.\n\n"
PAGE = {"id": "pageSearch", "list": [{"xpath": "HTML>body>p", "digest": "One"}]}


class Watching(Follower):
    """A follower that keeps what is rendered, too, and cuts its text where the blocks say."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.blocks: list[Frame] = []
        self.waited: list[Frame] = []
        super().__init__(*arguments, **more)

    def _take(self, frame: Frame) -> None:
        super()._take(frame)
        meta = frame["meta"]
        if meta["event"] == "run.waiting":
            self.waited.append(frame)
        elif meta["event"] == "reply.block" and meta["start"] >= self.messages[meta["message"]]["rendered"]:
            self.blocks.append(meta)
            message = self.messages[meta["message"]]
            message["html"] += meta["html"]
            message["rendered"] = meta["end"]

    def html(self, reply: str) -> str:
        html: str = self.messages.get(reply, {}).get("html", "")
        return html


def test_blocks_come_while_the_rest_is_written(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    start, gate = upstream.gate(), upstream.gate()
    upstream.will_send(start, *(sse.chunk(each) for each in SOME), sse.chunk("And **so"), gate, sse.finish())
    asked = live.ask(parrot)
    with live.socket() as socket:
        watching = Watching(socket, asked.conversation)
        watching.until(lambda: asked.reply in watching.messages)
        start.open()
        watching.until(lambda: watching.html(asked.reply) == render_reply(SOME))
        gate.open()
        watching.until_ended(asked.run)
    ends = [(block["start"], block["end"]) for block in watching.blocks]
    assert [end for _, end in ends[:-1]] == [start for start, _ in ends[1:]]
    assert (ends[0][0], ends[-1][1]) == (0, len(SOME))
    assert [block["block"] for block in watching.blocks] == list(range(len(ends)))
    assert watching.html(asked.reply) == render_reply(f"{SOME}And **so")


def test_whoever_subscribes_late_gets_the_blocks_so_far(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk(SOME), sse.chunk("And **so"), gate, sse.finish())
    asked = live.ask(parrot)
    with live.socket() as first, live.socket() as second:
        Follower(first, asked.conversation).until_text(asked.reply, f"{SOME}And **so")
        late = Watching(second, asked.conversation)
        late.until(lambda: late.html(asked.reply) == render_reply(SOME))
        assert (late.messages[asked.reply]["rendered"], late.text(asked.reply)) == (
            len(SOME),
            f"{SOME}And **so",
        )
        gate.open()
    live.ended(asked.run)


def test_whatever_was_missed_by_all_is_in_the_snapshot(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk(SOME), gate, sse.finish())
    asked = live.ask(parrot)
    with live.socket() as socket:
        watching = Watching(socket, asked.conversation)
        watching.until(lambda: watching.html(asked.reply) == render_reply(SOME))
        gate.open()
    live.ended(asked.run)


def test_a_long_answer_of_all_kinds_ends_as_its_blocks_were(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    if not SAME:
        pytest.skip("cases: ASKWEB_CASES has no markdown/cases.json")
    text = "\n\n".join(case["markdown"] for case in SAME if "[^" not in case["markdown"])[:20_000]
    gate, start = upstream.gate(), upstream.gate()
    pieces = [sse.chunk(text[at : at + 50]) for at in range(0, len(text), 50)]
    upstream.will_send(start, *pieces, sse.chunk("\n\n---\n"), gate, sse.finish())
    asked = live.ask(parrot)
    with live.socket() as socket:
        watching = Watching(socket, asked.conversation)
        watching.until(lambda: asked.reply in watching.messages)
        start.open()
        watching.until(lambda: watching.html(asked.reply).endswith("<hr>"))
        html = watching.html(asked.reply)
        gate.open()
        watching.until_ended(asked.run)
    assert html == watching.html(asked.reply) == live.message(asked.reply)["html"]


def test_parts_of_the_page_are_links_in_blocks(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("See [1].\n\n"), gate, sse.finish())
    body = {
        "context": [PAGE],
        "meta": {"provider": parrot},
        "messages": [{"role": "user", "content": "Where?"}],
    }
    posted = live.post("/api/conversations/", body).json
    reply = posted["reply"]["id"]
    with live.socket() as socket:
        watching = Watching(socket, posted["conversation"]["id"])
        watching.until(lambda: '<a class="citation" href="#citation-1"' in watching.html(reply))
        gate.open()
    live.ended(posted["run"]["id"])


def test_a_run_that_waits_shows_finished_html(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    begin, start, gate = upstream.gate(), upstream.gate(), upstream.gate()
    upstream.will_send(begin, sse.chunk("Let **me** see"), *sse.calls(sse.call("ask_user", OFFERED)))
    upstream.will_send(start, sse.chunk("Staging *it* is.\n\n"), gate, sse.finish())
    asked = live.ask(parrot)
    with live.socket() as socket:
        watching = Watching(socket, asked.conversation)
        watching.until(lambda: asked.reply in watching.messages)
        begin.open()
        row = question_set(live, asked)
        before = f'{render_reply("Let **me** see")}<hr data-question-set="{row["id"]}">'
        watching.until(lambda: watching.html(asked.reply) == before)
        assert [message["rendered"] for message in watching.waited[0]["messages"]] == [14]
        answer(live, row)
        start.open()
        after = before + render_reply("Staging *it* is.")
        watching.until(lambda: watching.html(asked.reply) == after)
        gate.open()
        watching.until_ended(asked.run)
    assert live.message(asked.reply)["html"] == after

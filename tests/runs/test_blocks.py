"""The blocks of a reply while it is written: rendered once, in order, and only while somebody watches."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from askweb.conversations.rendering import render_reply
from askweb.ids import new_id
from askweb.runs import blocks
from askweb.runs.blocks import PIECE, LiveBlocks
from askweb.runs.hub import Frame, Hub
from askweb.runs.models import Run
from askweb.runs.settling import Around, Rendered

QUESTION = new_id()
PARTS = {1: {"n": 1, "xpath": "HTML>body>p", "digest": "One"}}


class Watcher:
    reads_blocks = True

    def __init__(self) -> None:
        self.metas: list[dict[str, Any]] = []
        self.frames: list[Frame] = []

    def deliver(self, topic: UUID, frame: Frame) -> None:
        self.frames.append(frame)
        self.metas.append(json.loads(frame.text)["meta"])

    @property
    def html(self) -> str:
        return "".join(meta["html"] for meta in self.metas)


@pytest.fixture
def around(monkeypatch: pytest.MonkeyPatch) -> list[Around]:
    """What is read of the run's surroundings; the test may put something else there."""
    read = [Around()]

    async def in_database(act: Callable[..., Around], run: Run) -> Around:
        return read[-1]

    monkeypatch.setattr(blocks, "in_database", in_database)
    monkeypatch.setattr(blocks, "INTERVAL", 0)
    return read


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def run() -> Run:
    return Run(conversation_id=new_id(), message_id=new_id(), reply_id=new_id(), epoch=3)


@pytest.fixture
def watcher(hub: Hub, run: Run) -> Watcher:
    watcher = Watcher()
    hub.join(run.conversation_id, watcher)
    return watcher


Live = Callable[..., Awaitable[LiveBlocks]]


@pytest.fixture
def live(around: list[Around], hub: Hub, run: Run) -> Live:
    """The blocks of a reply to which these texts were added, all of them rendered."""

    async def live(*texts: str, content: str = "", html: str = "") -> LiveBlocks:
        made = LiveBlocks(run, hub, content, html)
        for seq, text in enumerate(texts, start=1):
            made.add(text, seq)
        await made.catch_up(60)
        return made

    return live


class TestSending:
    async def test_a_finished_block_says_what_it_covers(self, live: Live, watcher: Watcher, run: Run) -> None:
        await live("# A\n")
        ids = {"conversation": run.conversation_id, "message": run.reply_id, "run": run.pk}
        assert watcher.metas == [
            {
                "event": "reply.block",
                **{name: str(id_) for name, id_ in ids.items()},
                **{"epoch": 3, "block": 0, "start": 0, "end": 4, "html": '<h1 dir="auto">A</h1>'},
            }
        ]

    async def test_the_frame_stands_behind_the_last_delta(
        self, live: Live, watcher: Watcher, run: Run
    ) -> None:
        await live("a\n\n", "b")
        frame = watcher.frames[0]
        assert (frame.kind, frame.epoch, frame.seq, frame.run) == ("block", 3, 2, run.pk)

    async def test_what_is_open_is_not_sent(self, live: Live, watcher: Watcher) -> None:
        made = await live("a\n\n```\nb\n\n")
        assert (watcher.html, made.html, made.end) == ('<p dir="auto">a</p>',) * 2 + (3,)

    async def test_blocks_follow_each_other_without_a_gap(self, live: Live, watcher: Watcher) -> None:
        made = await live("找\n\n")
        made.add("- 😀\n\nx\n\n", 2)
        await made.catch_up(60)
        places = [(meta["block"], meta["start"], meta["end"]) for meta in watcher.metas]
        assert places == [(0, 0, 3), (1, 3, 11)]

    async def test_a_line_without_an_end_starts_nothing(self, live: Live, watcher: Watcher) -> None:
        made = await live("a", "b")
        assert (made._task, watcher.metas) == (None, [])

    async def test_parts_of_the_page_become_links(
        self, live: Live, watcher: Watcher, around: list[Around]
    ) -> None:
        around.append(Around(PARTS))
        await live("See [1].\n\n", "`[1]`\n\n")
        assert watcher.html.count('<a class="citation" href="#citation-1"') == 1

    async def test_html_that_is_too_large_for_a_frame_is_kept_for_snapshots(
        self, live: Live, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(blocks, "LARGEST", 100)
        monkeypatch.setattr(blocks, "PIECE", 1)
        made = await live("a" * 100 + "\n\n", "b\n\n")
        assert made.html == render_reply("a" * 100 + "\n\nb\n\n")
        assert [(meta["block"], meta["start"]) for meta in watcher.metas] == [(1, 102)]

    async def test_after_the_end_nothing_is_sent(self, live: Live, watcher: Watcher) -> None:
        made = await live()
        made.add("a\n\n", 1)
        made.close()
        await made.catch_up(60)
        assert watcher.metas == []

    async def test_a_fault_ends_the_blocks_and_is_logged(
        self, live: Live, watcher: Watcher, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(blocks, "cite", lambda *_: 1 / 0)
        made = await live("a\n\n")
        made.add("b\n\n", 2)
        assert (watcher.metas, made.end, made._task) == ([], 0, None)
        assert "can't be rendered" in caplog.text


class TestWatching:
    async def test_nothing_is_rendered_while_nobody_watches(self, live: Live) -> None:
        made = await live("a\n\n")
        assert (made.html, made.end) == ("", 0)

    async def test_whoever_has_no_use_for_blocks_does_not_count(self, live: Live, watcher: Watcher) -> None:
        watcher.reads_blocks = False
        assert (await live("a\n\n")).html == ""

    async def test_what_was_missed_is_caught_up_with(self, live: Live, hub: Hub, run: Run) -> None:
        text = "A paragraph.\n\n" * (PIECE // 6)
        made = await live(*(text[at : at + 4096] for at in range(0, len(text), 4096)))
        hub.join(run.conversation_id, Watcher())
        await made.catch_up(60)
        assert (made.end, made.html) == (len(text), render_reply(text))

    async def test_text_is_rendered_in_pieces(
        self, live: Live, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(blocks, "PIECE", 4)
        await live("a\n\n", "b\n\n", "c\n\n", "d\n\n")
        assert [meta["end"] for meta in watcher.metas] == [6, 12]

    async def test_one_rendering_of_a_reply_goes_on_at_a_time(
        self, live: Live, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        going = [0]

        async def to_thread(act: Callable[..., object], *arguments: object) -> object:
            going.append(going[-1] + 1)
            await asyncio.sleep(0)
            going.append(going[-1] - 1)
            return act(*arguments)

        monkeypatch.setattr(asyncio, "to_thread", to_thread)
        made = await live("a\n\n")
        made.add("b\n\n", 2)
        made.add("c\n\n", 3)
        await made.catch_up(60)
        assert max(going) == 1


class TestGoingOn:
    async def test_blocks_go_on_behind_a_question(
        self, live: Live, watcher: Watcher, around: list[Around]
    ) -> None:
        around.append(Around(questions=[(4, QUESTION)]))
        made = await live("\n\nb\n\n", content="a *b", html="<p>a *b</p><hr>")
        assert [(meta["start"], meta["end"]) for meta in watcher.metas] == [(4, 9)]
        assert made.html == '<p>a *b</p><hr><p dir="auto">b</p>'

    async def test_what_came_before_a_question_is_rendered_even_if_no_line_follows(
        self, live: Live, watcher: Watcher, around: list[Around]
    ) -> None:
        around.append(Around(questions=[(1, QUESTION)]))
        made = await live(content="a", html="<p>a</p><hr>")
        assert (made.html, made.end, watcher.metas) == ("<p>a</p><hr>", 1, [])

    async def test_what_is_not_stored_as_html_is_rendered_with_the_first_block(
        self, live: Live, watcher: Watcher, around: list[Around]
    ) -> None:
        around.append(Around(questions=[(0, QUESTION), (1, QUESTION)]))
        await live("\n\nb\n\n", content="a")
        rule = f'<hr data-question-set="{QUESTION}">'
        assert watcher.html == f'{rule}<p dir="auto">a</p>{rule}<p dir="auto">b</p>'
        assert (watcher.metas[0]["start"], watcher.metas[0]["end"]) == (0, 6)

    async def test_a_reply_that_is_continued_is_read_from_its_last_question_on(
        self, live: Live, watcher: Watcher
    ) -> None:
        made = await live("d\n\n", content="a\n\n- b", html="<p>a</p><ul><li>b</li></ul>")
        made.add("e\n\n", 2)
        await made.catch_up(60)
        assert watcher.html == made.html == render_reply("a\n\n- bd\n\ne\n\n")


@pytest.mark.parametrize("text", ["# A\n\nOne [1].\n\n- two\n", "A\n\nB", "```\nopen", "", "x\n" * 3000])
async def test_a_watched_reply_ends_with_its_blocks(
    around: list[Around], hub: Hub, run: Run, text: str
) -> None:
    around.append(Around(PARTS))
    hub.join(run.conversation_id, Watcher())
    live = LiveBlocks(run, hub)
    for at in range(0, len(text), 7):
        live.add(text[at : at + 7], 1)
        await asyncio.sleep(0)
    await live.catch_up(5)
    rendered = await live.finish(text)
    assert rendered == (Rendered.of(text, Around(PARTS)) if "\n" in text else None)


@pytest.mark.parametrize("text", ["[a][1]\n\n[1]: https://a.org\n\nb\n", "a[^1]\n\n> [^1]: b\n\nc\n"])
async def test_what_changes_earlier_text_is_rendered_at_once(
    around: list[Around], hub: Hub, run: Run, text: str
) -> None:
    hub.join(run.conversation_id, Watcher())
    live = LiveBlocks(run, hub)
    live.add(text, 1)
    await live.catch_up(5)
    assert await live.finish(text) is None


async def test_a_reply_that_nobody_watches_is_rendered_at_once(
    around: list[Around], hub: Hub, run: Run
) -> None:
    live = LiveBlocks(run, hub)
    live.add("A\n\nB\n", 1)
    assert await live.finish("A\n\nB\n") is None

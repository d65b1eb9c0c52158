"""A reply while it is written: frames by the tick, numbered without a gap, and never a text that isn't saved."""

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest

from askweb.ids import new_id
from askweb.providers.events import ReasoningDelta, TextDelta
from askweb.runs.hub import Frame, Hub
from askweb.runs.live import BUSY_REPLIES, FRAME_CHARACTERS, SLOW_TICK, TICK, LiveReply
from askweb.runs.models import Run
from askweb.runs.turns import Turn
from tests.runs.clock import Clock


class Listening:
    """Takes frames and keeps what they say."""

    reads_blocks = False

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def deliver(self, topic: UUID, frame: Frame) -> None:
        self.frames.append(frame)

    @property
    def deltas(self) -> list[dict[str, Any]]:
        return [json.loads(frame.text)["delta"] for frame in self.frames]

    @property
    def texts(self) -> list[str]:
        return [delta["content"] for delta in self.deltas]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: clock)
    return clock


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def reply(clock: Clock, hub: Hub) -> LiveReply:
    reply = LiveReply(Run(conversation_id=new_id(), reply_id=new_id(), epoch=3), hub)
    hub.replies[new_id()] = reply
    return reply


@pytest.fixture
def listening(hub: Hub, reply: LiveReply) -> Listening:
    listening = Listening()
    hub.join(reply._conversation, listening)
    return listening


class TestTicks:
    def test_the_first_text_goes_out_at_once(self, reply: LiveReply, listening: Listening) -> None:
        reply.add("a")
        assert listening.texts == ["a"]

    def test_later_text_waits_for_the_tick_and_goes_out_together(
        self, reply: LiveReply, listening: Listening, clock: Clock
    ) -> None:
        for text in "abc":
            reply.add(text)
        assert listening.texts == ["a"]
        clock.move(TICK)
        assert listening.texts == ["a", "bc"]

    def test_a_text_after_a_silence_goes_out_at_once(
        self, reply: LiveReply, listening: Listening, clock: Clock
    ) -> None:
        reply.add("a")
        clock.move(1)
        reply.add("b")
        assert listening.texts == ["a", "b"]

    def test_a_tick_without_text_sends_nothing(
        self, reply: LiveReply, listening: Listening, clock: Clock
    ) -> None:
        reply.add("a")
        clock.move(1)
        assert listening.texts == ["a"]

    def test_ticks_stretch_when_many_replies_are_live(
        self, reply: LiveReply, hub: Hub, listening: Listening, clock: Clock
    ) -> None:
        hub.replies |= {new_id(): reply for _ in range(BUSY_REPLIES)}
        reply.add("a")
        reply.add("b")
        clock.move(TICK)
        assert listening.texts == ["a"]
        clock.move(SLOW_TICK)
        assert listening.texts == ["a", "b"]

    def test_after_the_end_nothing_is_sent(
        self, reply: LiveReply, listening: Listening, clock: Clock
    ) -> None:
        reply.add("a")
        reply.add("b")
        reply.close()
        clock.move(1)
        assert listening.texts == ["a"]


class TestFrames:
    def test_are_numbered_from_1_without_a_gap(
        self, reply: LiveReply, listening: Listening, clock: Clock
    ) -> None:
        for text in "abc":
            reply.add(text, reasoning=text)
            clock.move(1)
        assert [frame.seq for frame in listening.frames] == [1, 2, 3, 4, 5, 6]
        assert [json.loads(frame.text)["meta"]["seq"] for frame in listening.frames] == [1, 2, 3, 4, 5, 6]

    def test_say_where_they_stand(self, reply: LiveReply, listening: Listening) -> None:
        reply.add("a")
        meta = json.loads(listening.frames[0].text)["meta"]
        assert meta["event"] == "reply.delta"
        assert (meta["message"], meta["run"]) == (str(reply.reply_id), str(reply.run_id))
        assert (meta["epoch"], listening.frames[0].epoch, listening.frames[0].kind) == (3, 3, "delta")

    def test_name_the_role_in_the_first_alone(
        self, reply: LiveReply, listening: Listening, clock: Clock
    ) -> None:
        reply.add("a")
        clock.move(1)
        reply.add("找")
        assert listening.deltas == [{"role": "assistant", "content": "a"}, {"role": None, "content": "找"}]

    def test_carry_reasoning_before_content(self, reply: LiveReply, listening: Listening) -> None:
        reply.add("a", reasoning="r")
        assert listening.deltas == [
            {"role": "assistant", "content": "", "reasoning_content": "r"},
            {"role": None, "content": "a"},
        ]

    def test_carry_function_calls_after_the_text(self, reply: LiveReply, listening: Listening) -> None:
        reply.add("a")
        reply.add("b")
        reply.add_calls([{"id": "c1"}])
        assert listening.texts == ["a", "b", ""]
        assert listening.deltas[-1]["tool_calls"] == [{"index": 0, "id": "c1"}]

    @pytest.mark.parametrize("character", ["x", "é", "找", "😀", "\u200d", '"'])
    def test_hold_at_most_16_kb_of_whole_code_points(
        self, reply: LiveReply, listening: Listening, character: str
    ) -> None:
        text = character * (3 * FRAME_CHARACTERS + 1)
        reply.add(text)
        assert max(len(each.encode()) for each in listening.texts) <= 16 * 1024
        assert "".join(listening.texts) == text

    def test_are_numbered_even_while_nobody_listens(self, reply: LiveReply) -> None:
        reply.add("a")
        assert reply.seq == 1


class TestSaving:
    def test_what_is_taken_was_sent(self, reply: LiveReply, listening: Listening) -> None:
        reply.add("a", reasoning="r")
        reply.add("b")
        assert reply.take_unsaved() == ("ab", "r")
        assert ("".join(listening.texts), reply.seq) == ("ab", 3)

    def test_what_was_taken_is_not_taken_again(self, reply: LiveReply) -> None:
        reply.add("a")
        reply.take_unsaved()
        assert (reply.take_unsaved(), reply.has_unsaved) == (("", ""), False)

    def test_what_is_put_back_comes_before_what_came_since(self, reply: LiveReply) -> None:
        reply.add("a", reasoning="r")
        taken = reply.take_unsaved()
        reply.add("b", reasoning="s")
        reply.put_back(*taken)
        assert reply.take_unsaved() == ("ab", "rs")

    def test_the_whole_text_stays(self, clock: Clock, hub: Hub) -> None:
        reply = LiveReply(
            Run(conversation_id=new_id(), reply_id=new_id()), hub, content="one ", reasoning="r"
        )
        reply.add("two")
        reply.take_unsaved()
        assert (reply.text(), reply.size) == (("one two", "r"), 8)

    def test_of_a_continued_reply_only_the_new_text_is_unsaved(self, clock: Clock, hub: Hub) -> None:
        reply = LiveReply(Run(conversation_id=new_id(), reply_id=new_id()), hub, content="one ")
        reply.add("two")
        assert reply.take_unsaved() == ("two", "")


def test_what_is_read_together_goes_out_together(reply: LiveReply, listening: Listening) -> None:
    turn = Turn(reply, with_questions=False, apart=False)
    assert turn.add([TextDelta(" "), TextDelta("one")])
    assert listening.texts == [" one"]
    assert turn.add([TextDelta(" two"), ReasoningDelta("a"), ReasoningDelta("b"), TextDelta(" three")])
    reply.flush()
    assert (turn.text, turn.reasoning, reply.text()) == (" one two three", "ab", (" one two three", "ab"))

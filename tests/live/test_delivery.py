"""The delivery promise: whoever follows docs/protocol.md ends with exactly the text that is stored."""

from contextlib import ExitStack

import pytest

from tests.live.follower import Follower, Unreliable
from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream

FAMILY = "👨‍👩‍👧‍👦"


def stored(server: LiveServer, asked: Asked) -> str:
    content: str = server.message(asked.reply)["content"]
    return content


def follow_from_the_start(
    server: LiveServer, upstream: Upstream, parrot: str, *pieces: bytes
) -> tuple[Asked, Follower]:
    """Ask, subscribe, and only then let the provider speak; return when the run has ended."""
    gate = upstream.gate()
    upstream.will_send(gate, *pieces)
    asked = server.ask(parrot)
    with server.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until(lambda: asked.reply in follower.messages)
        gate.open()
        follower.until_ended(asked.run)
    return asked, follower


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["Good ", "morning."], id="plain"),
        pytest.param(["早上", "好。", "「元気」", "Chào buổi sáng"], id="other scripts"),
        pytest.param(list("One character at a time."), id="single characters"),
        pytest.param([FAMILY, *FAMILY, "🏳️‍🌈"], id="joined emoji, whole and apart"),
        pytest.param(["找" * 70_000], id="one delta of 210 KB"),
        pytest.param(["a\x1fb", "\u2028", "\r\n", "\ufeff", '"\\'], id="characters that need escaping"),
    ],
)
def test_the_deltas_joined_are_the_stored_text(
    live: LiveServer, upstream: Upstream, parrot: str, texts: list[str]
) -> None:
    asked, follower = follow_from_the_start(live, upstream, parrot, *sse.reply(*texts))
    joined = "".join(delta["delta"]["content"] for delta in follower.deltas)
    assert joined == follower.text(asked.reply) == stored(live, asked) == "".join(texts)


def test_bytes_that_come_one_by_one_are_the_same_text(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    stream = b"".join(sse.reply("早", FAMILY))
    asked, follower = follow_from_the_start(live, upstream, parrot, *(bytes([byte]) for byte in stream))
    assert follower.text(asked.reply) == stored(live, asked) == f"早{FAMILY}"


def test_reasoning_is_delivered_beside_the_text(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    pieces = [
        sse.chunk("", reasoning_content="Let me "),
        sse.chunk("", reasoning_content="see."),
        *sse.reply("Yes."),
    ]
    asked, follower = follow_from_the_start(live, upstream, parrot, *pieces)
    reasoning = "".join(delta["delta"].get("reasoning_content", "") for delta in follower.deltas)
    assert reasoning == live.message(asked.reply)["reasoning"] == "Let me see."


def test_seq_counts_the_deltas_from_1(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    _asked, follower = follow_from_the_start(live, upstream, parrot, *sse.reply("字" * 20_000))
    seqs = [delta["meta"]["seq"] for delta in follower.deltas]
    assert len(seqs) > 1
    assert seqs == list(range(1, len(seqs) + 1))


def test_only_the_first_delta_says_whose_it_is(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    _asked, follower = follow_from_the_start(live, upstream, parrot, *sse.reply("字" * 20_000))
    roles = [delta["delta"]["role"] for delta in follower.deltas]
    assert roles == ["assistant", *[None] * (len(roles) - 1)]
    assert len(roles) > 1


def test_whoever_subscribes_in_the_middle_gets_the_same_as_who_was_there(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    gate = upstream.gate()
    upstream.will_send(sse.chunk("First. "), gate, *sse.reply("Second."))
    asked = live.ask(parrot)
    with live.socket() as one, live.socket() as other:
        early = Follower(one, asked.conversation)
        early.until_text(asked.reply, "First. ")
        late = Follower(other, asked.conversation)
        late.until_text(asked.reply, "First. ")
        gate.open()
        early.until_ended(asked.run)
        late.until_ended(asked.run)
    assert early.text(asked.reply) == late.text(asked.reply) == stored(live, asked) == "First. Second."


def test_a_dropped_socket_goes_on_where_it_was(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    away, back = upstream.gate(), upstream.gate()
    upstream.will_send(sse.chunk("Seen. "), away, sse.chunk("Missed. "), back, *sse.reply("Seen again."))
    asked = live.ask(parrot)
    with live.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until_text(asked.reply, "Seen. ")
    away.open()
    with live.socket() as socket:
        follower.resume(socket)
        follower.until_text(asked.reply, "Seen. Missed. ")
        back.open()
        follower.until_ended(asked.run)
    assert follower.text(asked.reply) == stored(live, asked) == "Seen. Missed. Seen again."


def test_frames_may_be_dropped_repeated_and_reordered(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    words = [f"word {number} 字 {FAMILY}. " for number in range(12)]
    with ExitStack() as stack:
        first = live.ask(parrot)
        witness = Follower(stack.enter_context(live.socket()), first.conversation)
        followers = [
            Follower(
                stack.enter_context(live.socket()), first.conversation, transport=Unreliable(seed, turns=2)
            )
            for seed in range(8)
        ]
        live.ended(first.run)
        turns = [speak(live, upstream, parrot, witness, words) for _turn in range(2)]
        for follower in followers:
            follower.until_settled()
            assert [follower.text(turn.reply) for turn in turns] == [stored(live, turn) for turn in turns]
        assert min(follower.subscriptions for follower in followers) > 1


def speak(server: LiveServer, upstream: Upstream, parrot: str, witness: Follower, words: list[str]) -> Asked:
    """One turn of the witness's conversation, a word for each frame."""
    gates = [upstream.gate() for _word in words]
    pieces = [piece for pair in zip(gates, map(sse.chunk, words), strict=True) for piece in pair]
    upstream.will_send(*pieces, sse.finish())
    asked = server.ask(parrot, conversation=witness.conversation)
    for count, gate in enumerate(gates, start=1):
        gate.open()
        witness.until_text(asked.reply, "".join(words[:count]))
    server.ended(asked.run)
    return asked


def test_whoever_never_acknowledges_is_told_and_still_ends_with_all_the_text(
    live: LiveServer, upstream: Upstream, parrot: str
) -> None:
    start = upstream.gate()
    upstream.will_send(start, *sse.reply("找" * 100_000))
    asked = live.ask(parrot)
    with live.socket() as socket:
        follower = Follower(socket, asked.conversation, acknowledges=False)
        follower.until(lambda: asked.reply in follower.messages)
        start.open()
        follower.until(lambda: follower.subscriptions > 1)
        follower.until_ended(asked.run)
    assert follower.text(asked.reply) == stored(live, asked) == "找" * 100_000


def test_the_longest_answers_fit_a_snapshot(live: LiveServer, upstream: Upstream, parrot: str) -> None:
    upstream.will_send(*sse.reply("找" * 1_000_000))
    asked = live.ask(parrot)
    live.ended(asked.run)
    with live.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until_ended(asked.run)
    assert follower.text(asked.reply) == stored(live, asked) == "找" * 1_000_000

"""Whether the memory of a process of AskWeb grows with the conversations it has had.

Clients at once hold conversations of 50 messages each, 25 questions and their answers, one conversation after the
other. Half of the conversations are followed over a socket that comes and goes twice, the others are only asked about.
Before each look the clients pause. What the first conversations take once and for all does not count, nor do files
that are mapped: how much of them is this process's own depends on what else runs.

    python benchmarks/leaking.py --conversations 1000

Needs Linux. A thousand conversations take some 20 minutes.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression

import aiohttp
import orjson
from client import FINAL, ProductStream, ask, subscribe
from load import Server
from processes import product, provider
from provider import AT_ONCE

CLIENTS = 8
QUESTIONS = 25
LOOKS = 20
WARM = 20
"""Conversations before the first look, at least; else a tenth of those that are counted."""

SETTLING = 1.0
"""Seconds until what is short-lived is gone."""

PAUSE = 0.1
"""Seconds between two questions whether a question is answered: more of them would cost more than the answer."""


@dataclass(frozen=True)
class Leaking:
    """Kilobytes (10³ bytes) after the first conversations; and by how many they grew: for each conversation, for
    each of the later half, and in all.

    The first two are slopes of a line through all looks, or through those of the later half.
    """

    at_first: float
    each: float
    each_later: float
    grown: float


def measure(conversations: int) -> Leaking:
    return asyncio.run(_measure(conversations, lambda _count, _size: None))


async def _measure(conversations: int, tell: Callable[[int, float], None]) -> Leaking:
    """Tell after each look how many conversations there were since the first, and the kilobytes."""
    seen: list[tuple[int, float]] = []
    with tempfile.TemporaryDirectory() as folder, provider() as port, product(Path(folder), port) as server:
        async with aiohttp.ClientSession() as session:
            await _hold(session, server, max(WARM, conversations // 10))
            for look in range(LOOKS + 1):
                count = conversations * look // LOOKS
                await _hold(session, server, count - (seen[-1][0] if seen else 0))
                seen.append((count, await _look(server)))
                tell(*seen[-1])
    later = [(count, size) for count, size in seen if count * 2 >= conversations]
    return Leaking(seen[0][1], _slope(seen), _slope(later), seen[-1][1] - seen[0][1])


def _slope(seen: Sequence[tuple[int, float]]) -> float:
    return linear_regression(*zip(*seen, strict=True)).slope


async def _look(server: Server) -> float:
    await asyncio.sleep(SETTLING)
    return _own(server.pid)


def _own(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    line = next(line for line in rollup.splitlines() if line.startswith("Anonymous:"))
    return int(line.split()[1]) * 1.024


async def _hold(session: aiohttp.ClientSession, server: Server, conversations: int) -> None:
    """Hold so many conversations, several at once."""
    numbers = iter(range(conversations))
    await asyncio.gather(*(_hold_in_turn(session, server, numbers) for _client in range(CLIENTS)))


async def _hold_in_turn(session: aiohttp.ClientSession, server: Server, numbers: Iterator[int]) -> None:
    for number in numbers:
        conversation = await ask(session, server, AT_ONCE)
        await _answered(session, server, conversation)
        if number % 2:
            await _follow(session, server, conversation, QUESTIONS // 2)
            await _follow(session, server, conversation, QUESTIONS - QUESTIONS // 2 - 1)
        else:
            await _only_ask(session, server, conversation, QUESTIONS - 1)


async def _follow(session: aiohttp.ClientSession, server: Server, conversation: str, questions: int) -> None:
    stream = await subscribe(session, server, conversation)
    for _question in range(questions):
        await ask(session, server, AT_ONCE, f"conversations/{conversation}/messages")
        await _read_answer(stream)
    await stream.socket.close()


async def _read_answer(stream: ProductStream) -> None:
    async for message in stream.socket:
        meta = orjson.loads(message.data)["meta"]
        if meta["event"] == "reply.delta":
            place = {"conversation": stream.conversation, "epoch": meta["epoch"], "seq": meta["seq"]}
            await stream.socket.send_json({"meta": {"command": "ack", **place}})
        elif meta["event"] in FINAL:
            assert meta["event"] == "run.completed", meta
            return


async def _only_ask(
    session: aiohttp.ClientSession, server: Server, conversation: str, questions: int
) -> None:
    for _question in range(questions):
        await ask(session, server, AT_ONCE, f"conversations/{conversation}/messages")
        await _answered(session, server, conversation)


async def _answered(session: aiohttp.ClientSession, server: Server, conversation: str) -> None:
    """Wait until no answer is being written."""
    url = f"http://127.0.0.1:{server.port}/api/conversations/{conversation}/"
    headers = {"Authorization": f"Bearer {server.token}"}
    is_answered = False
    while not is_answered:
        await asyncio.sleep(PAUSE)
        async with session.get(url, headers=headers) as response:
            is_answered = (await response.json())["active_run"] is None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--conversations", type=int, default=1000)
    told = asyncio.run(_measure(parser.parse_args().conversations, _tell))
    print(f"{told.each:.1f} KB for each, {told.each_later:.1f} later, {told.grown:,.0f} KB in all")


def _tell(count: int, size: float) -> None:
    print(f"{count:6,} conversations {size:10,.0f} KB", flush=True)


if __name__ == "__main__":
    main()

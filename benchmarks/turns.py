"""How long it takes from the post of a question to the first text of its answer at a viewer.

The provider answers at once. The reference is asked by opening a socket, which is its only kind of request, and a
message on it. The product's question is a post in a conversation whose socket is open.

    python benchmarks/turns.py --turns 50
"""

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import aiohttp
from client import ask, reference_order, subscribe
from load import Load, Order, Server
from processes import product, provider, reference
from provider import AT_ONCE

WARM = 5
"""Turns that are not counted."""

SETTLED = 0.3
"""Seconds after which the first answer is over."""


def measure_both(turns: int) -> dict[str, list[float]]:
    """Seconds of each turn, by the server; they take turns of ten."""
    taken: dict[str, list[float]] = {"reference": [], "product": []}
    with ExitStack() as stack:
        port = stack.enter_context(provider())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(reference()), stack.enter_context(product(folder, port))
        for _ten in range(turns // 10):
            for server in servers:
                taken[server.subject] += measure(server, port, 10)
    return taken


def measure(server: Server, provider_port: int, turns: int) -> list[float]:
    """Seconds of each turn."""
    order = Order(server, Load(1, 1, 0), provider_port)
    return asyncio.run(_turns(order, turns))[WARM:]


async def _turns(order: Order, turns: int) -> list[float]:
    turn = _turn_of_reference if order.server.subject == "reference" else _turn_of_product
    async with aiohttp.ClientSession() as session:
        return [await turn(order, session) for _turn in range(WARM + turns)]


async def _turn_of_reference(order: Order, session: aiohttp.ClientSession) -> float:
    start = time.perf_counter()
    async with session.ws_connect(f"ws://127.0.0.1:{order.server.port}/") as socket:
        await socket.send_str(reference_order(order, AT_ONCE))
        await socket.receive_str()
        return time.perf_counter() - start


async def _turn_of_product(order: Order, session: aiohttp.ClientSession) -> float:
    conversation = await ask(session, order.server, AT_ONCE)
    await asyncio.sleep(SETTLED)
    stream = await subscribe(session, order.server, conversation)
    start = time.perf_counter()
    asking = asyncio.create_task(
        ask(session, order.server, AT_ONCE, f"conversations/{conversation}/messages")
    )
    await anext(stream.pieces())
    taken = time.perf_counter() - start
    await asking
    await stream.socket.close()
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=50)
    turns = parser.parse_args().turns
    for subject, taken in measure_both(turns).items():
        low, high = min(taken) * 1e3, max(taken) * 1e3
        print(f"{subject:10} {median(taken) * 1e3:.1f} ms ({low:.1f} to {high:.1f})")


if __name__ == "__main__":
    main()

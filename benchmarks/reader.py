"""CPU for each delta that the reader takes, beside the `openai` client's typed stream on the same bytes.

Both read one recorded answer through their own HTTP client from one mock provider in a process of its own:
AskWeb as a run does it (aiohttp, the timers, the reader), the client as its documentation does it. They take
turns; the table shows medians and ranges over the rounds. It measures and judges nothing.

    python benchmarks/reader.py --rounds 7 --deltas 5000
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")

import django

django.setup()

from openai import AsyncOpenAI  # noqa: E402

from askweb.providers.calling import Timers, call_model  # noqa: E402
from askweb.providers.connecting import Sessions  # noqa: E402
from askweb.providers.endpoints import Endpoint  # noqa: E402
from askweb.providers.events import TextDelta  # noqa: E402

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
TOKENS = (
    " the",
    " answer",
    " to",
    " your",
    " question",
    " is",
    " hidden",
    " in",
    " plain",
    " sight,",
    "\n",
    "。",
)
PROMPT = [{"role": "user", "content": "Hi"}]
TIMERS = Timers(connect=10, first_byte=60, between=60, total=600)
GOAL = 0.35

Read = Callable[[], Awaitable[int]]


def main() -> None:
    arguments = _arguments()
    if arguments.serve:
        asyncio.run(_serve(arguments.deltas))
        return
    _show(measure(arguments.rounds, arguments.deltas))


def measure(rounds: int, deltas: int) -> dict[str, list[float]]:
    """Microseconds of CPU for each delta, of each round."""
    with _provider(deltas) as base_url:
        return asyncio.run(_compare(base_url, rounds, deltas))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--deltas", type=int, default=5000)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


async def _compare(base_url: str, rounds: int, deltas: int) -> dict[str, list[float]]:
    sessions, client = Sessions.open(), AsyncOpenAI(base_url=base_url, api_key="x", max_retries=0)
    readers: dict[str, Read] = {
        "askweb": lambda: _read_with_askweb(sessions, base_url),
        "openai": lambda: _read_with_openai(client),
    }
    taken: dict[str, list[float]] = {name: [] for name in readers}
    for number in range(rounds + 1):
        for name, read in readers.items():
            before = time.process_time()
            characters = await read()
            seconds = time.process_time() - before
            assert characters == len(_text(deltas)), f"{name} read {characters} characters"
            if number:  # the first round warms up
                taken[name].append(seconds / deltas * 1e6)
    await sessions.close()
    await client.close()
    return taken


def _show(taken: dict[str, list[float]]) -> None:
    print("CPU per delta, µs: median (range)")
    for name, numbers in taken.items():
        print(f"  {name:8} {median(numbers):7.1f} ({min(numbers):.1f} to {max(numbers):.1f})")
    ratio = median(taken["askweb"]) / median(taken["openai"])
    print(f"  ratio    {ratio:7.2f} (goal: at most {GOAL})")


async def _read_with_askweb(sessions: Sessions, base_url: str) -> int:
    characters = 0
    body = {"model": "mock", "messages": PROMPT, "stream": True}
    async with call_model(sessions.free, Endpoint(base_url, "x"), body, timers=TIMERS) as call:
        async for events in call.batches():
            for event in events:
                if isinstance(event, TextDelta):
                    characters += len(event.text)
    assert call.ended().outcome == "finished"
    return characters


async def _read_with_openai(client: AsyncOpenAI) -> int:
    characters = 0
    stream = await client.chat.completions.create(model="mock", messages=PROMPT, stream=True)  # type: ignore[call-overload]
    async for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            characters += len(chunk.choices[0].delta.content)
    return characters


@contextmanager
def _provider(deltas: int) -> Iterator[str]:
    command = [sys.executable, __file__, "--serve", "--deltas", str(deltas)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


async def _serve(deltas: int) -> None:
    events = _events(deltas)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD)
        for event in events:  # each by itself, as a model's tokens come
            writer.write(event)
            await writer.drain()
            await asyncio.sleep(0)
        writer.write(b"0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _text(deltas: int) -> str:
    return "".join(TOKENS[number % len(TOKENS)] for number in range(deltas))


def _events(deltas: int) -> list[bytes]:
    words = [_event({"content": TOKENS[number % len(TOKENS)]}, None) for number in range(deltas)]
    return [_event({"role": "assistant", "content": ""}, None), *words, _event({}, "stop"), _chunk(b"[DONE]")]


def _event(delta: dict[str, str], finish: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return _chunk(
        orjson.dumps(
            {
                "id": "chatcmpl-C8hXw2vYpLq0sJ4tN6eRzKdM",
                "object": "chat.completion.chunk",
                "created": 1750000000,
                "model": "mock",
                "system_fingerprint": "fp_0123456789",
                "choices": [choice],
            }
        )
    )


def _chunk(payload: bytes) -> bytes:
    event = b"data: " + payload + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(event), event)


if __name__ == "__main__":
    main()

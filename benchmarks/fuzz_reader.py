"""Feeds the reader random and mutated bytes, for as long as you like, and stops at the first broken promise.

    python benchmarks/fuzz_reader.py --seconds 60 --seed 7

Promises: nothing raises, whatever the bytes and the cutting; cutting bytes up differently says the same;
success is never silent; what is said can be stored. A failure prints the seed, and the bytes as Python.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from askweb.providers.events import Ending, Event, ReasoningDelta, TextDelta
from askweb.providers.reading import StreamReader

CALL = {"index": 0, "id": "c1", "function": {"name": "look", "arguments": '{"at":1}'}}
SEEDS: Sequence[bytes] = tuple(
    b"".join(
        b"data: " + (each if isinstance(each, bytes) else orjson.dumps(each)) + b"\n\n" for each in stream
    )
    for stream in (
        (
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Once 上 \\ud83d"}}]},
            {"choices": [{"index": 0, "delta": {"content": "<think>hm</think>"}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
            b"[DONE]",
        ),
        (
            {"choices": [{"delta": {"reasoning_content": "hm", "tool_calls": [CALL]}}]},
            {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
            b"[DONE]",
        ),
        ({"choices": [{"delta": {"content": "a"}}]}, {"error": {"message": "boom", "code": 503}}, b"[DONE]"),
        ({"choices": [{"message": {"content": "whole"}, "finish_reason": "length"}]},),
    )
)
SPLICES: Sequence[bytes] = (
    *(b"\n", b"\r", b"\r\n\r\n", b"\x00", b"\xff", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\\ud83d", b"\\u0000"),
    *(b"data:", b"event: error\n", b": ping\n", b"[DONE]", b"null", b"[]", b"{}", b'""', b"1e999", b"-0"),
    *(
        b'"choices"',
        b'"delta"',
        b'"content"',
        b'"tool_calls"',
        b'"error"',
        b'"finish_reason":"stop"',
        b"<think>",
    ),
    *(b"[" * 2000, b'{"a":' * 500, b"9" * 400, b"<html>"),
)
TYPES = ("text/event-stream", "application/json", "text/html", "")
STATUSES = (200, 200, 200, 200, 404, 429, 500)
LONGEST = 5000


class Broken(AssertionError):
    """A promise that the reader didn't keep."""


def fuzz(seconds: float, seed: int, clock: Callable[[], float] = time.monotonic) -> int:
    """Try bodies until the time is over and return how many; raises `Broken` at the first broken promise."""
    chance = random.Random(seed)  # noqa: S311 - it has to be repeatable
    end, count = clock() + seconds, 0
    while clock() < end:
        body = _body(chance)
        try:
            _check(body, chance)
        except Exception as error:
            raise Broken(f"seed {seed}, body {count}: {error!r}\n{body!r}") from error
        count += 1
    return count


def _body(chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(300))
    body = bytearray(chance.choice(SEEDS))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 9, 30))):
        _mutate(body, chance)
    return bytes(body[:LONGEST])


def _mutate(body: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(body) + 1)
    length = chance.choice((0, 1, 1, 2, 5, 20))
    match chance.randrange(5):
        case 0:
            body[at : at + length] = b""
        case 1:
            body[at:at] = chance.choice(SPLICES)
        case 2:
            body[at : at + length] = chance.choice(SPLICES)
        case 3:
            body[at : at + length] = chance.randbytes(length)
        case _:
            other = chance.choice(SEEDS)
            start = chance.randrange(len(other))
            body[at:at] = other[start : start + chance.randrange(200)]


def _check(body: bytes, chance: random.Random) -> None:
    how = {"status": chance.choice(STATUSES), "content_type": chance.choice(TYPES)}
    cut, think_open = chance.random() < 0.3, chance.random() < 0.2
    whole = _read([body], cut, think_open, how)
    _check_ending(*whole, body)
    pieces = _pieces(body, chance)
    if _said(*_read(pieces, cut, think_open, how)) != _said(*whole):
        raise Broken(f"cut up as {[len(piece) for piece in pieces]} it says something else")


def _read(
    pieces: Sequence[bytes], cut: bool, think_open: bool, how: dict[str, object]
) -> tuple[list[Event], Ending]:
    reader = StreamReader(think_open=think_open, now=lambda: 0.0, **how)  # type: ignore[arg-type]
    events = [event for piece in pieces for event in reader.feed(piece)]
    ending = reader.end(cut=cut)
    return events + ending.events, ending


def _pieces(body: bytes, chance: random.Random) -> list[bytes]:
    size = chance.choice((1, 2, 7, 64))
    return [body[start : start + size] for start in range(0, len(body), size)]


def _said(events: list[Event], ending: Ending) -> tuple[object, ...]:
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    reasoning = "".join(event.text for event in events if isinstance(event, ReasoningDelta))
    error = ending.error and (ending.error.code, ending.error.message)
    return text, reasoning, ending.outcome, ending.finish, ending.usage, ending.calls, error


def _check_ending(events: list[Event], ending: Ending, body: bytes) -> None:
    if (ending.outcome == "failed") is not (ending.error is not None):
        raise Broken("failed without an error, or an error without having failed")
    if ending.outcome == "finished" and not (b"finish_reason" in body or b"done" in body.lower()):
        raise Broken("finished without any sign of an end")
    for event in events:
        if isinstance(event, TextDelta | ReasoningDelta) and (not event.text or "\x00" in event.text):
            raise Broken("text that is empty or can't be stored")
        if isinstance(event, TextDelta | ReasoningDelta):
            event.text.encode()
    if ending.error is not None and len(ending.error.message.encode()) > 2100:
        raise Broken("a message that is too long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="default: a new one each time, and printed")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(1_000_000) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    print(f"{fuzz(arguments.seconds, seed)} bodies in {arguments.seconds:g} s, every promise kept")


if __name__ == "__main__":
    main()

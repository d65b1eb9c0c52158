"""A run's steps as server-sent events."""

from collections.abc import AsyncIterator, Iterator

import orjson

from askweb.openai.errors import error_of_outcome
from askweb.openai.following import Delta, Outcome
from askweb.openai.shapes import (
    ChunkShape,
    Head,
    delta_chunks,
    finish_chunk,
    first_chunk,
    usage,
    usage_chunk,
)

Step = Delta | Outcome | None
DONE = b"data: [DONE]\n\n"
SIGN_OF_LIFE = b": still working\n\n"


async def stream(
    head: Head, first: Step, steps: AsyncIterator[Step], *, include_usage: bool
) -> AsyncIterator[bytes]:
    """Yield events, one piece of bytes for each step. After an error there is no `[DONE]`."""
    writer = _Writer(head, include_usage=include_usage)
    yield writer.write(first)
    async for step in steps:
        yield writer.write(step)


class _Writer:
    def __init__(self, head: Head, *, include_usage: bool) -> None:
        self._head = head
        self._include_usage = include_usage
        self._begun = False

    def write(self, step: Step) -> bytes:
        if step is None:
            return SIGN_OF_LIFE
        if isinstance(step, Outcome) and step.is_error:
            return _event(error_of_outcome(step)[1])
        chunks = b"".join(self._chunk(chunk) for chunk in self._chunks(step))
        return chunks + DONE if isinstance(step, Outcome) else chunks

    def _chunks(self, step: Delta | Outcome) -> Iterator[ChunkShape]:
        if not self._begun:
            self._begun = True
            yield first_chunk(self._head)
        if isinstance(step, Delta):
            yield from delta_chunks(self._head, step)
            return
        yield finish_chunk(self._head, step)
        if self._include_usage and (counted := usage(step)):
            yield usage_chunk(self._head, counted)

    def _chunk(self, chunk: ChunkShape) -> bytes:
        """Where usage is asked for, every other chunk says that it is not in there."""
        return _event({"usage": None, **chunk} if self._include_usage else chunk)


def _event(payload: object) -> bytes:
    return b"data: " + orjson.dumps(payload) + b"\n\n"

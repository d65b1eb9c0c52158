"""A stand-in for a provider that sends recorded bytes: the model, or the path of a GET, says which recording."""

import asyncio
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from tests.stand_ins.loop_thread import LoopThread

PIECE = 4096


@dataclass(frozen=True)
class Recording:
    """An answer as it goes over the wire; `cut` breaks the connection off after the last byte."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False


class RecordedProvider:
    """A real HTTP server in a thread of its own."""

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        self._recordings = recordings
        self._thread = LoopThread()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._server = self._thread.run(asyncio.start_server(self._answer, sock=self._listener))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def close(self) -> None:
        self._thread.stop_accepting(self._listener)
        self._thread.soon(self._server.close)
        self._thread.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._send(reader, writer)
        finally:
            writer.close()

    async def _send(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(length[1]) if length else 0)
        name = orjson.loads(body)["model"] if body else head.split(" ", 2)[1]
        recording = self._recordings[name]
        headers = {**recording.headers, "transfer-encoding": "chunked", "connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {recording.status} Recorded\r\n{lines}\r\n".encode())
        for start in range(0, len(recording.body), PIECE):
            piece = recording.body[start : start + PIECE]
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await writer.drain()
        if not recording.cut:
            writer.write(b"0\r\n\r\n")
        await writer.drain()

"""The plain relay that AskWeb is compared with: daphne, a Channels consumer and a raw reader; nothing is stored.

A socket's first message is `{"provider": [host, port], "model": …}`; each delta becomes one frame.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson
from django.conf import settings

settings.configure(SECRET_KEY="not used", ALLOWED_HOSTS=["*"], USE_TZ=True)

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402 - needs the settings


class Relay(AsyncWebsocketConsumer):
    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        order = orjson.loads(text_data or "")
        host, port = order["provider"]
        async for content in _deltas(host, port, order["model"]):
            await self.send(text_data=orjson.dumps({"content": content}).decode())
        await self.close()


async def _deltas(host: str, port: int, model: str) -> AsyncIterator[str]:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(_request(host, model))
        async for line in reader:
            if not line.startswith(b"data:"):
                continue
            if line[5:].strip() == b"[DONE]":
                return
            if content := orjson.loads(line[5:])["choices"][0]["delta"].get("content"):
                yield content
    finally:
        writer.close()


def _request(host: str, model: str) -> bytes:
    messages = [{"role": "user", "content": "Count."}]
    body = orjson.dumps({"model": model, "stream": True, "messages": messages})
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


application: Any = Relay.as_asgi()

"""A provider that speaks for some seconds, a word at a time, to as many as come; it can be cut off.

To who wants to be asked first it puts a question, and speaks once it has the answer.
"""

import asyncio
import re
import socket
from collections import defaultdict
from typing import Any

from aiohttp import web

from tests.live.asking import OFFERED
from tests.stand_ins import sse
from tests.stand_ins.loop_thread import LoopThread

WORDS, PAUSE = 80, 0.1
ASK_ME = "Ask me first."
NUMBER = re.compile(r"Question (\d+)")


def whole(words: int) -> str:
    return "".join(f"{number} 字\n\n" for number in range(words))


class Speaker:
    def __init__(self, words: int = WORDS) -> None:
        self.words = words
        self.calls = 0
        self.answers: defaultdict[int, list[str]] = defaultdict(list)
        """What it was answered, by the numbers of who asked."""
        self._thread = LoopThread()
        self._runner = web.AppRunner(self._application(), handler_cancellation=True, shutdown_timeout=0.01)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread.run(self._listen())
        self._requests: list[web.Request] = []
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def cut(self) -> None:
        """Break off everything that is being said."""
        self._thread.soon(self._cut)

    def close(self) -> None:
        self._thread.stop_accepting(self._listener)
        self._thread.run(self._runner.cleanup())
        self._thread.close()

    def _cut(self) -> None:
        for request in tuple(self._requests):
            if request.transport is not None:
                request.transport.abort()

    def _application(self) -> web.Application:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._answer)
        return application

    async def _listen(self) -> None:
        await self._runner.setup()
        await web.SockSite(self._runner, self._listener).start()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.calls += 1
        messages = (await request.json())["messages"]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        self._requests.append(request)
        try:
            if self._asks(messages):
                for piece in sse.calls(sse.call("ask_user", OFFERED)):
                    await response.write(piece)
            else:
                await self._speak(response)
            await response.write_eof()
        finally:
            self._requests.remove(request)
        return response

    def _asks(self, messages: list[dict[str, Any]]) -> bool:
        text = str(messages)
        if ASK_ME not in text:
            return False
        results = [message["content"] for message in messages if message["role"] == "tool"]
        if results and (asker := NUMBER.search(text)):
            self.answers[int(asker[1])] += results
        return not results

    async def _speak(self, response: web.StreamResponse) -> None:
        for number in range(self.words):
            await response.write(sse.chunk(f"{number} 字\n\n"))
            await asyncio.sleep(PAUSE)
        await response.write(sse.finish())

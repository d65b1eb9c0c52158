"""A provider that speaks for some seconds, a word at a time, to as many as come; it can be cut off."""

import asyncio
import socket

from aiohttp import web

from tests.stand_ins import sse
from tests.stand_ins.loop_thread import LoopThread

WORDS, PAUSE = 80, 0.1


class Speaker:
    def __init__(self) -> None:
        self._thread = LoopThread()
        self._runner = web.AppRunner(self._application(), handler_cancellation=True, shutdown_timeout=0.01)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread.run(self._listen())
        self._requests: list[web.Request] = []
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self.calls = 0

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
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        self._requests.append(request)
        try:
            for number in range(WORDS):
                await response.write(sse.chunk(f"{number} 字\n\n"))
                await asyncio.sleep(PAUSE)
            await response.write(sse.finish())
            await response.write_eof()
        finally:
            self._requests.remove(request)
        return response

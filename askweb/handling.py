"""How Django answers requests: each in one thread, from the first middleware to the view, but for those that wait.

Django's own way under ASGI changes threads for each middleware that has no asynchronous form, which took half of the
time of a request.
"""

from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest

WAITING = ("/v1/", "/api/questions/", "/ready/")
"""What waits, for a model, a person or a database that may be away. It holds no thread meanwhile, gives the connection
of each of its threads back, and hears of clients that go away.
"""


class Handler(ASGIHandler):
    def __init__(self) -> None:
        super().__init__()
        self._in_thread = BaseHandler()
        self._in_thread.load_middleware()

    async def get_response_async(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(WAITING):
            return await super().get_response_async(request)
        return await sync_to_async(self._in_thread.get_response)(request)

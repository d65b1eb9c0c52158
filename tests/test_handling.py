"""Requests have one thread from beginning to end; those that wait have none meanwhile."""

import threading
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponse
from django.test import RequestFactory

from askweb.handling import Handler


@pytest.fixture
def handler(monkeypatch: pytest.MonkeyPatch) -> Handler:
    """Answers with whether it does so in the loop's thread."""

    def here(_request: object) -> HttpResponse:
        return HttpResponse(str(threading.current_thread() is threading.main_thread()))

    async def wait(_handler: object, request: object) -> Any:
        return here(request)

    handler = Handler()
    monkeypatch.setattr(handler._in_thread, "get_response", here)
    monkeypatch.setattr(ASGIHandler, "get_response_async", wait)
    return handler


@pytest.mark.parametrize(
    ("address", "in_the_loop"),
    [
        ("/", b"False"),
        ("/api/conversations/", b"False"),
        ("/health/", b"False"),
        ("/api/questions/0/?wait=60", b"True"),
        ("/ready/", b"True"),
        ("/v1/chat/completions", b"True"),
    ],
)
async def test_only_what_waits_is_answered_without_a_thread_of_its_own(
    handler: Handler, address: str, in_the_loop: bytes
) -> None:
    response = await handler.get_response_async(RequestFactory().get(address))
    assert response.content == in_the_loop

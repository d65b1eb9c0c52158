"""A post of megabytes is read where it keeps nobody else waiting."""

import threading
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from askweb.openai import api


async def test_what_is_asked_is_not_read_in_the_databases_thread(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(request: HttpRequest) -> Any:
        return threading.current_thread().name

    monkeypatch.setattr(api, "ask", ask)
    assert not str(await api._asked(rf.post("/v1/chat/completions"))).startswith("database")

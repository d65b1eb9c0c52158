"""Posting as clients do. No engine runs here, so runs stay queued until a test settles them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from askweb.providers.models import Provider
from askweb.runs.hub import Frame
from askweb.runs.models import Run, State
from askweb.runs.settling import UnsavedText, settle

Ask = Callable[..., Any]
Answer = Callable[..., None]


@pytest.fixture
def ask(api: APIClient, provider: Provider) -> Ask:
    """Post one message and return what the answer says; `to` is a conversation."""

    def ask(text: str = "Hi", *, to: str | None = None, context: object = (), **meta: object) -> Any:
        path = f"/api/conversations/{to}/messages/" if to else "/api/conversations/"
        messages = [{"role": "user", "content": text}]
        answer = api.post(path, {"context": list(context), "meta": meta, "messages": messages})  # type: ignore[call-overload]
        assert answer.status_code in (201, 202), answer.content
        return answer.json()

    return ask


@pytest.fixture
def answer() -> Answer:
    """Let the model have answered a post."""

    def answer(posted: Any, text: str = "Hello.") -> None:
        run = Run.objects.get(pk=posted["run"]["id"])
        assert settle(run, State.COMPLETED, UnsavedText(text), finish="stop")

    return answer


@dataclass
class Published:
    """The frames that went out, decoded, each with its topic."""

    frames: list[tuple[UUID, Any]] = field(default_factory=list)

    def events(self, topic: str | UUID) -> list[str]:
        return [frame["meta"]["event"] for told, frame in self.frames if str(told) == str(topic)]

    def last(self, event: str) -> Any:
        return next(frame for _topic, frame in reversed(self.frames) if frame["meta"]["event"] == event)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> Any:
    """Collects frames while it is entered as a context: what is committed inside goes out at its end."""
    told = Published()

    def publish(topic: UUID, frame: Frame) -> None:
        told.frames.append((topic, json.loads(frame.text)))

    monkeypatch.setattr("askweb.runs.hub.hub.publish_soon", publish)
    told.committed = lambda: django_capture_on_commit_callbacks(execute=True)  # type: ignore[attr-defined]
    return told

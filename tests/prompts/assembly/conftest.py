"""Turns built from a template of the test's own, with or without a limit."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from askweb.conversations.envelope import Item
from prompts.assembling import Turn, build_turn
from prompts.estimating import Estimator
from prompts.models import Tool
from prompts.variables import Asking
from tests.conversations.conftest import answer, ask

__all__ = ["answer", "ask"]

Build = Callable[..., Turn]
NOON = datetime(2026, 1, 2, 12, 30, tzinfo=UTC)


def asking(text: str = "", **changes: Any) -> Asking:
    known = {
        "language": "English",
        "language_chosen": True,
        "user_name": "Ada",
        "interface_language": "English",
    }
    return Asking(text=text, now=NOON, **{**known, **changes})


def item(kind: str, **fields: Any) -> Item:
    return Item(kind, {"id": kind, **fields})


@pytest.fixture
def build(db: None) -> Build:
    def build(template: str, text: str, *items: Item, room: int | None = None, **options: Any) -> Turn:
        tool = Tool.objects.create(slug=f"tool-{Tool.objects.count()}", name="Under test", options=options)
        tool.publish(template)
        return build_turn(tool, asking(text), items, room, Estimator())

    return build


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever language the request of an earlier test has left behind."""
    with translation.override("en"):
        yield

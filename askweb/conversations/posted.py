"""A post as JSON, kept for as long as its prompt may have to be assembled again."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypedDict

from askweb.conversations.envelope import Envelope, Item, Meta, Turn
from askweb.conversations.models import Message


class HowPosted(TypedDict):
    """What a message's answer depends on besides its words and context; kept with it, for answers to come."""

    language: str | None
    provider: str | None
    model: str | None
    temperature: float | None
    exact: bool


def how_posted(envelope: Envelope) -> HowPosted:
    meta = envelope.meta
    return {
        "language": meta.language,
        "provider": meta.provider,
        "model": meta.model,
        "temperature": meta.temperature,
        "exact": envelope.exact,
    }


def posted_of(envelope: Envelope, parent: Message | None) -> dict[str, Any]:
    """What is needed of a post to assemble it again, as JSON; its context is stored with its message."""
    return {
        "meta": asdict(envelope.meta),
        "messages": [asdict(turn) for turn in envelope.messages],
        "options": dict(envelope.options),
        "exact": envelope.exact,
        "parent": str(parent.pk) if parent else None,
    }


def envelope_of(posted: Mapping[str, Any], items: tuple[Item, ...]) -> Envelope:
    return Envelope(
        context=items,
        meta=Meta(**{**posted["meta"], "images": tuple(posted["meta"]["images"])}),
        messages=tuple(Turn(**turn) for turn in posted["messages"]),
        options=posted["options"],
        exact=posted["exact"],
    )


def parent_of(posted: Mapping[str, Any]) -> Message | None:
    return Message.objects.get(pk=posted["parent"]) if posted["parent"] else None

"""What a person may mention with `@`: the fields of the context that came to a conversation last."""

from collections.abc import Iterator
from typing import TypedDict

from django.utils.translation import gettext_lazy as _lazy

from askweb.conversations.chips import KINDS, Fields
from askweb.conversations.models import Conversation

LONGEST = 4000
"""Characters of a field. The model gets the whole of it with the context anyway."""

FIELDS = {
    "title": _lazy("Title"),
    "pageTitle": _lazy("Title"),
    "url": _lazy("Address"),
    "pageUrl": _lazy("Address"),
    "selection": _lazy("Selection"),
    "text": _lazy("Text"),
    "linkText": _lazy("Words of the link"),
    "linkUrl": _lazy("Address of the link"),
    "code": _lazy("Code"),
    "repository": _lazy("Repository"),
    "path": _lazy("Path"),
    "content": _lazy("Content"),
}


class Mention(TypedDict):
    kind: str
    name: str
    text: str


def mentions_of(conversation: Conversation) -> list[Mention]:
    """The fields of the newest message with context, each text once; none when nothing came along."""
    rows = conversation.messages.filter(context_items__isnull=False).order_by("-id").complete_for_shape()
    newest = rows.first()
    if newest is None:
        return []
    found: dict[str, Mention] = {}
    for item in newest.context_items.all():
        value = item.value()
        for name, text in _texts(value if isinstance(value, dict) else {}):
            found.setdefault(text, {"kind": str(KINDS.get(item.kind, item.kind)), "name": name, "text": text})
    return list(found.values())


def _texts(fields: Fields) -> Iterator[tuple[str, str]]:
    for field, name in FIELDS.items():
        text = fields.get(field)
        if isinstance(text, str) and text.strip():
            yield str(name), text.strip()[:LONGEST]

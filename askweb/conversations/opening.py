"""What a new conversation takes from its first post: title, page, and the system message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from askweb.conversations.envelope import Envelope, Item
from askweb.conversations.models import TITLE_LENGTH, Conversation

OPENED = ("title", "system", "page_title", "page_url", "page_host")


@dataclass(frozen=True)
class Page:
    title: str
    url: str


def open_with(conversation: Conversation, envelope: Envelope, text: str, system: str) -> None:
    """Set, without saving, what the first post says; `text` is what it asks."""
    page = _page(envelope.context)
    conversation.note_page(page.title, page.url)
    conversation.title = _title(text, page.title, *(turn.content for turn in envelope.messages))
    conversation.system = system


def posted_system(envelope: Envelope) -> str:
    """The system messages of the post, which take the place of ours."""
    return "\n\n".join(turn.content for turn in envelope.messages if turn.role == "system")


def _page(items: Sequence[Item]) -> Page:
    """The page that the items come from: what a page says of itself, else what the others say of theirs."""
    values = [item.value for item in sorted(items, key=lambda item: item.kind != "page")]
    return Page(
        next(_texts(values, "pageTitle", "title"), ""),
        next(_texts(values, "pageUrl", "url"), ""),
    )


def _texts(values: Sequence[Mapping[str, Any]], *names: str) -> Iterator[str]:
    for value in values:
        for name in names:
            if isinstance(text := value.get(name), str) and text.strip():
                yield text


def _title(*texts: str) -> str:
    words = next((found for text in texts if (found := " ".join(text.split()))), "")
    return words[:TITLE_LENGTH].rstrip() or _("Untitled conversation")

"""The words that a message and a conversation are found by."""

from collections.abc import Iterator

from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import JSONValue

TEXT_LIMIT = 200_000
"""Bytes of UTF-8, of each message with its context. What comes after them is not found."""
NOT_WORDS = frozenset(("id", "agentId", "type", "lang", "codeLanguage", "xpath", "url", "pageUrl", "linkUrl"))
"""Fields of context that machines read, not people."""


def text_of_conversation(conversation: Conversation) -> str:
    return "\n".join((conversation.title, conversation.page_title, conversation.page_host))


def text_of_message(message: Message) -> str:
    """Return its content and its context's words; see `TEXT_LIMIT`."""
    taken: list[str] = []
    room = TEXT_LIMIT
    for text in _texts_of(message):
        data = text.encode()[:room]
        taken.append(data.decode(errors="ignore"))
        room -= len(data)
        if room <= 0:
            break
    return "\n".join(taken)


def _texts_of(message: Message) -> Iterator[str]:
    yield message.content
    for item in message.context_items.all():
        yield from _texts(item.value())


def _texts(value: JSONValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in NOT_WORDS:
                yield from _texts(item)

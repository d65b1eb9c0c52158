"""A conversation to be read elsewhere: its current path as Markdown."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from askweb.conversations.chips import chip_of
from askweb.conversations.models import Conversation, Message
from askweb.conversations.tool_picker import PLAIN_TOOL, tool_names
from askweb.conversations.transcript import title_of

BATCH = 20
SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$&])")
FENCE = re.compile("`+")
SPEAKERS = {
    Message.Role.USER: _lazy("You"),
    Message.Role.ASSISTANT: _lazy("Answer"),
    Message.Role.SYSTEM: _lazy("System message"),
    Message.Role.TOOL: _lazy("Result of a function"),
}
UNFINISHED = {
    Message.State.STREAMING: _lazy("This answer is still being written."),
    Message.State.INTERRUPTED: _lazy("This answer was interrupted."),
    Message.State.STOPPED: _lazy("This answer was stopped."),
    Message.State.FAILED: _lazy("This answer failed."),
}


def markdown_pieces(conversation: Conversation) -> Iterator[str]:
    """Yield the file, a turn at a time, in the language that is active."""
    names = tool_names(conversation.user)
    yield f"# {_inline(title_of(conversation))}\n"
    if page := _page(conversation):
        yield f"\n{page}\n"
    path = iter(conversation.path_ids())
    while batch := list(islice(path, BATCH)):
        rows = conversation.messages.complete_for_shape().in_bulk(batch)
        for id_ in batch:
            yield "\n" + "\n\n".join(_turn(rows[id_], names)) + "\n"


def _page(conversation: Conversation) -> str:
    title, url = _inline(conversation.page_title), conversation.page_url
    address = f"<{url}>" if re.fullmatch(r"https?://[^\s<>]+", url) else _inline(url)
    words = " ".join(filter(None, (title, address)))
    return _("Page: {page}").format(page=words) if words else ""


def _turn(message: Message, names: Mapping[str, str]) -> Iterator[str]:
    content, _reasoning = message.text_so_far()
    yield f"## {' · '.join(_heading(message, names))}"
    if chips := [_chip(*words) for words in _chips(message)]:
        yield "\n".join(chips)
    if content:
        yield content if message.role in (Message.Role.USER, Message.Role.ASSISTANT) else _fenced(content)
    for call in message.function_calls:
        yield _("The model asked for the function {name}.").format(name=_inline(str(call["name"])))
    if message.state in UNFINISHED:
        yield f"*{UNFINISHED[Message.State(message.state)]}*"


def _heading(message: Message, names: Mapping[str, str]) -> Iterator[str]:
    yield str(SPEAKERS[Message.Role(message.role)])
    yield f"{message.created:%Y-%m-%d %H:%M} UTC"
    if message.tool and message.tool != PLAIN_TOOL:
        yield _inline(names.get(message.tool, message.tool))


def _chips(message: Message) -> Iterator[tuple[str, str, str]]:
    for item in message.context_items.all():
        chip = chip_of(item)
        yield chip.kind, chip.label, chip.detail


def _chip(kind: str, label: str, detail: str) -> str:
    words = " — ".join(_inline(part) for part in (label, detail) if part)
    return f"- {_inline(kind)}: {words}" if words else f"- {_inline(kind)}"


def _inline(text: str) -> str:
    """In one line, and nothing but text to whatever reads Markdown."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _fenced(text: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in FENCE.findall(text)), 0)
    return f"{fence}\n{text}\n{fence}"

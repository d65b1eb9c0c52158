"""A conversation to be read elsewhere: its current path as Markdown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from askweb.conversations.chips import chip_of
from askweb.conversations.export_questions import AskedSets, asked_markdown, asked_sets, with_questions
from askweb.conversations.inline_text import inline
from askweb.conversations.models import Conversation, Message
from askweb.conversations.tool_picker import PLAIN_TOOL, tool_names
from askweb.conversations.transcript import title_of
from questions.deciding import OURS
from questions.models import QuestionSet

BATCH = 20
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
    yield f"# {inline(title_of(conversation))}\n"
    if page := _page(conversation):
        yield f"\n{page}\n"
    path = list(conversation.path_back(conversation.head_id))[::-1]
    asked = asked_sets(conversation, path)
    yield from _asked_after(None, asked)
    following = iter(path)
    while batch := list(islice(following, BATCH)):
        rows = conversation.messages.complete_for_shape().in_bulk(batch)
        for id_ in batch:
            yield "\n" + "\n\n".join(_turn(rows[id_], names, asked.of_reply.get(id_, ()))) + "\n"
            yield from _asked_after(id_, asked)


def _asked_after(id_: UUID | None, asked: AskedSets) -> Iterator[str]:
    for row in asked.after.get(id_, ()):
        yield f"\n## {_('Questions')} · {_moment(row.created)}\n\n{asked_markdown(row)}\n"


def _page(conversation: Conversation) -> str:
    title, url = inline(conversation.page_title), conversation.page_url
    address = f"<{url}>" if re.fullmatch(r"https?://[^\s<>]+", url) else inline(url)
    words = " ".join(filter(None, (title, address)))
    return _("Page: {page}").format(page=words) if words else ""


def _turn(message: Message, names: Mapping[str, str], asked: Sequence[QuestionSet]) -> Iterator[str]:
    content, _reasoning = message.text_so_far()
    yield f"## {' · '.join(_heading(message, names))}"
    if chips := [*(_chip(*words) for words in _chips(message)), *_pictures(message)]:
        yield "\n".join(chips)
    if message.role in (Message.Role.USER, Message.Role.ASSISTANT):
        yield from filter(None, with_questions(content, asked))
    elif content:
        yield _fenced(content)
    for call in message.function_calls:
        if call["name"] not in OURS:
            yield _("The model asked for the function {name}.").format(name=inline(str(call["name"])))
    if message.state in UNFINISHED:
        yield f"*{UNFINISHED[Message.State(message.state)]}*"


def _heading(message: Message, names: Mapping[str, str]) -> Iterator[str]:
    yield str(SPEAKERS[Message.Role(message.role)])
    yield _moment(message.created)
    if message.tool and message.tool != PLAIN_TOOL:
        yield inline(names.get(message.tool, message.tool))


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _chips(message: Message) -> Iterator[tuple[str, str, str]]:
    for item in message.context_items.all():
        chip = chip_of(item)
        yield chip.kind, chip.label, chip.detail


def _chip(kind: str, label: str, detail: str) -> str:
    words = " — ".join(inline(part) for part in (label, detail) if part)
    return f"- {inline(kind)}: {words}" if words else f"- {inline(kind)}"


def _pictures(message: Message) -> Iterator[str]:
    """Only their number: a file to be read holds no images, and their addresses are for who is signed in."""
    count = len(message.images)
    for number in range(1, count + 1):
        yield "- " + _("Image %(number)s of %(count)s") % {"number": number, "count": count}


def _fenced(text: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in FENCE.findall(text)), 0)
    return f"{fence}\n{text}\n{fence}"

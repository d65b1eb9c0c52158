"""What the transcript shows: the path from the first message to the head, a page of it at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.chips import Chip, chip_of
from askweb.conversations.models import Conversation, Message
from askweb.conversations.outcomes import Outcome, outcome_of
from askweb.conversations.tool_picker import PLAIN_TOOL, tool_names
from askweb.runs.models import Run
from questions.summarising import Summaries, read_summaries, summaries_before
from questions.summary import Summary

PAGE = 50


@dataclass(frozen=True)
class Entry:
    """One message as it is shown. `question` is the message that "Ask again" puts back into the composer.

    `asked` are the question sets of a reply that have ended, `asked_after` those that a script asked after it.
    """

    message: Message
    text: str
    reasoning: str
    chips: Sequence[Chip]
    tool: str
    outcome: Outcome | None
    question: UUID | None
    asked: Sequence[Summary] = ()
    asked_after: Sequence[Summary] = ()

    @property
    def open(self) -> str:
        """The text behind what is rendered of a reply that is still being written."""
        if self.message.state != Message.State.STREAMING:
            return ""
        return self.text[len(self.message.content) :] if self.message.html else self.text


@dataclass(frozen=True)
class Transcript:
    """`earlier` is the id before which the next page of older messages ends; None when there are none.

    `asked_first` are the question sets that a script asked before there was any message.
    """

    entries: Sequence[Entry]
    earlier: UUID | None
    is_newest: bool
    asked_first: Sequence[Summary] = ()


def read_transcript(person: User, conversation: Conversation, before: UUID | None = None) -> Transcript:
    """Return the newest messages of the path, or those before one of them."""
    path = conversation.path_ids()
    end = path.index(before) if before in path else len(path)
    shown = path[max(0, end - PAGE) : end]
    rows = conversation.messages.complete_for_shape().in_bulk(shown)
    messages = [rows[id_] for id_ in shown if id_ in rows]
    earlier = shown[0] if end > PAGE else None
    first = [] if earlier else summaries_before(conversation, shown[0] if shown else None)
    return Transcript(_entries(person, messages), earlier, end == len(path), first)


def read_entry(person: User, message: Message) -> Entry:
    return _entries(person, [message])[0]


def _entries(person: User, messages: Sequence[Message]) -> list[Entry]:
    runs = {run.reply_id: run for run in Run.objects.filter(reply__in=messages).order_by("created")}
    names, asked = tool_names(person), read_summaries(messages)
    return [_entry(message, runs.get(message.pk), names, asked) for message in messages]


def _entry(message: Message, run: Run | None, names: dict[str, str], asked: Summaries) -> Entry:
    text, reasoning = message.text_so_far()
    tool = message.tool if message.tool != PLAIN_TOOL else None
    return Entry(
        message=message,
        text=text,
        reasoning=reasoning,
        chips=[chip_of(item) for item in message.context_items.all()],
        tool=names.get(tool, tool) if tool else "",
        outcome=outcome_of(message, run) if message.role == Message.Role.ASSISTANT else None,
        question=run.message_id if run is not None else None,
        asked=asked.of_reply.get(message.pk, ()),
        asked_after=asked.after.get(message.pk, ()),
    )


def title_of(conversation: Conversation) -> str:
    return conversation.title or _("New conversation")

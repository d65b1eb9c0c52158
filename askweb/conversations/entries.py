"""Messages as the transcript shows them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from askweb.accounts.models import User
from askweb.conversations.asked_within import with_summaries, without_place
from askweb.conversations.chips import Chip, chip_of
from askweb.conversations.models import Message
from askweb.conversations.outcomes import Outcome, outcome_of
from askweb.conversations.shapes import siblings_by_parent
from askweb.conversations.tool_picker import PLAIN_TOOL, tool_names
from askweb.ids import new_id
from askweb.images.models import Image
from askweb.runs.models import Run
from questions.deciding import OURS
from questions.summarising import Summaries, read_summaries
from questions.summary import Summary


@dataclass(frozen=True)
class Branches:
    """Which of its siblings a message is, from 1; and those beside it."""

    number: int
    count: int
    before: UUID | None
    after: UUID | None


@dataclass(frozen=True)
class Picture:
    """An image that was posted. Its size keeps its place while it loads."""

    id: UUID
    width: int
    height: int


@dataclass(frozen=True)
class Entry:
    """One message as it is shown. `question` is the message that a reply answers, where a run wrote it.

    `html` holds the summaries of what a reply asked where it has places for them, `asked` the others; `asked_after`
    are the question sets that a script asked after the message. `nonce` makes a double click one act.
    """

    message: Message
    text: str
    reasoning: str
    html: str
    chips: Sequence[Chip]
    tool: str
    outcome: Outcome | None
    question: UUID | None
    pictures: Sequence[Picture] = ()
    branches: Branches | None = None
    can_continue: bool = False
    asked: Sequence[Summary] = ()
    asked_after: Sequence[Summary] = ()
    nonce: str = field(default_factory=lambda: str(new_id()))

    @property
    def open(self) -> str:
        """The text behind what is rendered of a reply that is still being written."""
        if self.message.state != Message.State.STREAMING:
            return ""
        return self.text[len(self.message.content) :] if self.message.html else self.text

    @property
    def calls(self) -> Sequence[Mapping[str, Any]]:
        """The functions that a reply asked for, but for those that ask the person: the questions tell of them."""
        return [call for call in self.message.function_calls if call.get("name") not in OURS]


def read_entries(person: User, messages: Sequence[Message]) -> list[Entry]:
    """The entries of messages of one conversation, in a fixed number of queries."""
    around = _Around(
        runs={run.reply_id: run for run in Run.objects.filter(reply__in=messages).order_by("created")},
        names=tool_names(person),
        asked=read_summaries(messages),
        siblings=siblings_by_parent(messages),
        answered=set(Message.objects.filter(parent__in=messages).values_list("parent", flat=True)),
        pictures=pictures_of(person, {id_ for message in messages for id_ in message.images}),
    )
    return [_entry(message, around) for message in messages]


def read_entry(person: User, message: Message) -> Entry:
    return read_entries(person, [message])[0]


@dataclass(frozen=True)
class _Around:
    """What is known of a page of messages. `answered` are those that something was said after."""

    runs: Mapping[UUID | None, Run]
    names: Mapping[str, str]
    asked: Summaries
    siblings: Mapping[UUID | None, Sequence[UUID]]
    answered: set[UUID | None]
    pictures: Mapping[str, Picture]


def _entry(message: Message, around: _Around) -> Entry:
    run = around.runs.get(message.pk)
    text, reasoning = message.text_so_far()
    tool = message.tool if message.tool != PLAIN_TOOL else None
    outcome = outcome_of(message, run) if message.role == Message.Role.ASSISTANT else None
    asked = around.asked.of_reply.get(message.pk, ())
    return Entry(
        message=message,
        text=text,
        reasoning=reasoning,
        html=with_summaries(message.html, asked),
        chips=[chip_of(item) for item in message.context_items.all()],
        tool=around.names.get(tool, tool) if tool else "",
        outcome=outcome,
        question=run.message_id if run is not None else None,
        pictures=[around.pictures[id_] for id_ in message.images if id_ in around.pictures],
        branches=_branches(message.pk, around.siblings[message.parent_id]),
        can_continue=bool(outcome and run and text and message.pk not in around.answered),
        asked=without_place(message.html, asked),
        asked_after=around.asked.after.get(message.pk, ()),
    )


def _branches(id_: UUID, siblings: Sequence[UUID]) -> Branches | None:
    if len(siblings) < 2:
        return None
    index = siblings.index(id_)
    before = siblings[index - 1] if index else None
    after = siblings[index + 1] if index + 1 < len(siblings) else None
    return Branches(index + 1, len(siblings), before, after)


def pictures_of(person: User, ids: Collection[str]) -> dict[str, Picture]:
    """By id; one that is gone has none."""
    if not ids:
        return {}
    rows = Image.objects.filter(user=person, pk__in=ids).values_list("pk", "width", "height")
    return {str(id_): Picture(id_, width, height) for id_, width, height in rows}

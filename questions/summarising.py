"""Which summaries stand where in the timeline: with the reply that asked, or at the time a script did."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from askweb.conversations.models import Conversation, Message
from questions.models import QuestionSet, QuestionSets, Status
from questions.summary import Summary, summary_of


@dataclass(frozen=True)
class Summaries:
    """By message: of the sets that its run asked, pending or not, and of those that a script asked after it."""

    of_reply: Mapping[UUID | None, Sequence[Summary]]
    after: Mapping[UUID, Sequence[Summary]]


def read_summaries(messages: Sequence[Message]) -> Summaries:
    """The sets of these messages of one conversation, which are in order of time, as ids are."""
    of_reply: defaultdict[UUID | None, list[Summary]] = defaultdict(list)
    after: defaultdict[UUID, list[Summary]] = defaultdict(list)
    for row in QuestionSet.objects.filter(reply__in=messages).order_by("id"):
        of_reply[row.reply_id].append(summary_of(row))
    ids = [message.pk for message in messages]
    for row in _of_scripts(messages):
        after[ids[bisect_right(ids, row.pk) - 1]].append(summary_of(row))
    return Summaries(of_reply, after)


def summaries_before(conversation: Conversation, first: UUID | None) -> list[Summary]:
    """Of the sets that a script asked before the conversation's first message; all of them when there is none."""
    rows = _ended().filter(conversation=conversation, reply=None)
    return [summary_of(row) for row in (rows.filter(pk__lt=first) if first else rows)]


def _of_scripts(messages: Sequence[Message]) -> Iterable[QuestionSet]:
    if not messages:
        return ()
    conversation, first, last = messages[0].conversation_id, messages[0].pk, messages[-1].pk
    rows = _ended().filter(conversation=conversation, reply=None, pk__gt=first)
    following = Message.objects.filter(conversation=conversation, pk__gt=last).order_by("id").first()
    return rows.filter(pk__lt=following.pk) if following else rows


def _ended() -> QuestionSets:
    return QuestionSet.objects.exclude(status=Status.PENDING).order_by("id")

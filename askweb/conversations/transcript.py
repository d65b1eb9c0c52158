"""What the transcript shows: the path from the first message to the head, a page of it at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.entries import Entry, read_entries
from askweb.conversations.models import Conversation
from questions.summarising import summaries_before
from questions.summary import Summary

PAGE = 50


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
    """Return the newest messages of the path to the head, or of the path to one of the messages, without it."""
    end = conversation.messages.filter(pk=before).first() if before else None
    path = conversation.path_back(end.parent_id if end else conversation.head_id)
    back = list(islice(path, PAGE + 1))
    shown = back[:PAGE][::-1]
    rows = conversation.messages.complete_for_shape().in_bulk(shown)
    messages = [rows[id_] for id_ in shown if id_ in rows]
    earlier = shown[0] if len(back) > PAGE else None
    first = [] if earlier else summaries_before(conversation, shown[0] if shown else None)
    return Transcript(read_entries(person, messages), earlier, end is None, first)


def title_of(conversation: Conversation) -> str:
    return conversation.title or _("Untitled conversation")

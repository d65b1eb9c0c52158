"""Indexing: what people may search for is read into tokens, after it has been stored and not while it is.

Whatever changes a conversation raises its `revision`, so comparing revisions tells what is to be read, and
nothing needs to say so. The sweeper reads all such conversations; a search, those that changed last.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.conversations.searchable import text_of_conversation, text_of_message
from askweb.conversations.searched import SearchDocument, SearchedConversation, to_be_read
from askweb.conversations.token_index import token_index
from askweb.conversations.tokens import tokens_of

MESSAGES = 20
SIZE = 100_000
"""Characters of text, about, that are read at once, so that others come to the database in between."""
STRETCH = 4000
"""Tokens in one document: PostgreSQL knows the places of 255 of a kind, and none beyond 16,383."""
OVERLAP = 16
"""Tokens that a document shares with the next one, for what is searched side by side."""
NEWEST = 50
SECONDS = 2.0
"""After which a search goes on without what is still unread."""


@dataclass(frozen=True)
class Read:
    """One message as it was read; without an id, what the conversation says of itself."""

    message_id: UUID | None
    updated: datetime
    tokens: Sequence[str]

    def stretches(self) -> Iterator[Sequence[str]]:
        """At least one, so that it is known that there is nothing more to read."""
        for start in range(0, max(len(self.tokens) - OVERLAP, 1), STRETCH - OVERLAP):
            yield self.tokens[start : start + STRETCH]


def unread_conversations(limit: int = 1000) -> list[UUID]:
    """Conversations that have changed since they were read. Temporary ones are never read."""
    return list(Conversation.objects.filter(to_be_read()).values_list("pk", flat=True)[:limit])


def read_newest(person: User) -> None:
    """Read what the person changed last, so that they find what they have just seen. Costs little, always."""
    newest = person.conversations.order_by("-updated", "-id").values("pk")[:NEWEST]
    unread = Conversation.objects.filter(to_be_read(), pk__in=list(newest.values_list("pk", flat=True)))
    end = monotonic() + SECONDS
    for id_ in list(unread.order_by("-updated").values_list("pk", flat=True)):
        if monotonic() > end:
            return
        read_conversation(id_)


def read_conversation(id_: UUID) -> bool:
    """Read what is new in a conversation, or some of it; return whether there may be more.

    The text is read before the transaction, which locks the conversation and so waits for who posts to it.
    """
    conversation = Conversation.objects.filter(to_be_read(), pk=id_).first()
    if conversation is None:
        return False
    messages = list(_unread_messages(conversation).prefetch_related("context_items__contents")[:MESSAGES])
    read = list(_read(messages))
    is_all = len(read) == len(messages) < MESSAGES
    own = Read(None, conversation.updated, tokens_of(text_of_conversation(conversation)))
    with transaction.atomic():
        if not Conversation.objects.select_for_update().filter(pk=id_).exists():
            return False
        searched, _made = SearchedConversation.objects.get_or_create(conversation=conversation)
        _write(searched, conversation.user_id, read, own)
        if is_all:
            searched.revision = conversation.revision
            searched.save(update_fields=["revision"])
    return not is_all


def _unread_messages(conversation: Conversation) -> QuerySet[Message]:
    """Settled messages; a reply that is still being written changes too often."""
    same = SearchDocument.objects.filter(message=OuterRef("pk"), updated=OuterRef("updated"))
    settled = conversation.messages.exclude(state=Message.State.STREAMING)
    return settled.filter(~Exists(same)).order_by("id")


def _read(messages: Iterable[Message]) -> Iterator[Read]:
    size = 0
    for message in messages:
        text = text_of_message(message)
        yield Read(message.pk, message.updated, tokens_of(text))
        size += len(text)
        if size >= SIZE:
            return


def _write(searched: SearchedConversation, person_id: UUID, read: Sequence[Read], own: Read) -> None:
    """Replace the documents of what was read. Another indexer may have written the same meanwhile."""
    searched.documents.filter(message__in=[each.message_id for each in read]).delete()
    searched.documents.filter(message=None).delete()
    id_ = searched.next_document_id()
    rows: list[SearchDocument] = [_row(searched, searched.first_id, own)]
    tokens: list[Sequence[str]] = [own.tokens]
    for each in read:
        for stretch in each.stretches():
            rows.append(_row(searched, id_, each))
            tokens.append(stretch)
            id_ += 1
    SearchDocument.objects.bulk_create(rows)
    token_index().write(person_id, zip((row.pk for row in rows), tokens, strict=True))


def _row(searched: SearchedConversation, id_: int, read: Read) -> SearchDocument:
    return SearchDocument(id=id_, searched=searched, message_id=read.message_id, updated=read.updated)

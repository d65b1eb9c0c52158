"""What search has read: which conversations and messages, and in which state they were then.

Each row of `SearchDocument` has its tokens under its id: on SQLite in the FTS5 table `conversations_search`,
on PostgreSQL in its own column `tokens`, a tsvector. Neither is known to Django; `searching` and `indexing`
speak to them, and a trigger or the row itself lets the tokens go with their document.
"""

from uuid import UUID

from django.db import models
from django.db.models import F, Max, Q

DOCUMENT_BITS = 20
"""A document's id is its conversation's number and its own, so that grouping hits needs no look-up."""


class SearchedConversations(models.QuerySet["SearchedConversation"]):
    def held(self, conversation_id: UUID) -> "SearchedConversation":
        """Its row, made if need be, and kept from other indexers until the transaction ends."""
        self.get_or_create(conversation_id=conversation_id)
        return self.select_for_update().get(conversation_id=conversation_id)


class SearchedConversation(models.Model):
    """`revision` is the conversation's when all of it had been read; 0: not yet."""

    id = models.BigAutoField(primary_key=True)
    conversation = models.OneToOneField("conversations.Conversation", models.CASCADE, related_name="searched")
    revision = models.PositiveBigIntegerField(default=0)

    objects = SearchedConversations.as_manager()

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def first_id(self) -> int:
        return int(self.pk) << DOCUMENT_BITS

    def next_document_id(self) -> int:
        """The first id is for what the conversation says of itself."""
        newest = self.documents.aggregate(newest=Max("pk"))["newest"]
        return (newest or self.first_id) + 1


class SearchDocument(models.Model):
    """A stretch of a message's text, or, without a message, what the conversation says of itself."""

    id = models.BigIntegerField(primary_key=True)
    searched = models.ForeignKey(SearchedConversation, models.CASCADE, related_name="documents")
    message = models.ForeignKey(
        "conversations.Message", models.CASCADE, null=True, related_name="search_documents"
    )
    updated = models.DateTimeField(help_text="of the message when it was read")

    def __str__(self) -> str:
        return str(self.pk)


def to_be_read() -> Q:
    """Conversations that have changed since they were read."""
    unread = Q(searched=None) | Q(searched__revision__lt=F("revision"))
    return Q(temporary=False) & unread

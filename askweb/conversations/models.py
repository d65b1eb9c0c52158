"""Conversations, their tree of messages, and the raw context that came with them."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.db.models.expressions import F
from django.db.models.fields.tuple_lookups import Tuple
from django.utils import timezone

from askweb.conversations.packing import Content, PackedJSON
from askweb.conversations.searched import SearchDocument, SearchedConversation
from askweb.cursors import RowLessThan
from askweb.ids import new_id
from askweb.runs.text_json import TextJSON

if TYPE_CHECKING:
    from askweb.runs.models import Run

__all__ = [
    "Content",
    "ContextItem",
    "Conversation",
    "Message",
    "Posting",
    "SearchDocument",
    "SearchedConversation",
]

TITLE_LENGTH = 60
FIRST_LOT = 100
NEWEST = (F("updated").desc(), F("id").desc())
CURRENT = models.Q(temporary=False, archived=False)
ARCHIVED = models.Q(temporary=False, archived=True)


class Conversations(models.QuerySet["Conversation"]):
    def listed(self) -> Self:
        return self.filter(temporary=False, archived=False)

    def newest_first(self) -> Self:
        return self.order_by("-updated", "-id")

    def before(self, updated: datetime, id_: UUID) -> Self:
        """Those after the row (updated, id) in `newest_first` order."""
        row = Tuple("updated", "id")
        return self.filter(RowLessThan(row, (updated, id_)))

    def for_list(self) -> Self:
        return self.annotate(active_run_id=models.Subquery(_active_runs().values("id")[:1]))

    def unmeasured(self) -> Self:
        """Those that changed since their size was looked at."""
        return self.filter(measured__lt=F("revision"))

    def touch(self, times: int = 1, /, **changes: object) -> int:
        """Apply changes that clients can see: `revision` rises, `updated` moves."""
        return self.update(revision=F("revision") + times, updated=timezone.now(), **changes)


def _active_runs() -> "models.QuerySet[Run]":
    from askweb.runs.models import Run

    return Run.objects.active().filter(conversation=models.OuterRef("pk"))


class Conversation(models.Model):
    """An ordered tree of messages of one person."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=200, blank=True)
    titled = models.BooleanField(default=False, help_text="by the person, or once by a model")
    created = models.DateTimeField(default=timezone.now, editable=False)
    updated = models.DateTimeField(default=timezone.now)
    pinned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    temporary = models.BooleanField(default=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    head = models.ForeignKey("Message", models.SET_NULL, null=True, related_name="+")
    revision = models.PositiveBigIntegerField(default=1)
    size = models.PositiveBigIntegerField(
        default=0, help_text="bytes of texts and context when it was measured"
    )
    measured = models.PositiveBigIntegerField(default=0, help_text="the revision that was measured")
    system = models.TextField(blank=True)
    page_title = models.TextField(blank=True)
    page_url = models.TextField(blank=True)
    page_host = models.CharField(max_length=255, blank=True)

    active_run_id: UUID | None  # of those that come from `for_list`

    objects = Conversations.as_manager()

    class Meta:
        indexes = (
            # One for each list that is read newest first: a thousand archived ones are not stepped over. Conditions,
            # as SQLite uses no column of an index for a bare `NOT archived`.
            models.Index("user", *NEWEST, name="conversation_current", condition=CURRENT),
            models.Index(
                "user", *NEWEST, name="conversation_pinned", condition=CURRENT & models.Q(pinned=True)
            ),
            models.Index("user", *NEWEST, name="conversation_archived", condition=ARCHIVED),
            models.Index("user", "page_host", *NEWEST, name="conversation_of_host", condition=CURRENT),
            models.Index("expires_at", name="conversation_expires", condition=models.Q(temporary=True)),
            models.Index("user", "size", name="conversation_sizes"),
            models.Index(
                "user", name="conversation_unmeasured", condition=models.Q(measured__lt=F("revision"))
            ),
        )

    def __str__(self) -> str:
        return f"conversation {self.id}"

    def path_back(self, step: UUID | None) -> Iterator[UUID]:
        """Yield the ids from a message to the first one; as long as they are asked for, more are read at a time."""
        lot = FIRST_LOT
        while step:
            rows = self.messages.filter(pk__lte=step).newest_first()
            parents = dict(rows.values_list("pk", "parent_id")[:lot])
            if step not in parents:
                return
            while step in parents:
                yield step
                step = parents[step]
            lot *= 2

    def note_page(self, title: str, url: str) -> None:
        self.page_title, self.page_url = title, url
        self.page_host = _host(url)

    @transaction.atomic
    def remove(self) -> None:
        """Delete it with its messages, and the contents that nothing else uses.

        Its runs are locked first, so that no checkpoint is saved below a reply that goes away.
        """
        list(self.runs.select_for_update().values_list("pk"))
        list(Conversation.objects.select_for_update().filter(pk=self.pk).values_list("pk"))
        digests = Content.objects.digests_in(self)
        self.delete()
        Content.objects.remove_unused(digests)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "")[:255]
    except ValueError:  # any text may stand where a URL is expected
        return ""


class Messages(models.QuerySet["Message"]):
    def newest_first(self) -> Self:
        return self.order_by("-id")

    def complete_for_shape(self) -> Self:
        """With all that `message_shape` reads, in a fixed number of queries."""
        return self.prefetch_related("context_items__contents", "chunks")

    def complete_for_socket(self) -> Self:
        """Likewise, without the raw context, which does not go over sockets."""
        return self.prefetch_related("chunks")

    def siblings_of(self, messages: Iterable["Message"]) -> Self:
        """The messages that share a parent with one of these, oldest first."""
        rows = list(messages)
        parents = {row.parent_id for row in rows}
        same_parent = models.Q(parent__in=parents - {None})
        if None in parents:
            same_parent |= models.Q(parent=None)
        return self.filter(same_parent, conversation=rows[0].conversation_id).order_by("id")


class Message(models.Model):
    """One turn. Siblings, messages with the same parent, are alternatives."""

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"
        SYSTEM = "system"
        TOOL = "tool"

    class State(models.TextChoices):
        COMPLETE = "complete"
        STREAMING = "streaming"
        INTERRUPTED = "interrupted"
        STOPPED = "stopped"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages")
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="children")
    role = models.CharField(max_length=9, choices=Role)
    content = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    html = models.TextField(blank=True)
    state = models.CharField(max_length=11, choices=State, default=State.COMPLETE)
    tool = models.SlugField(max_length=100, null=True)  # noqa: DJ001 - null in the API, too: no tool is not an empty name
    function_calls = models.JSONField(default=list, blank=True)
    tool_call_id = models.TextField(blank=True)
    citations = models.JSONField(default=list, blank=True, help_text="the parts of a page that a reply names")
    images = models.JSONField(default=list, blank=True, help_text="ids of those that were posted with it")
    posted = TextJSON(null=True, help_text="how it was to be answered: language, model, and so on")
    normalised = models.BooleanField(default=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    updated = models.DateTimeField(default=timezone.now)

    objects = Messages.as_manager()

    class Meta:
        indexes = (models.Index("conversation", F("id").desc(), name="message_newest"),)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(role__in=["user", "assistant", "system", "tool"]), name="message_role"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["complete", "streaming", "interrupted", "stopped", "failed"]),
                name="message_state",
            ),
        )

    def __str__(self) -> str:
        return f"{self.role} {self.id}"

    def text_so_far(self) -> tuple[str, str]:
        """Content and reasoning, with the checkpoints of a reply that is still being written."""
        if self.state != self.State.STREAMING:
            return self.content, self.reasoning
        chunks = sorted(self.chunks.all(), key=lambda chunk: chunk.pk)
        content = "".join([self.content, *(chunk.content for chunk in chunks)])
        return content, "".join([self.reasoning, *(chunk.reasoning for chunk in chunks)])

    def sibling_ids(self) -> list[UUID]:
        return list(Message.objects.siblings_of([self]).values_list("id", flat=True))

    def newest_below(self) -> UUID:
        """The id of the message that was said last on the branches below it; its own when nothing was."""
        later = Message.objects.filter(conversation=self.conversation_id, pk__gt=self.pk).order_by("id")
        newest, below = self.pk, {self.pk}
        for id_, parent_id in later.values_list("pk", "parent_id"):
            if parent_id in below:
                below.add(id_)
                newest = id_
        return newest


class ContextItem(PackedJSON):
    """One raw item as it was posted. Nothing ever changes it."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="context_items")
    position = models.PositiveIntegerField()
    kind = models.TextField()

    to_conversation = "message__conversation"

    class Meta:
        ordering = ("position",)
        constraints = (models.UniqueConstraint("message", "position", name="context_item_position"),)

    def __str__(self) -> str:
        return self.kind


class Posting(models.Model):
    """What a client's post led to, so that the same post again leads to nothing more."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="postings")
    client_id = models.CharField(max_length=200)
    status = models.PositiveSmallIntegerField()
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="postings")
    message = models.ForeignKey(Message, models.CASCADE, null=True, related_name="+")
    run = models.ForeignKey("runs.Run", models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint("user", "client_id", name="posting_once"),)

    def __str__(self) -> str:
        return self.client_id

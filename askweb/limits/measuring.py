"""How much a person stores, in bytes. A conversation is measured again only after it has changed.

Texts count as they came: those of messages each time, those that context brings along once a conversation.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, Func, QuerySet, Sum

from askweb.accounts.models import User
from askweb.conversations.models import ContextItem, Conversation, Conversations, Message
from askweb.images.models import Image

BATCH = 200
TO_CONVERSATION = "contextitem__message__conversation"


class Octets(Func):
    """The bytes of a text in UTF-8."""

    function = "OCTET_LENGTH"
    output_field = BigIntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, template="LENGTH(CAST(%(expressions)s AS BLOB))", **more)


def stored_by(person: User) -> int:
    """Bytes of the person's messages, context and images."""
    return stored_by_each(User.objects.filter(pk=person.pk)).get(person.pk, 0)


def stored_by_each(people: QuerySet[User]) -> Mapping[UUID, int]:
    """The same for several, by their ids."""
    conversations = Conversation.objects.filter(user__in=people)
    _measure(conversations)
    stored: Counter[UUID] = Counter()
    for rows in (conversations, Image.objects.filter(user__in=people)):
        stored.update(dict(rows.order_by().values_list("user").annotate(octets=Sum("size"))))
    return stored


def _measure(conversations: Conversations) -> None:
    """A conversation that changes meanwhile is measured once more the next time."""
    changed = list(conversations.unmeasured().order_by("pk").values_list("pk", "revision"))
    for start in range(0, len(changed), BATCH):
        batch = changed[start : start + BATCH]
        sizes = _sizes([id_ for id_, _revision in batch])
        rows = [Conversation(pk=id_, size=sizes[id_], measured=revision) for id_, revision in batch]
        Conversation.objects.bulk_update(rows, ["size", "measured"])


def _sizes(ids: Sequence[UUID]) -> Counter[UUID]:
    messages = Message.objects.filter(conversation__in=ids)
    items = ContextItem.objects.filter(message__conversation__in=ids)
    uses = ContextItem.uses().filter(**{f"{TO_CONVERSATION}__in": ids})
    sizes: Counter[UUID] = Counter()
    for counted in (
        messages.values_list("conversation").annotate(octets=Sum(Octets("content") + Octets("reasoning"))),
        items.values_list("message__conversation").annotate(octets=Sum(Octets("body"))),
    ):
        sizes.update(dict(counted.order_by()))
    for id_, _digest, size in uses.values_list(TO_CONVERSATION, "content", "content__size").distinct():
        sizes[id_] += size
    return sizes

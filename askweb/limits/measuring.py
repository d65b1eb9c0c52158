"""How much a person stores, in bytes. A conversation is measured again only after it has changed.

Texts count as they came: those of messages each time, those that context brings along once a conversation. Questions
count with their answers and drafts. Assemblies don't: they are made of all that.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, F, Func, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Conversation, Conversations, Message
from askweb.images.models import Image
from questions.models import QuestionSet


class Octets(Func):
    """The bytes of a text in UTF-8."""

    function = "OCTET_LENGTH"
    output_field = BigIntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, template="LENGTH(CAST(%(expressions)s AS BLOB))", **more)


ASKED = (
    Octets("questions")
    + Coalesce(Octets("answers"), 0)
    + Coalesce(Octets("draft"), 0)
    + Octets("comment")
    + Octets("context")
)


def stored_by(person: User) -> int:
    """Bytes of the person's messages, context, questions and images."""
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
    """The revision is read as the texts are, so that what changes meanwhile is measured once more."""
    own = Conversation.objects.filter(pk=OuterRef("pk"))
    messages = Message.objects.filter(conversation=OuterRef("pk"))
    items = ContextItem.objects.filter(message__conversation=OuterRef("pk"))
    uses = ContextItem.uses().filter(contextitem__message__conversation=OuterRef(OuterRef("pk")))
    asked = QuestionSet.objects.filter(conversation=OuterRef("pk"))
    contents = Content.objects.filter(pk__in=uses.values("content"))
    size = (
        _sum(messages, Octets("content") + Octets("reasoning"))
        + _sum(items, Octets("body"))
        + _sum(contents, F("size"))
        + _sum(asked, ASKED)
    )
    conversations.unmeasured().update(size=size, measured=Subquery(own.values("revision")))


def _sum(rows: QuerySet[Any], octets: Any) -> Coalesce:
    """A plain SUM: Django's own would group."""
    summed = Func(octets, function="SUM", output_field=BigIntegerField())
    return Coalesce(Subquery(rows.order_by().annotate(octets=summed).values("octets")), 0)

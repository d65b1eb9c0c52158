"""How often tools are used."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.models import Message
from prompts.models import Tool

LATELY = timedelta(days=30)


@dataclass(frozen=True)
class Uses:
    """`everyones`: counted over all people, not only the person's own."""

    ever: int
    lately: int
    everyones: bool


def count_uses(person: User, tool: Tool) -> Uses:
    """How many messages name the tool, ever and in the last 30 days; of a shared one staff see everyone's."""
    everyones = person.is_staff and tool.owner_id is None
    used = Message.objects.filter(role=Message.Role.USER, tool=tool.slug)
    if not everyones:
        used = used.filter(conversation__user=person)
    since = timezone.now() - LATELY
    counted = used.aggregate(ever=Count("pk"), lately=Count("pk", filter=Q(created__gt=since)))
    return Uses(counted["ever"], counted["lately"], everyones)


def uses_by_slug(person: User) -> dict[str, int]:
    """The person's own uses of each tool."""
    used = Message.objects.filter(role=Message.Role.USER, conversation__user=person, tool__isnull=False)
    counted = used.values("tool").annotate(count=Count("pk")).values_list("tool", "count")
    return {str(slug): count for slug, count in counted}

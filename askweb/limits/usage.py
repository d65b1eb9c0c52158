"""What people have of what their limits allow."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypedDict
from uuid import UUID

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from askweb.accounts.models import User
from askweb.limits.admitting import day_ends
from askweb.limits.deciding import limits_of
from askweb.limits.measuring import stored_by_each
from askweb.runs.models import DayOfRuns, Run

LATELY = timedelta(days=30)


class UsedShape(TypedDict):
    """`limit` is null where there is none."""

    used: int
    limit: int | None


class UsedTodayShape(UsedShape):
    ends_at: datetime


class UsageShape(TypedDict):
    """`storage` is in bytes, of messages, context and images; `runs_lately` were within 30 days."""

    runs_at_once: UsedShape
    runs_per_day: UsedTodayShape
    storage: UsedShape
    runs_lately: int


def usage_of(person: User) -> UsageShape:
    return usage_of_each(User.objects.filter(pk=person.pk))[person.pk]


def usage_of_each(people: QuerySet[User]) -> Mapping[UUID, UsageShape]:
    """By their ids, in as many queries for many as for few."""
    is_alone = User.objects.filter(is_active=True).count() < 2
    runs = Run.objects.under_way().filter(conversation__user__in=people)
    now = dict(runs.values_list("conversation__user").annotate(Count("pk")).order_by())
    today, lately = _runs_since(people, timedelta()), _runs_since(people, LATELY)
    stored = stored_by_each(people)
    shapes: dict[UUID, UsageShape] = {}
    for person in people:
        limits = limits_of(person, is_alone=is_alone)
        id_, ends_at = person.pk, day_ends()
        shapes[id_] = {
            "runs_at_once": {"used": now.get(id_, 0), "limit": limits.runs_at_once},
            "runs_per_day": {"used": today.get(id_, 0), "limit": limits.runs_per_day, "ends_at": ends_at},
            "storage": {"used": stored.get(id_, 0), "limit": limits.storage},
            "runs_lately": lately.get(id_, 0),
        }
    return shapes


def _runs_since(people: QuerySet[User], ago: timedelta) -> Mapping[UUID, int]:
    days = DayOfRuns.objects.filter(user__in=people, day__gte=timezone.now().date() - ago)
    return dict(days.values_list("user").annotate(counted=Sum("runs")).order_by())

"""What a person has of what their limits allow."""

from datetime import datetime
from typing import TypedDict

from askweb.accounts.models import User
from askweb.limits.admitting import day_ends, runs_at_once
from askweb.limits.deciding import limits_of
from askweb.limits.measuring import stored_by


class UsedShape(TypedDict):
    """`limit` is null where there is none."""

    used: int
    limit: int | None


class UsedTodayShape(UsedShape):
    ends_at: datetime


class UsageShape(TypedDict):
    """`storage` is in bytes, of messages, context and images."""

    runs_at_once: UsedShape
    runs_per_day: UsedTodayShape
    storage: UsedShape


def usage_of(person: User) -> UsageShape:
    limits = limits_of(person)
    today = person.days_of_runs.today()
    return {
        "runs_at_once": {"used": runs_at_once(person), "limit": limits.runs_at_once},
        "runs_per_day": {"used": today, "limit": limits.runs_per_day, "ends_at": day_ends()},
        "storage": {"used": stored_by(person), "limit": limits.storage},
    }

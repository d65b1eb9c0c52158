"""Refusing what a person's limits don't allow, before anything of it is stored."""

from datetime import UTC, datetime, time, timedelta

from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.limits.deciding import limits_of
from askweb.limits.measuring import stored_by
from askweb.runs.models import DayOfRuns, Run

SOON = 5
"""Seconds until it is worth to try again, where nobody knows when a run will end."""


def admit_run(person: User) -> None:
    """Count a run that starts now, in the caller's transaction. Raises a 429 `Problem` for one too many."""
    limits = limits_of(person)
    if not DayOfRuns.objects.count_one(person, limits.runs_per_day):
        raise _too_many_today(limits.runs_per_day or 0)
    most = limits.runs_at_once
    if most is not None and runs_at_once(person) >= most:
        raise _too_many_at_once(most)


def admit_bytes(person: User, more: int = 0) -> None:
    """Raise a 422 `Problem` where so many bytes more are too many; a reply that is still to come needs room, too."""
    limit = limits_of(person).storage
    if limit is None:
        return
    used = stored_by(person)
    if used + max(more, 1) > limit:
        raise _full(used, limit)


def runs_at_once(person: User) -> int:
    """How many of the person's runs are written or queued now; one that waits for an answer is not."""
    return Run.objects.under_way().filter(conversation__user=person).count()


def day_ends() -> datetime:
    """When the day ends that runs are counted for."""
    return datetime.combine(timezone.now().date() + timedelta(days=1), time(), UTC)


def _too_many_today(most: int) -> Problem:
    ends = day_ends()
    message = ngettext(
        "You have asked {most} time today, as often as a day allows. You can go on at {time} UTC.",
        "You have asked {most} times today, as often as a day allows. You can go on at {time} UTC.",
        most,
    )
    return Problem(
        "limit.runs_per_day",
        message.format(most=most, time=f"{ends:%Y-%m-%d %H:%M}"),
        status=429,
        data={"limit": most, "ends_at": ends.isoformat()},
        headers={"Retry-After": str(round((ends - timezone.now()).total_seconds()) + 1)},
    )


def _too_many_at_once(most: int) -> Problem:
    message = ngettext(
        "{most} answer of yours is being written, as many as you may have at once. Wait for it, or stop it.",
        "{most} answers of yours are being written, as many as you may have at once. Wait for one, or stop it.",
        most,
    )
    return Problem(
        "limit.runs_at_once",
        message.format(most=most),
        status=429,
        data={"limit": most},
        headers={"Retry-After": str(SOON)},
    )


def _full(used: int, limit: int) -> Problem:
    message = _(
        "You store {used} of the {limit} that you may. Delete conversations that you don't need any more, or purge "
        "those of a whole site under Settings → Privacy."
    )
    message = message.format(used=filesizeformat(used), limit=filesizeformat(limit))
    return Problem("limit.storage", message, data={"used": used, "limit": limit})

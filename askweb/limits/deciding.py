"""Which limits hold for a person: their own, else the operator's, else those for several people on one server."""

from dataclasses import dataclass, fields
from typing import Final

from django.conf import settings

from askweb.accounts.models import User

GIB = 1024**3


@dataclass(frozen=True)
class Limits:
    """Runs that are written or queued at the same time, runs a day in UTC, and bytes stored; None is no limit."""

    runs_at_once: int | None = None
    runs_per_day: int | None = None
    storage: int | None = None


AMONG_SEVERAL: Final = Limits(runs_at_once=16, runs_per_day=1000, storage=5 * GIB)
"""Far more than anybody asks by hand, and less than what a script gone wild takes from the others."""


def limits_of(person: User, *, is_alone: bool | None = None) -> Limits:
    """Nobody is limited by default who is alone here; unless it is known, that is asked only where it counts."""
    named = {field.name: _named(person, field.name) for field in fields(Limits)}
    if None not in named.values() or (person.is_alone() if is_alone is None else is_alone):
        return Limits(**named)
    return Limits(
        **{name: getattr(AMONG_SEVERAL, name) if limit is None else limit for name, limit in named.items()}
    )


def own_limits(person: User) -> Limits:
    """Only what was set for this person."""
    return Limits(person.limit_runs_at_once, person.limit_runs_per_day, person.limit_storage)


def _named(person: User, name: str) -> int | None:
    own: int | None = getattr(own_limits(person), name)
    return settings.ASKWEB_PERSON_LIMITS[name] if own is None else own

"""What an owner changes about a person: role, whether they may be here, their limits, a lost password."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from askweb.accounts.ending import doubt_access, person_group
from askweb.accounts.inviting import read_role
from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.runs.models import Run
from askweb.runs.stopping import stop_run
from prompts.fields import Reader, flag, nested, read_body

MOST = 2**31 - 1
MOST_BYTES = 2**63 - 1


def change_person(person: User, data: Any) -> User:
    """Change what is named; with any fault nothing is changed. Whoever is deactivated has no run go on.

    Raises a 422 `Problem` that lists every fault, or a 409 that keeps the last owner.
    """
    fields = read_body(data, READERS, ignored=READ_ONLY)
    changed = _change(person, fields)
    if not changed.is_active:
        for run in Run.objects.active().filter(conversation__user=changed):
            stop_run(run)
    return changed


@transaction.atomic
def _change(person: User, fields: Mapping[str, Any]) -> User:
    """The owners' rows are locked first, so that of two who demote each other one stays."""
    owners = list(User.objects.owners().order_by("pk").select_for_update().values_list("pk", flat=True))
    held = User.objects.select_for_update().get(pk=person.pk)
    for name, value in fields.items():
        SETTERS[name](held, value)
    if owners == [held.pk] and not (held.is_superuser and held.is_active):
        message = _("{name} is the last owner here. Make somebody else an owner first.")
        raise Problem("owner.last", message.format(name=held), status=409)
    held.save()
    return held


def _set_role(person: User, role: Any) -> None:
    person.role = role


def _set_active(person: User, active: Any) -> None:
    person.is_active = active


def _set_limits(person: User, limits: Any) -> None:
    for name, limit in limits.items():
        setattr(person, f"limit_{name}", limit)


def _forget_password(person: User, nothing: Any) -> None:
    """Their sessions end; links still let them in, to set another one."""
    person.set_unusable_password()
    doubt_access(person_group(person.pk))


def _limit(most: int) -> Reader:
    def read(value: Any) -> int | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise ValueError(_("Must be a whole number, 0 or more; without one the server’s holds."))
        return value

    return read


def _null(value: Any) -> None:
    if value is not None:
        raise ValueError(_("Must be null, which forgets it: nobody sets another's password."))


READ_ONLY = frozenset({"id", "username", "name", "email", "joined", "last_sign_in", "has_password", "usage"})
READERS: Mapping[str, Reader] = {
    "role": read_role,
    "active": flag,
    "limits": nested(
        {"runs_at_once": _limit(MOST), "runs_per_day": _limit(MOST), "storage": _limit(MOST_BYTES)}
    ),
    "password": _null,
}
SETTERS = {"role": _set_role, "active": _set_active, "limits": _set_limits, "password": _forget_password}

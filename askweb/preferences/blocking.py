"""Hosts whose pages are never stored and never sent: the server refuses, whatever its clients do."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.preferences.hosts import covering, host_of, shown

ADDRESSES = ("url", "pageUrl")


def refuse_blocked(person: User, values: Iterable[object]) -> None:
    """Raise a 422 `Problem` that names the host when anything of the context comes from a blocked one."""
    if not person.blocked_hosts:
        return
    blocked = set(person.blocked_hosts)
    for url in urls_in(values):
        host = host_of(url)
        if covering(host, blocked):
            raise blocked_problem(host)


def blocked_problem(host: str) -> Problem:
    message = _("You have blocked {host}: nothing from there is stored, or sent to a model.")
    return Problem("host.blocked", message.format(host=shown(host)), data={"host": host})


def urls_in(values: Iterable[object]) -> Iterator[str]:
    """Where context says that it comes from, at any depth. An address in its text is no source."""
    pending: list[Any] = list(values)
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            yield from (part[name] for name in ADDRESSES if isinstance(part.get(name), str))
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)

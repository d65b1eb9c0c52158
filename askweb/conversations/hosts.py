"""The sites that conversations come from, with how many come from each."""

from dataclasses import dataclass

from django.db.models import Count

from askweb.accounts.models import User
from askweb.conversations.models import CURRENT
from askweb.parsing import storable
from askweb.preferences.hosts import shown

PAGE = 100


@dataclass(frozen=True)
class Host:
    """`name` is the host as people read it."""

    host: str
    name: str
    count: int


def hosts_after(person: User, after: str) -> tuple[list[Host], str]:
    """Return the hosts behind this one by alphabet, and the host after which the next page begins, or "".

    One walk along an index, which ends with the page.
    """
    rows = person.conversations.filter(CURRENT, page_host__gt=storable(after)).order_by("page_host")
    counted = rows.values_list("page_host").annotate(Count("pk"))[: PAGE + 1]
    found = [Host(host, shown(host), count) for host, count in counted]
    return found[:PAGE], found[PAGE - 1].host if len(found) > PAGE else ""

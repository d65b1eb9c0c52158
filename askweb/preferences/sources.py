"""Where stored context says that it comes from."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Message
from askweb.preferences.blocking import ADDRESSES, blocked_problem
from askweb.preferences.hosts import covering, host_of

IN_BODY = re.compile(rf'"(?:{"|".join(ADDRESSES)})":("(?:[^"\\]|\\.)*")')
"""An address as `store_packed` writes it; in a string the quotes before it would be escaped."""


def refuse_blocked_above(person: User, last: Message | None) -> None:
    """Raise a 422 `Problem` when a message up to `last` brought context from a host that is blocked by now.

    It would be sent along with whatever is asked next.
    """
    blocked = _blocked_of(person, last.conversation_id) if last and person.blocked_hosts else {}
    for id_ in _path_to(last) if last and blocked else ():
        if id_ in blocked:
            raise blocked_problem(blocked[id_])


def addresses_in(body: str, taken: Iterable[Any]) -> Iterable[str]:
    """Without parsing megabytes of page parts; addresses so long that they are stored apart are looked up."""
    for text in IN_BODY.findall(body):
        yield json.loads(text)
    apart = [digest for path, digest in taken if path and path[-1] in ADDRESSES]
    for content in Content.objects.filter(pk__in=apart) if apart else ():
        yield content.text()


def _blocked_of(person: User, conversation_id: UUID) -> Mapping[UUID, str]:
    """The messages of a conversation with context from blocked hosts, and such a host of each."""
    hosts = set(person.blocked_hosts)
    rows = ContextItem.objects.filter(message__conversation=conversation_id)
    return {
        message: host
        for message, body, taken in rows.values_list("message_id", "body", "taken")
        for host in map(host_of, addresses_in(body, taken))
        if covering(host, hosts)
    }


def _path_to(last: Message) -> Iterable[UUID]:
    parents = dict(Message.objects.filter(conversation=last.conversation_id).values_list("pk", "parent_id"))
    id_: UUID | None = last.pk
    while id_ is not None:
        yield id_
        id_ = parents[id_]

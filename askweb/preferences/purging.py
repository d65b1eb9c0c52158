"""What is stored of a host: found by where its context says that it comes from, and deleted with it."""

from typing import TypedDict
from uuid import UUID

from askweb.accounts.models import User
from askweb.conversations.changing import delete_conversation
from askweb.conversations.models import ContextItem
from askweb.errors import FieldFault, invalid
from askweb.preferences.hosts import covering, host_of, read_host
from askweb.preferences.sources import addresses_in

BATCH = 500


class StoredShape(TypedDict):
    """`conversations`: how many hold something of the host, or did before they were deleted."""

    host: str
    conversations: int


def read_asked_host(text: str) -> str:
    """The host that is asked about. Raises a 422 `Problem`."""
    try:
        return read_host(text)
    except ValueError as error:
        raise invalid({"host": [FieldFault(code="host.invalid", message=str(error))]}) from error


def conversations_of(person: User, host: str) -> list[UUID]:
    """The ids of the person's conversations with context from the host or its subdomains, newest first."""
    found = {
        conversation
        for conversation, page_url in person.conversations.exclude(page_url="").values_list("pk", "page_url")
        if _is_of(page_url, host)
    }
    rows = ContextItem.objects.filter(message__conversation__user=person).order_by("pk")
    for conversation, body, taken in rows.values_list("message__conversation_id", "body", "taken").iterator(
        BATCH
    ):
        if conversation not in found and any(_is_of(url, host) for url in addresses_in(body, taken)):
            found.add(conversation)
    return sorted(found, reverse=True)


def purge(person: User, host: str) -> int:
    """Delete these conversations, each in a transaction of its own, and return how many there were."""
    ids = conversations_of(person, host)
    for id_ in ids:
        conversation = person.conversations.filter(pk=id_).first()
        if conversation is not None:
            delete_conversation(conversation)
    return len(ids)


def _is_of(url: str, host: str) -> bool:
    return covering(host_of(url), (host,)) is not None

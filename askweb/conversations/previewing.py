"""What a post would send, before it is posted: the same plan, of which nothing is kept."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope, read_envelope
from askweb.conversations.models import Conversation, Message
from askweb.conversations.pending import expire_in, refuse_while_pending
from askweb.conversations.plans import plan
from askweb.errors import Problem, not_found
from askweb.runs.starting import active_already
from prompts.shapes import AssemblyShape


def preview_post(person: User, data: Any) -> AssemblyShape:
    """The assembly of an envelope; no model is called. Refused is what posting would refuse.

    It is for a new conversation, unless `meta.parent` names a message to continue from, or `meta.conversation`
    a conversation.
    """
    envelope = read_envelope(data)
    conversation, parent = _place(person, envelope, (data.get("meta") or {}).get("conversation"))
    answer = plan(person, conversation, parent, envelope).answer
    if answer is None:
        raise Problem("assembly.none", _("These messages are only stored: nothing is sent to a model."))
    return answer.assembly


def _place(person: User, envelope: Envelope, wanted: Any) -> tuple[Conversation, Message | None]:
    """The conversation as it is, and the message that the post would go below."""
    if envelope.meta.parent is None and wanted is None:
        return Conversation(user=person), None
    parent = _parent(person, envelope.meta.parent) if envelope.meta.parent is not None else None
    found = parent.conversation if parent else _conversation(person, wanted)
    if wanted is not None and str(found.pk) != str(wanted):
        raise not_found()
    expire_in(found)
    refuse_while_pending(found)
    if found.runs.active().exists():
        raise active_already()
    return found, parent or found.head


def _parent(person: User, wanted: str) -> Message:
    messages = Message.objects.select_related("conversation").filter(conversation__user=person)
    found = messages.filter(pk=_id(wanted)).first()
    if found is None:
        raise not_found()
    return found


def _conversation(person: User, wanted: Any) -> Conversation:
    found: Conversation | None = person.conversations.filter(pk=_id(wanted)).first()
    if found is None:
        raise not_found()
    return found


def _id(wanted: Any) -> UUID:
    try:
        return UUID(str(wanted))
    except ValueError as error:
        raise not_found() from error

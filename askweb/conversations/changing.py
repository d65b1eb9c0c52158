"""Changing and deleting a conversation."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from askweb.conversations.frames import announce_on_feed
from askweb.conversations.models import Conversation, Message
from askweb.errors import FieldFault, Problem, invalid, not_found
from askweb.parsing import storable
from askweb.runs.stopping import stop_run

TITLE_LIMIT = 200


@transaction.atomic
def change_conversation(conversation: Conversation, data: Any) -> None:
    """Apply title, pinned, archived and head; other keys are faults, and then nothing changes."""
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    changes: dict[str, object] = {}
    faults: dict[str, list[FieldFault]] = {}
    for name, value in data.items():
        if name == "head" and value is not None:
            changes["head"] = _head(conversation, value)
        elif name == "title" and isinstance(value, str) and 0 < len(value.strip()) <= TITLE_LIMIT:
            changes |= {"title": storable(value.strip()), "titled": True}
        elif name in ("pinned", "archived") and isinstance(value, bool):
            changes[name] = value
        else:
            faults[name] = [FieldFault(code="invalid", message=_expected())]
    if faults:
        raise invalid(faults)
    Conversation.objects.filter(pk=conversation.pk).touch(**changes)
    announce_on_feed("conversation.updated", conversation)


def show_branch(message: Message) -> None:
    """Make the newest message below this one the head, so that its branch is what is shown."""
    change_conversation(message.conversation, {"head": message.newest_below()})


def delete_conversation(conversation: Conversation) -> None:
    """Stop what runs, then delete it with all that only it uses."""
    for run in conversation.runs.active():
        stop_run(run)
    with transaction.atomic():
        announce_on_feed("conversation.deleted", conversation)
        conversation.remove()


def _head(conversation: Conversation, value: object) -> Message:
    try:
        return conversation.messages.get(pk=UUID(str(value)))
    except (ValueError, Message.DoesNotExist) as error:
        raise not_found() from error


def _expected() -> str:
    return _(
        "Expected: title (1 to 200 characters), pinned and archived (true or false), head (a message's id)."
    )

"""Deleting everything of a person but the account itself."""

from collections.abc import Mapping
from typing import Any, TypedDict

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.changing import delete_conversation
from askweb.errors import FieldFault, Problem, invalid
from prompts.editing import delete_tool
from prompts.models import Snippet, Tool


class RestShape(TypedDict):
    images: int
    tools: int
    providers: int
    remembered_answers: int


class DeletedShape(RestShape):
    """How many of each were deleted."""

    devices: int
    conversations: int
    question_sets: int


def delete_everything(person: User, data: Any) -> DeletedShape:
    """Delete everything of theirs, once `confirm` holds their user name.

    Devices go first, so that nothing new comes in; then each conversation in a transaction of its own, then
    the rest in one. Should it break off, the same call again goes on. The language and the look of the
    interface stay.
    """
    _check(person, data)
    question_sets = person.question_sets.count()
    return {
        "devices": _forget_devices(person),
        "conversations": _delete_conversations(person),
        "question_sets": question_sets,
        **_delete_rest(person),
    }


def _check(person: User, data: Any) -> None:
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    typed = data.get("confirm")
    if not isinstance(typed, str) or typed.strip() != person.get_username():
        expected = _("To delete everything, type {name} here.").format(name=person.get_username())
        raise invalid({"confirm": [FieldFault(code="confirm.different", message=expected)]})


@transaction.atomic
def _forget_devices(person: User) -> int:
    person.socket_tickets.all().delete()
    person.sign_in_links.all().delete()
    return person.devices.all().revoke()


def _delete_conversations(person: User) -> int:
    ids = list(person.conversations.values_list("pk", flat=True))
    for id_ in ids:
        conversation = person.conversations.filter(pk=id_).first()
        if conversation is not None:
            delete_conversation(conversation)
    return len(ids)


@transaction.atomic
def _delete_rest(person: User) -> RestShape:
    tools = list(Tool.objects.filter(owner=person))
    for tool in tools:
        delete_tool(tool)
    Snippet.objects.filter(owner=person).delete()
    person.question_sets.all().delete()
    _reset(person)
    return {
        "images": _count_deleted(person.images.all()),
        "tools": len(tools),
        "providers": _count_deleted(person.providers.all()),
        "remembered_answers": _count_deleted(person.remembered_answers.all()),
    }


def _count_deleted(rows: QuerySet[Any]) -> int:
    """Of these rows alone, not of what goes with them."""
    count = rows.count()
    rows.delete()
    return count


def _reset(person: User) -> None:
    person.initial_message, person.answer_language, person.blocked_hosts = None, "", []
    person.save(update_fields=["initial_message", "answer_language", "blocked_hosts"])

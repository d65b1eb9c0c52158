"""Contexts to try a template on: shipped samples, stored messages, and JSON that someone pastes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Permission
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope, Item, read_envelope
from askweb.conversations.models import Message
from askweb.errors import Problem, not_found
from prompts.models import ContextLook
from prompts.samples import samples

OFFERED = 20
WORDS = 50
PASTED = "pasted"
LARGEST_PASTED = 4 * 1024 * 1024
VIEW_OTHERS = "view_others_context"


@dataclass(frozen=True)
class TryOut:
    """What was asked with which context, and when. `language`: of the answer, where one was asked for."""

    items: Sequence[Item]
    text: str
    now: datetime
    language: str = ""


@dataclass(frozen=True)
class Group:
    """Contexts to choose from: key and label of each."""

    name: str
    choices: Sequence[tuple[str, str]]


def may_view_others(person: User) -> bool:
    """Staff whom somebody gave the permission by name, themselves or their group; being an owner doesn't imply it."""
    given = Permission.objects.filter(content_type__app_label="prompts", codename=VIEW_OTHERS)
    return person.is_staff and given.filter(Q(user=person) | Q(group__user=person)).exists()


def offered_contexts(person: User, search: str = "", chosen: str = "") -> list[Group]:
    """The samples, the person's newest messages, and with the permission those of other people.

    `search` looks in one's own words, titles and addresses. Of other people's messages only whose they are,
    the host and the time are shown and searched; what they hold is a look that is logged.
    """
    own = _questions().filter(conversation__user=person)
    if search:
        own = own.filter(
            Q(content__icontains=search)
            | Q(conversation__title__icontains=search)
            | Q(conversation__page_url__icontains=search)
        )
    groups = [
        Group(_("Samples"), [(f"sample:{each.id}", _(each.name)) for each in samples().values()]),
        Group(_("Your questions"), [(_key(each), _own_label(each)) for each in own[:OFFERED]]),
    ]
    if may_view_others(person):
        others = _others(person, search)[:OFFERED]
        groups.append(Group(_("Other people's questions"), [(_key(each), _label(each)) for each in others]))
    return _with_chosen(groups, chosen)


def find_context(person: User, key: str, pasted: str = "") -> TryOut:
    """Return what the key names. A look at another person's message is logged.

    Raises a `Problem`: 404 for a message that the person may not see, 422 for JSON that is no context.
    """
    kind, _colon, name = key.partition(":")
    if kind == "message":
        return _of_message(person, name)
    if key == PASTED:
        return _of_envelope(read_pasted(pasted))
    if sample := samples().get(name):
        return _of_envelope(sample.envelope)
    raise not_found()


def tried_out(message: Message) -> TryOut:
    """A stored message; it must come with its items."""
    return TryOut(
        items=[Item(each.kind, each.value()) for each in message.context_items.all()],  # type: ignore[arg-type]
        text=message.content,
        now=message.created,
    )


def read_pasted(text: str) -> Envelope:
    """An envelope, a list of context items, or one item, as JSON."""
    if len(text) > LARGEST_PASTED:
        raise Problem("context.broken", _("This is too much text to try out: at most 4 MiB, please."))
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        message = _("This is not valid JSON. Line {line}, column {column}: {fault}.")
        told = message.format(line=error.lineno, column=error.colno, fault=error.msg)
        raise Problem("context.broken", told) from error
    except (RecursionError, ValueError) as error:
        raise Problem("context.broken", _("This JSON can't be read: it is nested too deeply.")) from error
    return read_envelope(_as_envelope(value))


def _as_envelope(value: Any) -> Any:
    if isinstance(value, list):
        return {"context": value}
    if isinstance(value, dict) and not value.keys() & {"context", "messages", "meta"}:
        return {"context": [value]}
    return value


def _of_envelope(envelope: Envelope) -> TryOut:
    asked = [turn.content for turn in envelope.messages if turn.role == "user"]
    return TryOut(
        items=envelope.context,
        text=asked[-1] if asked else "",
        now=timezone.now(),
        language=envelope.meta.language or "",
    )


def _of_message(person: User, name: str) -> TryOut:
    seen = Q() if may_view_others(person) else Q(conversation__user=person)
    found = _questions().filter(seen, pk=_id(name)).prefetch_related("context_items__contents").first()
    if found is None:
        raise not_found()
    ContextLook.objects.note(person, [found])
    return tried_out(found)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise not_found() from error


def _others(person: User, search: str) -> QuerySet[Message]:
    others = _questions().exclude(conversation__user=person)
    if not search:
        return others
    whose = Q(conversation__user__username__icontains=search)
    return others.filter(whose | Q(conversation__page_host__icontains=search))


def _questions() -> QuerySet[Message]:
    questions = Message.objects.filter(role=Message.Role.USER, conversation__temporary=False)
    return questions.select_related("conversation__user").newest_first()


def _key(message: Message) -> str:
    return f"message:{message.pk}"


def _own_label(message: Message) -> str:
    words = " ".join(message.content[: WORDS * 4].split()) or message.conversation.title
    cut = words if len(words) <= WORDS else f"{words[:WORDS].rstrip()}…"
    return " · ".join(filter(None, (cut, message.conversation.page_host, _day(message))))


def _label(message: Message) -> str:
    conversation = message.conversation
    shown = (conversation.user.get_username(), message.tool, conversation.page_host, _day(message))
    return " · ".join(filter(None, shown))


def _day(message: Message) -> str:
    return date_format(message.created, "SHORT_DATETIME_FORMAT")


def _with_chosen(groups: list[Group], chosen: str) -> list[Group]:
    """The chosen message stays on offer, even where a search leaves it out."""
    listed = {key for group in groups for key, _label in group.choices}
    if chosen.startswith("message:") and chosen not in listed:
        groups.append(Group(_("Chosen"), [(chosen, _("The question chosen before"))]))
    return groups

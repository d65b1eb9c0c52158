"""Starting a run: the row, the empty reply, and what is to be sent, all in the caller's transaction."""

from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from askweb.conversations.function_calls import to_openai
from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import JSONValue, store_packed
from askweb.conversations.verbatim import SYSTEM_ROLES
from askweb.errors import Problem
from askweb.providers.choosing import Choice
from askweb.runs.engine import engine
from askweb.runs.models import Run
from askweb.runs.sending import turns_of
from prompts.models import Assembly
from prompts.shapes import AssemblyShape, SentMessage


def start_run(
    *,
    conversation: Conversation,
    message: Message,
    parent: Message,
    choice: Choice,
    assembly: AssemblyShape,
    options: Mapping[str, Any] | None = None,
) -> Run:
    """Queue a run that answers `message` with a new reply under `parent`, by sending the assembly's messages.

    Raises a 409 `Problem` with code `run.active` while another run of the conversation is active.
    """
    reply = Message.objects.create(
        conversation=conversation, parent=parent, role=Message.Role.ASSISTANT, state=Message.State.STREAMING
    )
    run = Run(
        conversation=conversation,
        message=message,
        reply=reply,
        provider=choice.provider,
        provider_slug=choice.provider.slug,
        model=choice.model,
        options=dict(options or {}),
        language=get_language() or "",
    )
    _save_as_only_active(run)
    store_packed([(Assembly(run=run), cast(JSONValue, assembly))])
    run_id, person_id = run.pk, conversation.user_id
    transaction.on_commit(lambda: engine.enqueue(run_id, person_id))
    return run


def sent_before(last: Message | None) -> list[SentMessage]:
    """The turns up to `last` as they were sent, without system messages."""
    return [each for each in sent_so_far(last) if each["role"] not in SYSTEM_ROLES]


def sent_so_far(last: Message | None) -> list[SentMessage]:
    """All that was sent up to `last`, and the answer to it.

    What the latest answered turn sent holds all before it; messages that were imported were never sent
    and stand as they are.
    """
    if last is None:
        return []
    parents = dict(Message.objects.filter(conversation=last.conversation_id).values_list("pk", "parent_id"))
    assemblies = _newest_assemblies(last.conversation_id)
    path = [last.pk]
    while path[-1] not in assemblies and (above := parents[path[-1]]) is not None:
        path.append(above)
    messages = Message.objects.in_bulk(path)
    rest = [as_sent(messages[id_]) for id_ in reversed(path)]
    assembly = assemblies.get(path[-1])
    return rest if assembly is None else [*turns_of(Assembly.objects.get(pk=assembly).shape()), *rest]


def _newest_assemblies(conversation_id: UUID) -> dict[UUID, int]:
    """The assembly of each reply; of a continued reply the last one, which holds the most."""
    rows = Assembly.objects.filter(run__conversation=conversation_id).order_by("pk")
    return dict(rows.values_list("run__reply_id", "pk"))


def as_sent(message: Message) -> SentMessage:
    """A message as it is sent where it was never assembled."""
    sent: SentMessage = {"role": message.role, "content": message.content}
    if message.reasoning:
        sent["askweb_reasoning"] = message.reasoning
    if message.function_calls:
        sent["tool_calls"] = [to_openai(call) for call in message.function_calls]
    if message.tool_call_id:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _save_as_only_active(run: Run) -> None:
    try:
        with transaction.atomic():
            run.save(force_insert=True)
    except IntegrityError as error:
        raise active_already() from error


def active_already() -> Problem:
    message = _("An answer is still being written in this conversation. Wait for it, or stop it.")
    return Problem("run.active", message, status=409)

"""Starting a run: the row, the empty reply, and the assembled prompt, all in the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from askweb.conversations.function_calls import to_openai
from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import JSONValue, store_packed
from askweb.conversations.verbatim import SYSTEM_ROLES
from askweb.errors import Problem
from askweb.providers.choosing import Choice
from askweb.runs.engine import engine
from askweb.runs.models import Run
from askweb.runs.sending import fit_assembly, turns_of
from prompts.assembling import Turn, assemble, assembly_of
from prompts.models import Assembly
from prompts.shapes import SentMessage


def start_run(
    *,
    conversation: Conversation,
    message: Message,
    parent: Message,
    choice: Choice,
    turn: Turn,
    options: Mapping[str, Any] | None = None,
    exactly: Sequence[SentMessage] | None = None,
) -> Run:
    """Queue a run that answers `message` with a new reply under `parent`.

    `exactly` are the messages to send; without them they are what was sent before, and the turn.
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
    )
    _save_as_only_active(run)
    if exactly is None:
        assembly = assemble(conversation.system, sent_before(message.parent), turn)
    else:
        assembly = assembly_of(exactly, turn)
    assembly = fit_assembly(assembly, choice.provider, choice.model, run.options)
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
    rest: list[SentMessage] = []
    message = last
    while message is not None:
        rest.insert(0, _as_sent(message))
        assembly = Assembly.objects.filter(run__reply=message).order_by("pk").last()
        if assembly is not None:
            return [*turns_of(assembly.shape()), *rest]
        message = message.parent
    return rest


def _as_sent(message: Message) -> SentMessage:
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

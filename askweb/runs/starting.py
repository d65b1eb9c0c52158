"""Starting a run: the row, the empty reply, and the assembled prompt, all in the caller's transaction."""

from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import JSONValue, store_packed
from askweb.errors import Problem
from askweb.providers.choosing import Choice
from askweb.runs.engine import engine
from askweb.runs.models import Run
from prompts.assembling import AssemblyShape, SentMessage, Turn, assemble
from prompts.models import Assembly


def start_run(
    *,
    conversation: Conversation,
    message: Message,
    parent: Message,
    choice: Choice,
    turn: Turn,
    temperature: float | None = None,
) -> Run:
    """Queue a run that answers `message` with a new reply under `parent`.

    Raises a 409 `Problem` with code `run.active` while another run of the conversation is active.
    """
    history = sent_before(conversation, message.parent)
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
        temperature=temperature,
    )
    _save_as_only_active(run)
    assembly = assemble(conversation.system, history, turn)
    store_packed([(Assembly(run=run), _json(assembly))])
    run_id, person_id = run.pk, conversation.user_id
    transaction.on_commit(lambda: engine.enqueue(run_id, person_id))
    return run


def sent_before(conversation: Conversation, last: Message | None) -> list[SentMessage]:
    """The turns up to `last` as they were sent, without the system message.

    What the latest answered turn sent holds all before it; messages that were imported were never sent
    and stand as they are.
    """
    path = conversation.path_to(last)
    assemblies = Assembly.objects.filter(run__reply__in=path).order_by("pk").select_related("run")
    by_reply: dict[UUID, Assembly] = {assembly.run.reply_id: assembly for assembly in assemblies}
    rest: list[SentMessage] = []
    for message in reversed(path):
        rest.insert(0, {"role": message.role, "content": message.content})
        if message.pk in by_reply:
            sent = _messages(by_reply[message.pk])
            return [*sent, *rest]
    return rest


def _messages(assembly: Assembly) -> list[SentMessage]:
    shape = read_assembly(assembly)
    return [message for message in shape["messages"] if message["role"] != "system"]


def read_assembly(assembly: Assembly) -> AssemblyShape:
    shape: AssemblyShape = assembly.value()  # type: ignore[assignment]
    return shape


def _json(shape: AssemblyShape) -> JSONValue:
    value: JSONValue = shape  # type: ignore[assignment]
    return value


def _save_as_only_active(run: Run) -> None:
    try:
        with transaction.atomic():
            run.save(force_insert=True)
    except IntegrityError as error:
        raise active_already() from error


def active_already() -> Problem:
    message = _("An answer is still being written in this conversation. Wait for it, or stop it.")
    return Problem("run.active", message, status=409)

"""Starting a run: the row, the empty reply, and what is to be sent, all in the caller's transaction."""

from collections.abc import Mapping
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import JSONValue, store_packed
from askweb.errors import Problem
from askweb.limits.admitting import admit_run
from askweb.providers.choosing import Choice
from askweb.runs.engine import engine
from askweb.runs.models import Asking, Run, State
from prompts.models import Assembly
from prompts.shapes import AssemblyShape
from prompts.tool_asking import ToolAsking
from questions.asking import ask_person
from questions.models import Origin
from questions.schema import DEFAULT_TIMEOUT


def start_run(
    *,
    conversation: Conversation,
    message: Message,
    parent: Message | None,
    choice: Choice,
    assembly: AssemblyShape,
    options: Mapping[str, Any] | None = None,
    asking: Asking = Asking.ALLOWED,
    questions: ToolAsking | None = None,
    reply: Message | None = None,
) -> Run:
    """Queue a run that answers `message` with a new reply under `parent`, by sending the assembly's messages.

    With a `reply` it goes on writing that one. With a tool's `questions` it waits for their answer first. Raises
    a 409 `Problem` with code `run.active` while another run of the conversation is active.
    """
    reply = _reopened(reply) if reply else _new_reply(conversation, parent)
    run = Run(
        conversation=conversation,
        message=message,
        reply=reply,
        provider=choice.provider,
        provider_slug=choice.provider.slug,
        model=choice.model,
        options=dict(options or {}),
        language=get_language() or "",
        asking=asking,
        state=State.WAITING if questions else State.QUEUED,
    )
    save_as_only_active(run)
    store_packed([(Assembly(run=run), cast(JSONValue, assembly))])
    if questions is not None:
        _ask(run, questions)
    else:
        engine.enqueue(run.pk, conversation.user_id)
    return run


def _new_reply(conversation: Conversation, parent: Message | None) -> Message:
    return Message.objects.create(
        conversation=conversation, parent=parent, role=Message.Role.ASSISTANT, state=Message.State.STREAMING
    )


def _reopened(reply: Message) -> Message:
    reply.state = Message.State.STREAMING
    reply.save(update_fields=["state"])
    return reply


def _ask(run: Run, questions: ToolAsking) -> None:
    ask_person(
        questions.due,
        seconds=DEFAULT_TIMEOUT,
        user_id=run.conversation.user_id,
        conversation=run.conversation,
        run=run,
        reply=run.reply,
        source=Origin.TOOL,
        tool=questions.tool,
        posted=questions.posted,
        place={"content": 0, "reasoning": 0, "calls": 0},
    )


def save_as_only_active(run: Run) -> None:
    """Store a new run. Raises a 409 `Problem` while another run of its conversation is active, a 429 for too many."""
    admit_run(run.conversation.user)
    try:
        with transaction.atomic():
            run.save(force_insert=True)
    except IntegrityError as error:
        raise active_already() from error


def active_already() -> Problem:
    message = _("An answer is still being written in this conversation. Wait for it, or stop it.")
    return Problem("run.active", message, status=409)

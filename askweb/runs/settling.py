"""Ending a run: its last text, its state and the news of it in one transaction, in one place."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from askweb.conversations.frames import announce_on_feed, announce_run
from askweb.conversations.function_calls import FunctionCallShape
from askweb.conversations.models import Conversation, Message
from askweb.conversations.rendering import render_reply
from askweb.runs.models import Run, State

REPLY_STATE = {
    State.COMPLETED: Message.State.COMPLETE,
    State.STOPPED: Message.State.STOPPED,
    State.FAILED: Message.State.FAILED,
    State.INTERRUPTED: Message.State.INTERRUPTED,
}


@dataclass(frozen=True)
class UnsavedText:
    """What came after the last checkpoint."""

    content: str = ""
    reasoning: str = ""
    calls: Sequence[FunctionCallShape] = ()


NOTHING_UNSAVED = UnsavedText()


@dataclass(frozen=True)
class Rendered:
    """A reply's whole content and its HTML."""

    content: str
    html: str

    @classmethod
    def of(cls, content: str) -> "Rendered":
        """Render it; this takes seconds for megabytes."""
        return cls(content, render_reply(content))


NOTHING_RENDERED = Rendered("", "")


def settle(
    run: Run,
    state: State,
    unsaved: UnsavedText = NOTHING_UNSAVED,
    rendered: Rendered = NOTHING_RENDERED,
    **result: object,
) -> bool:
    """Fold checkpoints and the unsaved text into the reply and end the run.

    Returns False, and changes nothing, when the run has moved on under another epoch, has ended or is gone.
    Rendering takes its time, so it is done before the transaction, unless `rendered` is what is needed; a
    checkpoint that was saved meanwhile makes it be done again.
    """
    reply = _folded(run, state, unsaved, rendered)
    if reply is None:
        return False
    with transaction.atomic():
        if not run.end(state, **result):
            return False
        if run.chunks.count() != len(reply.chunks.all()):
            reply = _folded(run, state, unsaved, rendered) or reply
        run.chunks.all().delete()
        reply.save(update_fields=["content", "reasoning", "html", "state", "updated", "function_calls"])
        announce_run(run, [Message.objects.get(pk=reply.pk)])
        announce_on_feed("conversation.updated", Conversation.objects.get(pk=run.conversation_id))
    return True


def _folded(run: Run, state: State, unsaved: UnsavedText, rendered: Rendered) -> Message | None:
    """The reply with all its text, not saved yet; None when it was deleted."""
    reply = Message.objects.prefetch_related("chunks").filter(pk=run.reply_id).first()
    if reply is None:
        return None
    content, reasoning = reply.text_so_far()
    reply.content, reply.reasoning = content + unsaved.content, reasoning + unsaved.reasoning
    reply.function_calls = [*reply.function_calls, *unsaved.calls]
    fits = reply.content == rendered.content
    reply.html = rendered.html if fits else render_reply(reply.content)
    reply.state = REPLY_STATE[state]
    reply.updated = timezone.now()
    return reply

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


def settle(run: Run, state: State, unsaved: UnsavedText = NOTHING_UNSAVED, **result: object) -> bool:
    """Fold checkpoints and the unsaved text into the reply and end the run.

    Returns False, and changes nothing, when the run has moved on under another epoch or has ended. Only
    the holder of the epoch writes text, so what is read before the transaction can't change under it.
    """
    reply = Message.objects.prefetch_related("chunks").get(pk=run.reply_id)
    content, reasoning = reply.text_so_far()
    reply.content, reply.reasoning = content + unsaved.content, reasoning + unsaved.reasoning
    reply.function_calls = [*reply.function_calls, *unsaved.calls]
    reply.html = render_reply(reply.content)
    reply.state = REPLY_STATE[state]
    reply.updated = timezone.now()
    with transaction.atomic():
        if not run.end(state, **result):
            return False
        run.chunks.all().delete()
        reply.save(update_fields=["content", "reasoning", "html", "state", "updated", "function_calls"])
        announce_run(run, [Message.objects.get(pk=reply.pk)])
        announce_on_feed("conversation.updated", Conversation.objects.get(pk=run.conversation_id))
    return True

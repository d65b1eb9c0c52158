"""Ending a run: its last text, its state and the news of it in one transaction, in one place."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, transaction
from django.utils import timezone

from askweb.conversations.citing import Parts, cite, parts_for
from askweb.conversations.frames import announce_on_feed, announce_run
from askweb.conversations.function_calls import FunctionCallShape
from askweb.conversations.models import Conversation, Message
from askweb.conversations.rendering import render_reply
from askweb.conversations.shapes import Citation
from askweb.runs.models import Run, State
from prompts.calibrating import learn_from

logger = logging.getLogger(__name__)

SAVED = ("content", "reasoning", "html", "citations", "state", "updated", "function_calls")
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
    """A reply's whole content, its HTML with citations as links, and those citations."""

    content: str = ""
    html: str = ""
    citations: Sequence[Citation] = ()

    @classmethod
    def of(cls, content: str, parts: Parts) -> "Rendered":
        """Render it and link the parts that it cites; this takes seconds for megabytes."""
        return cls(content, *cite(render_reply(content), parts))


NOTHING_RENDERED = Rendered()


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
        reply.save(update_fields=SAVED)
        announce_run(run, [Message.objects.get(pk=reply.pk)])
        announce_on_feed("conversation.updated", Conversation.objects.get(pk=run.conversation_id))
    _learn_from(run)
    return True


def _learn_from(run: Run) -> None:
    """The run has ended either way: what its tokens teach is not worth trying again."""
    try:
        learn_from(run)
    except (DatabaseError, ObjectDoesNotExist):
        logger.exception("the tokens of run %s could not be compared", run.pk)


def _folded(run: Run, state: State, unsaved: UnsavedText, rendered: Rendered) -> Message | None:
    """The reply with all its text, not saved yet; None when it was deleted."""
    reply = Message.objects.prefetch_related("chunks").filter(pk=run.reply_id).first()
    if reply is None:
        return None
    content, reasoning = reply.text_so_far()
    reply.content, reply.reasoning = content + unsaved.content, reasoning + unsaved.reasoning
    reply.function_calls = [*reply.function_calls, *unsaved.calls]
    if reply.content != rendered.content:
        rendered = Rendered.of(reply.content, parts_for(run.conversation_id, run.message_id))
    reply.html, reply.citations = rendered.html, list(rendered.citations)
    reply.state = REPLY_STATE[state]
    reply.updated = timezone.now()
    return reply

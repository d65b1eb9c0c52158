"""Ending a run: its last text, its state and the news of it in one transaction, in one place."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, transaction
from django.utils import timezone

from askweb.conversations.citing import Parts, cite, parts_for
from askweb.conversations.frames import announce_on_feed, announce_run
from askweb.conversations.function_calls import FunctionCallShape
from askweb.conversations.models import Conversation, Message
from askweb.conversations.rendering import render_around
from askweb.conversations.shapes import Citation
from askweb.metrics import RUNS
from askweb.runs.delivering import deliver
from askweb.runs.models import Run, State
from prompts.calibrating import learn_from
from questions.placing import places_in
from questions.resolving import cancel_of_run

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
    """What came after the last checkpoint, which ended at `after`."""

    content: str = ""
    reasoning: str = ""
    calls: Sequence[FunctionCallShape] = ()
    after: int = 0


NOTHING_UNSAVED = UnsavedText()


@dataclass(frozen=True)
class Rendered:
    """A reply's whole content, its HTML with citations as links, and those citations."""

    content: str = ""
    html: str = ""
    citations: Sequence[Citation] = ()

    @classmethod
    def of(cls, content: str, around: "Around") -> "Rendered":
        """Render it and link the parts that it cites; this takes seconds for megabytes."""
        return cls(content, *cite(render_around(content, around.questions), around.parts))


@dataclass(frozen=True)
class Around:
    """What a reply's HTML holds besides its text: parts that it may cite, questions asked in its middle."""

    parts: Parts = field(default_factory=dict)
    questions: Sequence[tuple[int, UUID]] = ()

    @classmethod
    def of(cls, run: Run) -> "Around":
        return cls(parts_for(run.conversation_id, run.message_id), places_in(run.reply_id))


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
        if run.question_sets.exists():
            cancel_of_run(run)
            deliver(run, is_over=True)
            reply.refresh_from_db(fields=["function_calls"])
            reply.function_calls = [*reply.function_calls, *unsaved.calls]
        if run.chunks.count() != len(reply.chunks.all()):
            reply = _folded(run, state, unsaved, rendered) or reply
        run.chunks.all().delete()
        reply.save(update_fields=SAVED)
        announce_run(run, [Message.objects.get(pk=reply.pk)])
        announce_on_feed("conversation.updated", Conversation.objects.get(pk=run.conversation_id))
    RUNS.labels(state.value).inc()
    _learn_from(run)
    return True


def _learn_from(run: Run) -> None:
    """The run has ended either way: what its tokens teach is not worth trying again."""
    try:
        learn_from(run)
    except (DatabaseError, ObjectDoesNotExist):
        logger.exception("the tokens of run %s could not be compared", run.pk)


def fold(run: Run, unsaved: UnsavedText) -> Message:
    """The reply with all its text and calls, not saved yet. Raises `Message.DoesNotExist` when it was deleted."""
    reply = Message.objects.prefetch_related("chunks").get(pk=run.reply_id)
    content, reasoning = reply.text_so_far()
    stored_since = run.chunks.filter(seq__gt=unsaved.after)
    unsaved_content, unsaved_reasoning = stored_since.left_out_of(unsaved.content, unsaved.reasoning)
    reply.content, reply.reasoning = content + unsaved_content, reasoning + unsaved_reasoning
    reply.function_calls = [*reply.function_calls, *unsaved.calls]
    reply.updated = timezone.now()
    return reply


def _folded(run: Run, state: State, unsaved: UnsavedText, rendered: Rendered) -> Message | None:
    """The reply as it is at its end, not saved yet; None when it was deleted."""
    try:
        reply = fold(run, unsaved)
    except Message.DoesNotExist:
        return None
    if reply.content != rendered.content:
        rendered = Rendered.of(reply.content, Around.of(run))
    reply.html, reply.citations = rendered.html, list(rendered.citations)
    reply.state = REPLY_STATE[state]
    return reply

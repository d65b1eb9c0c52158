"""A post while a question is pending: its answer, or what takes its place."""

from typing import NoReturn

from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.conversations.asking import asked_turn
from askweb.conversations.envelope import Envelope
from askweb.conversations.models import Conversation
from askweb.errors import Problem
from askweb.ids import new_id
from askweb.runs.models import Run, State
from askweb.runs.settling import settle
from questions.answering import answer_set
from questions.ending import Sender, already_resolved
from questions.models import QuestionSet, Status
from questions.resolving import expire_overdue, resolve
from questions.set_shapes import question_set_shape


def expire_in(conversation: Conversation) -> None:
    """End the set whose time is over. Outside of any transaction: what fails afterwards must not undo it, and
    runs are locked before conversations.
    """
    expire_overdue(QuestionSet.objects.filter(conversation=conversation))


def answer_pending(conversation: Conversation, envelope: Envelope) -> QuestionSet:
    """Take the post's text for the plain-text answer; the same client id again gives the same set.

    Raises what answering raises, and a 409 `Problem` when nothing is pending.
    """
    client_id = envelope.meta.client_id or str(new_id())
    row = conversation.question_sets.filter(resolved_as=client_id).first() or _pending(conversation)
    if row is None:
        _refuse_without(conversation)
    asked = asked_turn(envelope)
    text = asked.content if asked else ""
    body = {"client_id": client_id, "text": text, "images": list(envelope.meta.images)}
    answered = answer_set(row, body, sender=Sender(envelope.meta.surface or "api"))
    _keep_context(answered, envelope)
    return answered


def cancel_pending(conversation: Conversation) -> None:
    """End the pending set, and the run that waits for it, in the caller's transaction.

    An answer that came first stands: then nothing is cancelled.
    """
    row = _pending(conversation)
    if row is None:
        return
    if row.run is None:
        resolve(row, Status.CANCELLED)
        return
    run = Run.objects.select_for_update().get(pk=row.run.pk)
    if run.state == State.WAITING:
        settle(run, State.STOPPED)


def refuse_while_pending(conversation: Conversation) -> None:
    """Raise a 409 `Problem` with the pending set, if there is one."""
    row = _pending(conversation)
    if row is not None:
        message = _("A question is waiting for your answer. Answer it, or skip it and send.")
        data = {"question_set": question_set_shape(row)}
        raise Problem("run.waiting", message, status=409, data=data)


def _pending(conversation: Conversation) -> QuestionSet | None:
    return QuestionSet.objects.pending().filter(conversation=conversation).first()


def _keep_context(answered: QuestionSet, envelope: Envelope) -> None:
    """An answer is no prompt, so its context is only kept."""
    if envelope.context and not answered.context:
        items = [item.value for item in envelope.context]
        QuestionSet.objects.filter(pk=answered.pk).update(context=items)


def _refuse_without(conversation: Conversation) -> NoReturn:
    newest = conversation.question_sets.order_by("-id").first()
    if newest is not None:
        raise already_resolved(newest, timezone.now())
    message = _("No question is waiting for an answer. Send it as a message.")
    raise Problem("question.none_pending", message, status=409)

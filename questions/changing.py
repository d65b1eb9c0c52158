"""Changing an answer afterwards: a branch beside the reply, from the question on. Nothing is lost."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.conversations.frames import announce, announce_on_feed
from askweb.conversations.models import Conversation, Message
from askweb.conversations.pending import expire_in, refuse_while_pending
from askweb.errors import Problem
from askweb.ids import new_id
from askweb.runs.branching import branch_run
from askweb.runs.models import Run
from questions.answering import KEYS, answer_set
from questions.asking import deadline
from questions.bodies import Body
from questions.ending import Sender
from questions.models import QuestionSet, Status


def change_answer(row: QuestionSet, data: object, *, sender: Sender) -> Run:
    """Answer an ended set again, in a new run beside the one that asked. The same client id gives the same run.

    Raises a 409 `Problem` for a set that is pending, or that no run asked, or while a run is active; and what
    answering raises.
    """
    if (earlier := _earlier(row, data)) is not None:
        return earlier
    if row.is_pending:
        raise Problem("question.pending", _("The question is not answered yet: answer it."), status=409)
    if row.run is None or row.reply is None or row.conversation is None:
        message = _("A script asked this, and it has gone on: its answer can't be changed.")
        raise Problem("question.no_branch", message, status=409)
    expire_in(row.conversation)
    refuse_while_pending(row.conversation)
    try:
        return _branch(row, row.run, row.reply, data, sender)
    except (IntegrityError, Problem):
        # The same change may have come twice at once, or another question in between.
        if (earlier := _earlier(row, data)) is not None:
            return earlier
        refuse_while_pending(row.conversation)
        raise


@transaction.atomic
def _branch(row: QuestionSet, run: Run, reply: Message, data: object, sender: Sender) -> Run:
    branch = branch_run(run, reply, row.place, row.call_id)
    copies = _copy(row, branch)
    announce("message.created", branch.conversation_id, [branch.reply])
    answer_set(copies[row.pk], data, sender=sender)
    Conversation.objects.filter(pk=branch.conversation_id).update(head=branch.reply)
    announce_on_feed("conversation.updated", branch.conversation)
    branch.refresh_from_db(fields=["state"])
    return branch


def _earlier(row: QuestionSet, data: object) -> Run | None:
    client_id = Body(data, KEYS).values.get("client_id")
    made = row.branches.exclude(run=None).filter(resolved_as=client_id).select_related("run__reply")
    copy = made.first() if isinstance(client_id, str) and client_id else None
    return copy.run if copy else None


def _copy(row: QuestionSet, branch: Run) -> dict[UUID, QuestionSet]:
    """The reply's sets up to this one, which is pending again; by the ids of their originals."""
    originals = QuestionSet.objects.filter(reply=row.reply_id, pk__lte=row.pk).order_by("id")
    copies: dict[UUID, QuestionSet] = {}
    for copy in originals:
        original = copy.pk
        copy.pk, copy.branch_of_id = new_id(), original
        copy.run, copy.reply = branch, branch.reply
        if original == row.pk:
            _reopen(copy)
        copy.save(force_insert=True)
        copies[original] = copy
    return copies


def _reopen(copy: QuestionSet) -> None:
    copy.created = timezone.now()
    copy.expires_at = deadline(copy.created)
    copy.status, copy.answers, copy.draft, copy.delivered = Status.PENDING, None, None, False
    copy.comment, copy.images, copy.revision = "", [], 0
    copy.resolved_at, copy.resolved_as, copy.surface, copy.device = None, "", "", ""

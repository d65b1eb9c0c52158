"""Posting: an envelope becomes messages, raw context and a run, or nothing at all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db import IntegrityError, transaction

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope
from askweb.conversations.frames import News, announce_all, announce_on_feed, news_of
from askweb.conversations.models import Conversation, Message, Posting
from askweb.conversations.opening import OPENED
from askweb.conversations.pending import answer_pending, cancel_pending, expire_in, refuse_while_pending
from askweb.conversations.planning import Answer
from askweb.conversations.plans import plan
from askweb.conversations.storing import newest_of_person, store_messages
from askweb.errors import Problem, not_found
from askweb.limits.admitting import admit_bytes
from askweb.runs.models import Run
from askweb.runs.starting import active_already, start_run
from prompts.tool_asking import ToolAnswers
from questions.models import QuestionSet


@dataclass(frozen=True)
class Posted:
    """What a post led to. `run` is None for an import that ends with an answer.

    `answered` is the question set that the post was the answer to: then `run` is the one that asked.
    """

    status: int
    conversation: Conversation
    message: Message | None
    run: Run | None
    answered: QuestionSet | None = None


def post_conversation(person: User, envelope: Envelope) -> Posted:
    """Start a conversation with the envelope's messages."""

    def start() -> Posted:
        if envelope.meta.parent is not None:
            raise not_found()  # there is nothing to continue from in a conversation that is new
        conversation = Conversation(user=person, temporary=not envelope.meta.store)
        conversation.save(force_insert=True)
        posted = post_below(person, conversation, None, envelope, status=201)
        announce_on_feed("conversation.created", conversation)
        return posted

    return once(person, envelope.meta.client_id, start, weight=envelope.weight)


def post_message(person: User, conversation: Conversation, envelope: Envelope) -> Posted:
    """Add the envelope's messages below `meta.parent`, else below the conversation's head.

    While a question is pending `meta.pending` says what becomes of it. Raises a 409 `Problem` for what else is
    active.
    """
    expire_in(conversation)
    if envelope.meta.pending == "answer":
        answered = answer_pending(conversation, envelope)
        return Posted(202, conversation, _question_of(answered), answered.run, answered)

    def add() -> Posted:
        if envelope.meta.pending == "skip":
            cancel_pending(conversation)
        held = held_for_post(conversation)
        parent = _parent(held, envelope.meta.parent)
        posted = post_below(person, held, parent, envelope, status=202)
        announce_on_feed("conversation.updated", held)
        return posted

    return once(person, envelope.meta.client_id, add, weight=envelope.weight)


def once(person: User, client_id: str | None, act: Callable[[], Posted], *, weight: int = 0) -> Posted:
    """Do it in one transaction, once for each client id; the same id again gives what it led to.

    `weight` is in bytes. Raises a 422 `Problem` where the person may not store so many more.
    """
    if client_id is not None and (earlier := _earlier(person, client_id)) is not None:
        return earlier
    admit_bytes(person, weight)
    if client_id is None:
        with transaction.atomic():
            return act()
    try:
        with transaction.atomic():
            posted = act()
            Posting.objects.create(
                user=person,
                client_id=client_id,
                status=posted.status,
                conversation=posted.conversation,
                message=posted.message,
                run=posted.run,
            )
            return posted
    except (IntegrityError, Problem):
        # The same post may have come twice at once: then the other one's success is this one's too.
        if (earlier := _earlier(person, client_id)) is not None:
            return earlier
        raise


def _earlier(person: User, client_id: str) -> Posted | None:
    posting = (
        person.postings.filter(client_id=client_id)
        .select_related("conversation", "message", "run__reply")
        .first()
    )
    if posting is None:
        return None
    return Posted(posting.status, posting.conversation, posting.message, posting.run)


def held_for_post(conversation: Conversation) -> Conversation:
    """The conversation as it is now, kept from other posts until this one is stored."""
    held = conversation.user.conversations.select_for_update().filter(pk=conversation.pk).first()
    if held is None:
        raise not_found()
    refuse_while_pending(held)
    if held.runs.active().exists():
        raise active_already()
    return held


def _question_of(answered: QuestionSet) -> Message | None:
    return answered.run.message if answered.run else None


def _parent(conversation: Conversation, wanted: str | None) -> Message | None:
    if wanted is None:
        return conversation.head
    try:
        return conversation.messages.get(pk=UUID(wanted))
    except (ValueError, Message.DoesNotExist) as error:
        raise not_found() from error


def post_below(
    person: User,
    conversation: Conversation,
    parent: Message | None,
    envelope: Envelope,
    *,
    status: int,
    answers: ToolAnswers | None = None,
) -> Posted:
    """Store the post below a message, in the caller's transaction."""
    planned = plan(person, conversation, parent, envelope, answers)
    changed = OPENED if conversation.head_id is None else ("system",)
    store_messages(planned.rows, envelope.context)
    run = start_answer(conversation, planned.answer, planned.rows[-1]) if planned.answer else None
    finish_post(conversation, planned.rows, run, changed=changed)
    question = planned.answer.question if planned.answer else newest_of_person(planned.rows)
    return Posted(status, conversation, question, run)


def start_answer(conversation: Conversation, answer: Answer, parent: Message | None) -> Run:
    """The run of an answer, with its reply below `parent`, in the caller's transaction."""
    return start_run(
        conversation=conversation,
        message=answer.question,
        parent=parent,
        choice=answer.choice,
        assembly=answer.assembly,
        options=answer.options,
        asking=answer.asking,
        questions=answer.questions,
    )


def finish_post(
    conversation: Conversation,
    stored: Sequence[Message],
    run: Run | None,
    *,
    event: Literal["message.created", "message.updated"] = "message.created",
    changed: Sequence[str] = (),
) -> None:
    """The last message becomes the head, what else has `changed` of the conversation is saved, and whoever watches
    gets all that is new.
    """
    new = [*stored, run.reply] if run else list(stored)
    news = [News(event, new)] if new else []
    if run is not None:
        news.append(news_of(run))
    if new:
        conversation.head, changed = new[-1], [*changed, "head"]
    changes = {name: getattr(conversation, name) for name in changed}
    announce_all(conversation.pk, news, **changes)

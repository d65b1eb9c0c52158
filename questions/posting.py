"""Questions of a script: asked over the API, in a conversation or in one of their own."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.frames import announce_on_feed
from askweb.conversations.models import TITLE_LENGTH, Conversation
from askweb.errors import Problem, not_found
from questions.asking import AlreadyAsked, ask_person
from questions.bodies import Body, posted_object
from questions.models import Origin, QuestionSet
from questions.resolving import expire_overdue
from questions.running_text import plain_words
from questions.schema import read_call
from questions.set_shapes import question_set_shape
from questions.shapes import QuestionCall

OWN_KEYS = ("conversation", "client_id")


def post_questions(person: User, data: object, *, now: datetime | None = None) -> QuestionSet:
    """Ask, and return the set; the same `client_id` again gives the same set, as it is now.

    Raises a 422 `Problem` with every fault by its path, a 409 while another set is pending in the conversation,
    and a 404 where there is no such conversation.
    """
    now = now or timezone.now()
    posted = posted_object(data)
    body = Body({key: posted[key] for key in OWN_KEYS if key in posted}, OWN_KEYS)
    client_id = body.name("client_id") or None
    conversation = body.text("conversation") if posted.get("conversation") is not None else None
    if (earlier := _earlier(person, client_id, now)) is not None:
        return earlier
    call = _call(posted, body)
    try:
        with transaction.atomic():
            return _ask(person, call, conversation, client_id, now)
    except (IntegrityError, AlreadyAsked) as error:
        # The same post may have come twice at once: then the other one's success is this one's too.
        if (earlier := _earlier(person, client_id, now)) is not None:
            return earlier
        if isinstance(error, AlreadyAsked):
            raise _already_pending(person, str(conversation), now) from error
        raise


def _earlier(person: User, client_id: str | None, now: datetime) -> QuestionSet | None:
    if client_id is None:
        return None
    rows = QuestionSet.objects.filter(user=person, asked_as=client_id)
    expire_overdue(rows, now)
    return rows.first()


def _call(posted: Mapping[str, Any], body: Body) -> QuestionCall:
    call = read_call({key: value for key, value in posted.items() if key not in OWN_KEYS})
    if not isinstance(call, tuple):
        body.check()
        return call
    for fault in call:
        body.fault(fault.path, fault.code, fault.message)
    raise body.problem()


def _ask(
    person: User, call: QuestionCall, conversation: str | None, client_id: str | None, now: datetime
) -> QuestionSet:
    found = _new_conversation(person, call) if conversation is None else _found(person, conversation)
    expire_overdue(QuestionSet.objects.filter(conversation=found), now)
    return ask_person(
        call.questions,
        seconds=call.timeout_seconds,
        user=person,
        conversation=found,
        source=Origin.API,
        asked_as=client_id,
        created=now,
        delivered=True,  # there is no model that waits to be told
    )


def _new_conversation(person: User, call: QuestionCall) -> Conversation:
    title = plain_words(call.questions[0].question)[:TITLE_LENGTH].rstrip()
    conversation = Conversation.objects.create(user=person, title=title)
    announce_on_feed("conversation.created", conversation)
    return conversation


def _found(person: User, id_: str) -> Conversation:
    try:
        found: Conversation | None = person.conversations.filter(pk=UUID(id_)).first()
    except ValueError as error:
        raise not_found() from error
    if found is None:
        raise not_found()
    return found


def _already_pending(person: User, conversation: str, now: datetime) -> Problem:
    row = QuestionSet.objects.pending().filter(conversation=_found(person, conversation)).first()
    message = _("Questions are pending in this conversation already. Ask one set at a time.")
    data = {"question_set": question_set_shape(row, now) if row else None}
    return Problem("question.already_pending", message, status=409, data=data)

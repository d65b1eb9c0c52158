"""Telling of question sets: to whoever watches the conversation, and on the person's own feed."""

from typing import Any, Literal

from django.db import transaction

from askweb.conversations.frames import announce, encode
from askweb.runs.hub import Frame, hub
from questions.models import QuestionSet
from questions.set_shapes import question_set_shape

News = Literal["asked", "updated", "answered", "skipped", "expired", "cancelled"]


def announce_question(news: News, row: QuestionSet) -> None:
    """Tell it once the transaction has committed."""
    shape = question_set_shape(row)
    event: Any = f"question.{news}"
    if row.conversation_id is not None:
        announce(event, row.conversation_id, question_set=shape)
    person = row.user_id
    frame = Frame(encode({"event": event, "conversation": row.conversation_id, "question_set": shape}))
    transaction.on_commit(lambda: hub.publish_soon(person, frame))

"""Assembling a post's prompt again, once its tool's questions are answered."""

from typing import cast

from askweb.conversations.envelope import Item
from askweb.conversations.packing import JSONValue
from askweb.conversations.plans import plan
from askweb.conversations.posted import envelope_of, parent_of
from askweb.errors import not_found
from prompts.shapes import AssemblyShape
from prompts.tool_asking import ToolAnswers
from questions.models import QuestionSet


def assembly_with(row: QuestionSet, answers: ToolAnswers) -> AssemblyShape:
    """What the run of a tool's question set sends. Raises what posting raises, and a 404 without its question."""
    run, conversation = row.run, row.conversation
    if run is None or conversation is None or row.posted is None:
        raise not_found()
    stored = run.message.context_items.all()
    items = tuple(Item(item.kind, cast(dict[str, JSONValue], item.value())) for item in stored)
    envelope, parent = envelope_of(row.posted, items), parent_of(row.posted)
    with run.in_language():
        planned = plan(row.user, conversation, parent, envelope, answers).answer
    if planned is None:
        raise not_found()
    return planned.assembly

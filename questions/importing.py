"""Storing the question sets of an exported conversation beside its messages."""

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID

from askweb.conversations.models import Conversation
from askweb.images.importing import NewIds
from questions.import_file import ImportedQuestionSet
from questions.models import QuestionSet

Kind = tuple[Literal["message", "set"], str]
Ids = Mapping[Kind, UUID]
"""The new ids by those of the file."""


def store_question_sets(
    conversation: Conversation, sets: Sequence[ImportedQuestionSet], ids: Ids, images: NewIds
) -> None:
    """No run asks them here, so their answers can't be changed."""
    for asked in sets:
        row = asked.row
        row.pk = ids["set", asked.id]
        row.user, row.conversation = conversation.user, conversation
        row.reply_id = ids["message", asked.message] if asked.message is not None else None
        row.images = [images[each] for each in row.images if each in images]
    QuestionSet.objects.bulk_create(asked.row for asked in sets)
    _tie_branches(sets, ids)


def _tie_branches(sets: Sequence[ImportedQuestionSet], ids: Ids) -> None:
    branches = [each for each in sets if each.branch_of is not None and ("set", each.branch_of) in ids]
    for each in branches:
        each.row.branch_of_id = ids["set", str(each.branch_of)]
    QuestionSet.objects.bulk_update([each.row for each in branches], ["branch_of"])

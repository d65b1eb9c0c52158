"""A question that was asked in a reply, and answered."""

from django.utils import timezone

from askweb.runs.models import Run
from questions.asking import ask_person
from questions.models import Origin, QuestionSet, Status
from questions.schema import read_call
from questions.shapes import QuestionCall

ASKED = {
    "id": "where",
    "header": "Where",
    "question": "Where to?",
    "options": [{"label": "A"}, {"label": "B"}],
}


def answered(run: Run) -> QuestionSet:
    call = read_call({"questions": [ASKED]})
    assert isinstance(call, QuestionCall)
    row = ask_person(
        call.questions, seconds=900, user=run.conversation.user, conversation=run.conversation, run=run,
        reply=run.reply, source=Origin.FUNCTION, place={"content": 0, "reasoning": 0, "calls": 0},
    )  # fmt: skip
    given = {"where": [{"value": "A", "source": "option", "index": 0}]}
    QuestionSet.objects.filter(pk=row.pk).update(
        status=Status.ANSWERED, answers=given, resolved_at=timezone.now(), delivered=True
    )
    return row

"""Delivering answers: what came of a run's questions becomes part of what its model is sent next."""

import json
from collections.abc import Iterator
from typing import Any

from django.db import transaction

from askweb.conversations.models import Message
from askweb.conversations.reassembling import assembly_with
from askweb.images.sending import image_part
from askweb.runs.models import Run
from askweb.runs.sending import extend_sent, replace_sent
from prompts.shapes import SentMessage
from prompts.tool_asking import answered_by
from questions import results
from questions.models import Origin, QuestionSet, Status
from questions.set_shapes import REASONS


def deliver(run: Run, *, is_over: bool = False) -> None:
    """Put each answer, or that there is none, behind its call; with a tool's, assemble its prompt anew.

    `is_over`: the model is not called again, so that a prompt is of no use; the results still belong to the
    history. Raises a `Problem` where the prompt can't be assembled.
    """
    if run.question_sets.undelivered().exists():
        _deliver_all(run, is_over=is_over)


@transaction.atomic
def _deliver_all(run: Run, *, is_over: bool) -> None:
    for row in run.question_sets.undelivered().select_for_update():
        if row.source != Origin.TOOL:
            _deliver_result(run, row)
        elif not is_over:
            replace_sent(run, assembly_with(row, answered_by(row.asked(), row.given())))
        QuestionSet.objects.filter(pk=row.pk).update(delivered=True)


def _deliver_result(run: Run, row: QuestionSet) -> None:
    result = result_of(row)
    reply = Message.objects.get(pk=run.reply_id)
    at = _place_of_call(reply, row)
    reply.function_calls[at]["result"] = result
    reply.save(update_fields=["function_calls"])
    extend_sent(run, list(_turns(row, result)))


def result_of(row: QuestionSet) -> str:
    """What the model gets: JSON for a function, a tag for a follow-up."""
    if row.followup is not None:
        return _followup_result(row)
    if row.status == Status.ANSWERED:
        return _json(results.answered(row.given(), ids=row.ids, comment=row.comment))
    return _json(results.no_answer(REASONS[row.status]))


def _followup_result(row: QuestionSet) -> str:
    if row.status != Status.ANSWERED:
        return results.followup_no_answer(REASONS[row.status])
    answers = [each for several in row.given().values() for each in several]
    return results.followup_answer(answers, comment=row.comment)


def _turns(row: QuestionSet, result: str) -> Iterator[SentMessage]:
    images = [image_part(each) for each in row.images]
    if row.call_id:
        yield {"role": "tool", "tool_call_id": row.call_id, "content": result}
        if images:
            yield {"role": "user", "content": images}
    else:
        yield {"role": "user", "content": [{"type": "text", "text": result}, *images] if images else result}
    for error in row.place.get("errors", ()):
        yield {"role": "user", "content": error}


def _place_of_call(reply: Message, row: QuestionSet) -> int:
    """The first call without a result, of those of its turn: a turn asks once."""
    calls: list[dict[str, Any]] = reply.function_calls
    return next(at for at, call in enumerate(calls) if call["result"] is None and call["id"] == row.call_id)


def _json(result: object) -> str:
    return json.dumps(result, ensure_ascii=False)

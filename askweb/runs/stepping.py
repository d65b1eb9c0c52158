"""The turns of a run before its last: stored with what the model gets for them, before it is called again."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from django.db import transaction
from django.db.models import F

from askweb.conversations.frames import announce_run
from askweb.conversations.function_calls import FunctionCallShape, to_openai
from askweb.conversations.models import Message
from askweb.conversations.rendering import question_rule
from askweb.providers.events import Ending
from askweb.runs.live import LiveReply
from askweb.runs.models import Run, State
from askweb.runs.sending import extend_sent, turns_of
from askweb.runs.settling import Rendered, UnsavedText, fold
from askweb.runs.turns import Turn
from prompts.models import Assembly
from prompts.shapes import SentMessage, Told
from questions.asking import AlreadyAsked, ask_person
from questions.deciding import Asked, Decision
from questions.models import QuestionSet

MOST_STEPS = 10
"""Calls of the model in one run."""
MOST_MISTAKES = 3
"""Bad questions in a row."""

Parked = Literal["waiting", "stopped", "lost", "taken"]


@dataclass(frozen=True)
class Step:
    """One turn that isn't the last: the model's own words, what was decided, and how far the reply has come.

    `extras` are the provider's own keys of its calls, by their ids. `usage` is the run's so far.
    """

    text: str
    reasoning: str
    decision: Decision
    told: Told
    usage: Mapping[str, int] = field(default_factory=dict)
    extras: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    def turns(self) -> Iterator[SentMessage]:
        """The turn as it is sent back, and the results that are known already."""
        functions = [call for call in self.decision.calls if call["id"]]
        said: SentMessage = {"role": "assistant", "content": self.text}
        if self.reasoning:
            said["askweb_reasoning"] = self.reasoning
        if functions:
            said["tool_calls"] = [_as_sent(call) for call in functions]
        if extras := {call["id"]: self.extras[call["id"]] for call in functions if call["id"] in self.extras}:
            said["askweb_extras"] = extras
        yield said
        for call in functions:
            if call["result"] is not None:
                yield {"role": "tool", "tool_call_id": call["id"], "content": call["result"]}
        if self.decision.asked is None:
            for error in self.decision.errors:
                yield {"role": "user", "content": error}


def step_of(
    reply: LiveReply, turn: Turn, decision: Decision, ending: Ending, usage: Mapping[str, int]
) -> Step:
    """The turn that was just read; the reply holds it, and all of it was sent."""
    content, reasoning = reply.text()
    told: Told = {"content": len(content), "reasoning": len(reasoning), "calls": 0}
    extras = {made.id: made.extras for made in ending.calls if made.extras}
    return Step(turn.text, turn.reasoning, decision, told, usage, extras)


@transaction.atomic
def store_step(run: Run, step: Step) -> None:
    """Store a turn after which the model is called again at once, unless it is stored or the run has moved on."""
    if not run.held().filter(steps=run.steps).select_for_update().values_list("pk"):
        return
    reply = Message.objects.get(pk=run.reply_id)
    reply.function_calls = [*reply.function_calls, *step.decision.calls]
    reply.save(update_fields=["function_calls"])
    extend_sent(run, list(step.turns()), {**step.told, "calls": len(reply.function_calls)})
    run.held().update(steps=F("steps") + 1, mistakes=step.decision.mistakes, **step.usage)


@transaction.atomic
def park(run: Run, step: Step, asked: Asked, unsaved: UnsavedText, rendered: Rendered, *, seq: int) -> Parked:
    """Put the question to the person and let the run wait: no task, no thread, no lease.

    Nothing is changed when the person has stopped the run, when it has moved on, when another question is
    pending in the conversation ("taken"), or when this was done by a try whose success got lost.
    """
    held = run.held().select_for_update().first()
    if held is None:
        return "lost"
    if held.state != State.STREAMING:
        return "waiting"
    if held.stop_requested_at is not None:
        return "stopped"
    reply = fold(run, replace(unsaved, calls=step.decision.calls))
    told: Told = {**step.told, "calls": len(reply.function_calls)}
    try:
        row = _ask(run, step, asked, told)
    except AlreadyAsked:
        return "taken"
    is_whole = reply.content == rendered.content
    reply.html = rendered.html + question_rule(row.pk) if is_whole else ""
    reply.citations = list(rendered.citations)
    reply.save(update_fields=["content", "reasoning", "html", "citations", "function_calls", "updated"])
    run.chunks.all().delete()
    extend_sent(run, list(step.turns()), told)
    run.held().update(
        state=State.WAITING, lease_expires_at=None, seq=seq, mistakes=step.decision.mistakes, **step.usage
    )
    run.refresh_from_db(fields=["state", "seq"])
    announce_run(run, [Message.objects.get(pk=reply.pk)])
    return "waiting"


def _ask(run: Run, step: Step, asked: Asked, told: Told) -> QuestionSet:
    turns = len(turns_of(Assembly.objects.get(run=run).shape())) + len(list(step.turns()))
    with run.in_language():
        return ask_person(
            asked.questions,
            seconds=asked.seconds,
            user_id=run.conversation.user_id,
            conversation_id=run.conversation_id,
            run=run,
            reply_id=run.reply_id,
            source=asked.source,
            followup=asked.followup,
            call_id=asked.call_id,
            place={**told, "turns": turns, "errors": list(step.decision.errors)},
        )


def _as_sent(call: FunctionCallShape) -> dict[str, Any]:
    """Providers refuse a history whose arguments are no JSON, so those that aren't are left out."""
    sent = to_openai(call)
    if not _is_object(call["raw"]):
        sent["function"]["arguments"] = json.dumps(call["arguments"], ensure_ascii=False)
    return sent


def _is_object(raw: str) -> bool:
    try:
        return isinstance(cast(object, json.loads(raw)), dict)
    except (ValueError, RecursionError):
        return False

"""A branch of a run: a second reply beside its own, the same up to a place, which waits for its own answer."""

from collections.abc import Mapping
from typing import Any, cast

from askweb.conversations.models import Message
from askweb.conversations.packing import JSONValue, store_packed
from askweb.runs.models import Run, State
from askweb.runs.sending import turns_of
from askweb.runs.starting import save_as_only_active
from prompts.models import Assembly
from prompts.shapes import AssemblyShape, Told
from questions.deciding import OURS


def branch_run(run: Run, reply: Message, place: Mapping[str, Any], asked: str) -> Run:
    """Store a waiting run and its reply in the caller's transaction; `place` and the call are a question set's.

    Raises a 409 `Problem` while another run of the conversation is active.
    """
    sibling = Message(
        conversation_id=run.conversation_id,
        parent_id=reply.parent_id,
        role=reply.role,
        state=Message.State.STREAMING,
        content=reply.content[: place["content"]],
        reasoning=reply.reasoning[: place["reasoning"]],
        function_calls=_calls(reply, place["calls"], asked),
    )
    sibling.save(force_insert=True)
    branch = Run(
        conversation=run.conversation,
        message=run.message,
        reply=sibling,
        state=State.WAITING,
        steps=1 if "turns" in place else 0,
        **{name: getattr(run, name) for name in ("provider", "provider_slug", "model")},
        **{name: getattr(run, name) for name in ("options", "language", "asking")},
    )
    save_as_only_active(branch)
    store_packed([(Assembly(run=branch), cast(JSONValue, _assembly(run, place)))])
    return branch


def _calls(reply: Message, count: int, asked: str) -> list[dict[str, Any]]:
    """The calls up to the question's turn; the one that asked, the last of its id, has no result yet."""
    calls = [dict(call) for call in reply.function_calls[:count]]
    for call in reversed(calls):
        if call["id"] == asked and call["name"] in OURS:
            call["result"] = None
            break
    return calls


def _assembly(run: Run, place: Mapping[str, Any]) -> AssemblyShape:
    """What was sent up to the question; a tool's prompt is assembled anew anyway."""
    assembly = Assembly.objects.get(run=run).shape()
    if "turns" not in place:
        return assembly
    told: Told = {"content": place["content"], "reasoning": place["reasoning"], "calls": place["calls"]}
    return {**assembly, "turns": turns_of(assembly)[: place["turns"]], "told": told}

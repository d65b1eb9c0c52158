"""What `/v1/` answers: completions, chunks and models, in the shapes of OpenAI's API."""

from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from askweb.openai.following import Delta, Outcome
from askweb.runs.models import Run

FINISH = {"function_calls": "tool_calls", "length": "length", "content_filter": "content_filter"}


class ModelShape(TypedDict):
    id: str
    object: str
    created: int
    owned_by: str


class UsageShape(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChunkShape(TypedDict):
    id: str
    object: str
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: NotRequired[UsageShape | None]
    meta: NotRequired[dict[str, str]]


@dataclass(frozen=True)
class Head:
    """What all chunks of one answer share. `meta` tells our own ids, of which `conversation` continues it."""

    id: str
    created: int
    model: str
    meta: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run, model: str) -> "Head":
        """The head of a run's answer; `model` is as asked, or empty."""
        ids = {
            "conversation": run.conversation_id,
            "message": run.message_id,
            "reply": run.reply_id,
            "run": run.pk,
        }
        return cls(
            id=f"chatcmpl-{run.pk}",
            created=int(run.created.timestamp()),
            model=model or f"{run.provider_slug}/{run.model}",
            meta={name: str(id_) for name, id_ in ids.items()},
        )


def completion(head: Head, outcome: Outcome) -> dict[str, Any]:
    """A whole answer."""
    calls = [{name: value for name, value in call.items() if name != "index"} for call in outcome.calls]
    message: dict[str, Any] = {"role": "assistant", "content": outcome.content, "refusal": None}
    if outcome.reasoning:
        message["reasoning_content"] = outcome.reasoning
    if calls:
        message |= {"content": outcome.content or None, "tool_calls": calls}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(outcome)}
    return {
        "id": head.id,
        "object": "chat.completion",
        "created": head.created,
        "model": head.model,
        "choices": [choice],
        "usage": usage(outcome),
        "meta": head.meta,
    }


def first_chunk(head: Head) -> ChunkShape:
    opening = {"role": "assistant", "content": ""}
    return {**_chunk(head, [_choice(opening)]), "meta": head.meta}


def delta_chunks(head: Head, delta: Delta) -> list[ChunkShape]:
    """The chunks of one delta: its text, then one for each function call."""
    deltas: list[dict[str, Any]] = [{"tool_calls": [call]} for call in delta.calls]
    texts = {"reasoning_content": delta.reasoning, "content": delta.content}
    if text := {name: value for name, value in texts.items() if value}:
        deltas.insert(0, text)
    return [_chunk(head, [_choice(each)]) for each in deltas]


def finish_chunk(head: Head, outcome: Outcome) -> ChunkShape:
    return _chunk(head, [_choice({}, finish_reason(outcome))])


def usage_chunk(head: Head, counted: UsageShape) -> ChunkShape:
    return {**_chunk(head, []), "usage": counted}


def usage(outcome: Outcome) -> UsageShape | None:
    """The tokens that the provider counted; None when it didn't say."""
    if outcome.usage is None:
        return None
    prompt, reply = outcome.usage["prompt_tokens"], outcome.usage["completion_tokens"]
    return {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}


def finish_reason(outcome: Outcome) -> str:
    return FINISH.get(outcome.finish or "", "stop")


def model_shape(id_: str, created: float, owner: str) -> ModelShape:
    return {"id": id_, "object": "model", "created": int(created), "owned_by": owner}


def _chunk(head: Head, choices: list[dict[str, Any]]) -> ChunkShape:
    return {
        "id": head.id,
        "object": "chat.completion.chunk",
        "created": head.created,
        "model": head.model,
        "choices": choices,
    }


def _choice(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}

"""The shape in which runs leave the server. See docs/protocol.md."""

from typing import TypedDict
from uuid import UUID

from askweb.runs.models import Run


class UsageShape(TypedDict):
    prompt_tokens: int
    completion_tokens: int


class RunShape(TypedDict):
    id: UUID
    conversation: UUID
    message: UUID
    reply: UUID
    state: str
    code: str | None
    error: str | None
    retryable: bool | None
    finish: str | None
    usage: UsageShape | None
    model: str
    provider: str
    epoch: int
    seq: int
    steps: int


def run_shape(run: Run) -> RunShape:
    return {
        "id": run.pk,
        "conversation": run.conversation_id,
        "message": run.message_id,
        "reply": run.reply_id,
        "state": run.state,
        "code": run.code,
        "error": run.error,
        "retryable": run.retryable,
        "finish": run.finish,
        "usage": usage_shape(run),
        "model": run.model,
        "provider": run.provider_slug,
        "epoch": run.epoch,
        "seq": run.seq,
        "steps": run.steps,
    }


def usage_shape(run: Run) -> UsageShape | None:
    if run.prompt_tokens is None or run.completion_tokens is None:
        return None
    return {"prompt_tokens": run.prompt_tokens, "completion_tokens": run.completion_tokens}

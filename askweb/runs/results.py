"""What came out of a run: the state to end it in, and what to write down with it."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from askweb.conversations.function_calls import FunctionCallShape
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, FunctionCall
from askweb.runs.models import State


@dataclass(frozen=True)
class Result:
    state: State
    changes: dict[str, Any] = field(default_factory=dict)
    calls: list[FunctionCallShape] = field(default_factory=list)


def result_of(ending: Ending) -> Result:
    usage: dict[str, Any] = {}
    if ending.usage is not None:
        usage["prompt_tokens"] = ending.usage.prompt_tokens
        usage["completion_tokens"] = ending.usage.completion_tokens
    if ending.outcome == "finished":
        calls = [stored_call(made) for made in ending.calls]
        return Result(State.COMPLETED, {"finish": ending.finish, **usage}, calls)
    if ending.error is not None:
        return Result(State.FAILED, refused_by(ending.error).changes | usage)
    return interrupted(_("The provider stopped in the middle of its answer."))


def refused_by(error: ProviderError) -> Result:
    return failed(error.code, error.message, error.retryable)


def failed(code: str, message: str, retryable: bool) -> Result:
    return Result(State.FAILED, {"code": code, "error": message, "retryable": retryable})


def interrupted(message: str) -> Result:
    return Result(State.INTERRUPTED, {"code": "run.interrupted", "error": message, "retryable": True})


def stored_call(made: FunctionCall) -> FunctionCallShape:
    return {"id": made.id, "name": made.name, "arguments": made.arguments, "raw": made.raw, "result": None}

"""What came out of a run: the state to end it in, and what to write down with it."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from askweb.conversations.function_calls import FunctionCallShape
from askweb.providers.errors import ProviderError
from askweb.providers.events import BrokenCall, Ending, FunctionCall
from askweb.runs.models import Run, State


@dataclass(frozen=True)
class Result:
    state: State
    changes: dict[str, Any] = field(default_factory=dict)
    calls: list[FunctionCallShape] = field(default_factory=list)


@dataclass(frozen=True)
class Usage:
    """Tokens of all calls of a run so far; None where no provider has told."""

    prompt: int | None = None
    completion: int | None = None

    @classmethod
    def of(cls, run: Run) -> "Usage":
        return cls(run.prompt_tokens, run.completion_tokens)

    def with_call(self, ending: Ending) -> "Usage":
        if ending.usage is None:
            return self
        return Usage(
            (self.prompt or 0) + ending.usage.prompt_tokens,
            (self.completion or 0) + ending.usage.completion_tokens,
        )

    @property
    def changes(self) -> dict[str, Any]:
        if self.prompt is None:
            return {}
        return {"prompt_tokens": self.prompt, "completion_tokens": self.completion}


def result_of(ending: Ending) -> Result:
    if ending.outcome == "finished":
        return Result(State.COMPLETED, {"finish": ending.finish})
    if ending.error is not None:
        return refused_by(ending.error)
    return interrupted(_("The provider stopped in the middle of its answer."))


def too_many_mistakes() -> Result:
    message = _("The model tried to ask you something, but could not put it into the right form. Ask again.")
    return failed("questions.too_many_mistakes", message, True)


def too_many_steps() -> Result:
    message = _("The model went on calling functions without coming to an answer. Ask again.")
    return failed("run.too_many_steps", message, True)


def refused_by(error: ProviderError) -> Result:
    return failed(error.code, error.message, error.retryable)


def failed(code: str, message: str, retryable: bool) -> Result:
    return Result(State.FAILED, {"code": code, "error": message, "retryable": retryable})


def interrupted(message: str) -> Result:
    return Result(State.INTERRUPTED, {"code": "run.interrupted", "error": message, "retryable": True})


WAITING = Result(State.WAITING)
"""A question is put to the person, and the run is left alone until it is answered."""


def broken_call(made: BrokenCall) -> FunctionCallShape:
    return {"id": made.id, "name": made.name, "arguments": {}, "raw": made.raw, "result": None}


def stored_call(made: FunctionCall) -> FunctionCallShape:
    return {"id": made.id, "name": made.name, "arguments": made.arguments, "raw": made.raw, "result": None}

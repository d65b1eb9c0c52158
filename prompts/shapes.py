"""The shapes of prompts: messages as they are sent, and the assembly that tells how they came about."""

from typing import Any, NotRequired, TypedDict


class SentMessage(TypedDict):
    """A message in OpenAI's form. What a client wants sent as it is may have more keys."""

    role: str
    content: str | list[Any] | None
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]
    askweb_reasoning: NotRequired[str]  # only in `turns`: what an assistant's message thought
    askweb_extras: NotRequired[
        dict[str, dict[str, Any]]
    ]  # only in `turns`: a provider's own keys of its calls, by id


class Part(TypedDict):
    """One part of what is sent: a context item, the template's own words, typed words, or the history.

    `kept` and `cut` are characters of its own text, marks not counted. `left_out` is the reason why nothing of
    it is sent, or null. `tokens` are estimated.
    """

    name: str
    kept: int
    cut: int
    left_out: str | None
    tokens: int


class Told(TypedDict):
    """How much of a reply is among the messages already: characters of content and reasoning, and calls."""

    content: int
    reasoning: int
    calls: int


class AssemblyShape(TypedDict):
    """`tokens` are estimated for this model.

    `turns` are the messages before they were made to fit the model, absent where nothing had to be changed.
    `changes` are the last of the warnings, those that tell of it. `told` is there once the model was called
    again: what it had said until then stands among the messages, with the results it got; the first `posted`
    of the turns are those that it was called with first.
    """

    messages: list[SentMessage]
    tool: str | None
    template_version: int | None
    parts: list[Part]
    tokens: int
    warnings: list[str]
    changes: NotRequired[list[str]]
    turns: NotRequired[list[SentMessage]]
    told: NotRequired[Told]
    posted: NotRequired[int]

"""The shapes of prompts: messages as they are sent, and the assembly that tells how they came about."""

from typing import Any, NotRequired, TypedDict


class SentMessage(TypedDict):
    """A message in OpenAI's form. What a client wants sent as it is may have more keys."""

    role: str
    content: str | list[Any] | None
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]
    askweb_reasoning: NotRequired[str]  # only in `turns`: what an assistant's message thought


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


class AssemblyShape(TypedDict):
    """`tokens` are estimated for this model.

    `turns` are the messages before they were made to fit the model, absent where nothing had to be changed.
    `changes` are the last of the warnings, those that tell of it.
    """

    messages: list[SentMessage]
    tool: str | None
    template_version: int | None
    parts: list[Part]
    tokens: int
    warnings: list[str]
    changes: NotRequired[list[str]]
    turns: NotRequired[list[SentMessage]]

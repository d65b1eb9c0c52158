"""The shapes of prompts: messages as they are sent, and the assembly that tells how they came about."""

from typing import Any, NotRequired, TypedDict


class SentMessage(TypedDict):
    """A message in OpenAI's form. What a client wants sent as it is may have more keys."""

    role: str
    content: str | list[Any] | None
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]


class Part(TypedDict):
    """One part of the turn. `kept`, `cut` are characters; `left_out` is a reason, or null."""

    name: str
    kept: int
    cut: int
    left_out: str | None
    tokens: int


class AssemblyShape(TypedDict):
    messages: list[SentMessage]
    tool: str | None
    template_version: int | None
    parts: list[Part]
    tokens: int
    warnings: list[str]

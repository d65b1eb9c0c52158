"""The shapes that one chunk of a completion takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askweb.providers.events import FinishReason, Usage

_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details")
_WORD_FIELDS = ("text", "thinking", "content", "summary", "value")
_DEEPEST = 4
_MOST_TOKENS = 2**31 - 1  # more is nonsense, and no integer column takes it

_FINISHES: dict[FinishReason | Literal["error", "timeout"], str] = {
    "stop": "stop eos eos_token end end_turn stop_sequence complete completed finished done",
    "length": "length max_tokens max_output_tokens max_length model_length token_limit truncated "
    "model_context_window_exceeded",
    "function_calls": "tool_calls tool_call tool_use function_call function_calls",
    "content_filter": "content_filter content_filtered sensitive safety refusal recitation blocklist "
    "prohibited_content spii image_safety moderation guardrail guardrail_intervened",
    "error": "error network_error server_error internal_error insufficient_system_resource abort aborted "
    "cancelled overloaded unavailable malformed_function_call",
    "timeout": "timeout",
}
_FINISH_OF = {word: finish for finish, words in _FINISHES.items() for word in words.split()}
_NOT_YET = frozenset(("", "null", "none", "finish_reason_unspecified"))


@dataclass(frozen=True, slots=True)
class Content:
    """What a content field holds: text to show, the reasoning in its parts, and whether it is a refusal."""

    text: str
    reasoning: str = ""
    refused: bool = False


def plain_text(payload: dict[str, object]) -> str:
    """The text of a chunk that is nothing but a piece of text, as nearly all are; "" for every other chunk.

    A short cut for speed: it must never say more than the careful way would.
    """
    choices = payload.get("choices")
    if type(choices) is not list or len(choices) != 1 or payload.get("usage") or "error" in payload:
        return ""
    choice = choices[0]
    if type(choice) is not dict or choice.get("index") != 0 or choice.get("finish_reason"):
        return ""
    if "error" in choice or "usage" in choice or "x_groq" in payload:
        return ""
    delta = choice.get("delta")
    if type(delta) is not dict or len(delta) > 1 + ("role" in delta):
        return ""
    content = delta.get("content")
    return content if type(content) is str else ""


def first_choice(choices: object) -> dict[str, object] | None:
    """The choice with index 0, or without a usable index in the first place; others were not asked for."""
    if isinstance(choices, dict):
        return choices
    for place, choice in enumerate(choices if isinstance(choices, list) else ()):
        if isinstance(choice, dict):
            index = choice.get("index")
            if index in (0, "0") or (place == 0 and not (isinstance(index, int) and index > 0)):
                return choice
    return None


def delta_of(choice: dict[str, object]) -> dict[str, object]:
    """The delta of a choice, whatever the provider calls it."""
    delta = choice.get("delta") or choice.get("message")
    if isinstance(delta, dict):
        return delta
    return {"content": delta or choice.get("text")}


def content_of(content: object) -> Content:
    """Content as text, a part, or a list of parts."""
    if isinstance(content, str):
        return Content(content)
    parts = [_part(part) for part in (content if isinstance(content, list) else [content])]
    return Content(
        "".join(part.text for part in parts),
        "".join(part.reasoning for part in parts),
        any(part.refused for part in parts),
    )


def _part(part: object) -> Content:
    if not isinstance(part, dict):
        return Content(_words(part))
    if "thinking" in part or part.get("type") in ("thinking", "reasoning"):
        return Content("", _words(part))
    if part.get("type") == "refusal":
        return Content(_words(part.get("refusal")), refused=True)
    return Content(_words(part.get("text")) or _words(part.get("content")))


def reasoning_of(delta: dict[str, object]) -> str:
    """The reasoning in a delta; providers that fill several fields say the same in each, so one counts."""
    for name in _REASONING_FIELDS:
        if delta.get(name):
            words = _words(delta[name])
            if words:
                return words
    return ""


def _words(value: object, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if depth < _DEEPEST and isinstance(value, list):
        return "".join(_words(item, depth + 1) for item in value)
    if depth < _DEEPEST and isinstance(value, dict):
        found = (_words(value.get(name), depth + 1) for name in _WORD_FIELDS)
        return next((words for words in found if words), "")
    return ""


def finish_of(reason: object) -> FinishReason | Literal["error", "timeout"] | None:
    """A provider's finish reason in our words; None while it isn't finished."""
    if not isinstance(reason, str):
        return None
    word = reason.strip().lower().replace("-", "_")
    return None if word in _NOT_YET else _FINISH_OF.get(word, "unknown")


def usage_of(payload: dict[str, object], choice: dict[str, object] | None) -> Usage | None:
    """The usage in a chunk, wherever it is; None when there is none. A number of 0 may mean "not known"."""
    usage = payload.get("usage") or (choice and choice.get("usage"))
    if not usage and "x_groq" in payload:
        extension = payload["x_groq"]
        usage = extension.get("usage") if isinstance(extension, dict) else None
    if not isinstance(usage, dict):
        return None
    return Usage(
        _tokens(usage.get("prompt_tokens")) or _tokens(usage.get("input_tokens")),
        _tokens(usage.get("completion_tokens")) or _tokens(usage.get("output_tokens")),
    )


def _tokens(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 < value <= _MOST_TOKENS else 0

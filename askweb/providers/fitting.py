"""Making a request fit its model: nothing is sent that the model is known to refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from askweb.providers.capabilities import Capabilities
from askweb.providers.history import repair_history

TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
OWN_REASONING = "askweb_reasoning"
"""Key of an assistant's message for what it thought: sent as `reasoning_content`, where that is wanted."""
OWN_EXTRAS = "askweb_extras"
"""Key of an assistant's message for the provider's own keys of its calls, by their ids."""
WITH_TOOLS = ("tools", "tool_choice", "parallel_tool_calls")

Message = Mapping[str, object]


@dataclass(frozen=True)
class Fitted:
    """What is sent, and in sentences what was changed to make it fit."""

    messages: list[dict[str, object]]
    options: dict[str, object]
    changes: list[str]

    def body(self, model: str) -> dict[str, object]:
        return {**self.options, "model": model, "messages": self.messages, "stream": True}


def fit(
    messages: Sequence[Message],
    options: Mapping[str, object],
    capabilities: Capabilities,
    paragraph: str = "",
) -> Fitted:
    """Fit a request to a model. The input is never changed.

    `paragraph` is added to the system message where the model has no functions.
    """
    if paragraph and "tools" in capabilities.refuses:
        messages = _with_paragraph(messages, paragraph)
    fitted, changes = _fit_messages(messages, capabilities)
    wanted: dict[str, object] = {"stream_options": {"include_usage": True}, **options}
    return Fitted(fitted, _fit_options(wanted, capabilities, changes), changes)


def _fit_messages(
    messages: Sequence[Message], capabilities: Capabilities
) -> tuple[list[dict[str, object]], list[str]]:
    changes: list[str] = []
    fitted = [_with_reasoning_as_wanted(_with_extras(message), capabilities) for message in messages]
    if not capabilities.images and any(has_images(message) for message in fitted):
        fitted = [_without_images(message) for message in fitted]
        changes.append(_("Images were left out: the model takes none."))
    if not capabilities.system_role and any(_is_system(message) for message in fitted):
        fitted = _without_system_role(fitted)
        changes.append(_("The system message was put before the first question: the model has no such role."))
    if not capabilities.empty_content and (fuller := _without_empty(fitted)) != fitted:
        fitted = fuller
        changes.append(_("Empty messages were left out: the model refuses them."))
    if capabilities.roles_alternate and (merged := repair_history(fitted, merge=True)) != fitted:
        fitted = merged
        changes.append(_("Messages in a row were joined: the model wants the roles to take turns."))
    return fitted, changes


def _with_paragraph(messages: Sequence[Message], paragraph: str) -> list[Message]:
    for at, message in enumerate(messages):
        if _is_system(message) and isinstance(message.get("content"), str):
            told = {**message, "content": f"{message['content']}\n\n{paragraph}"}
            return [*messages[:at], told, *messages[at + 1 :]]
    return [{"role": "system", "content": paragraph}, *messages]


def _with_reasoning_as_wanted(message: Message, capabilities: Capabilities) -> dict[str, object]:
    fitted = dict(message)
    reasoning = fitted.pop(OWN_REASONING, None)
    if reasoning and capabilities.sends_reasoning:
        fitted["reasoning_content"] = reasoning
    if "reasoning_content" in capabilities.refuses:
        fitted.pop("reasoning_content", None)
    return fitted


def _with_extras(message: Message) -> Message:
    """Each call with the keys that its provider sent with it, such as a signature of its thoughts."""
    extras, calls = message.get(OWN_EXTRAS), message.get("tool_calls")
    if not isinstance(extras, Mapping) or not isinstance(calls, Sequence):
        return message
    whole = [_whole_call(call, extras.get(call["id"], {})) for call in calls]
    return {**{name: value for name, value in message.items() if name != OWN_EXTRAS}, "tool_calls": whole}


def _whole_call(call: Mapping[str, Any], extras: Mapping[str, Any]) -> dict[str, Any]:
    return {**call, **extras, "function": {**call["function"], **extras.get("function", {})}}


def _is_system(message: Message) -> bool:
    return message.get("role") in ("system", "developer")


def _without_system_role(messages: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    system = [{**message, "role": "user"} for message in messages if _is_system(message)]
    rest = [message for message in messages if not _is_system(message)]
    if rest and rest[0].get("role") != "user":
        return repair_history(system, merge=True) + rest
    return repair_history([*system, *rest[:1]], merge=True) + rest[1:]


def _without_empty(messages: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Calls stand without content; what has neither is left out. A function's empty result is said to be so."""
    fuller: list[dict[str, object]] = []
    for message in messages:
        if not is_empty(message):
            fuller.append(message)
        elif message.get("tool_calls"):
            fuller.append({**message, "content": None})
        elif message.get("role") == "tool":
            fuller.append({**message, "content": "(empty)"})
    return fuller


def has_images(message: Message) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(_is_image(part) for part in content)


def _without_images(message: dict[str, object]) -> dict[str, object]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    rest = [part for part in content if not _is_image(part)]
    texts = [part.get("text") for part in rest if isinstance(part, Mapping) and part.get("type") == "text"]
    whole = "\n\n".join(map(str, texts)) if len(texts) == len(rest) else rest
    return {**message, "content": whole}


def _is_image(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "image_url"


def is_empty(message: Message) -> bool:
    content = message.get("content")
    return not content or (isinstance(content, str) and not content.strip())


def _fit_options(
    options: Mapping[str, object], capabilities: Capabilities, changes: list[str]
) -> dict[str, object]:
    refused = set(capabilities.refuses)
    if "tools" in refused:
        refused.update(WITH_TOOLS)
    fitted: dict[str, object] = {}
    for asked, value in options.items():
        name = capabilities.token_limit if asked in TOKEN_LIMITS and capabilities.token_limit else asked
        if name in refused:
            changes.append(_("{name} was left out: the model refuses it.").format(name=name))
            continue
        if name != asked:
            changes.append(_("{name} was sent as {other}.").format(name=asked, other=name))
        fitted[name] = value
    return fitted

"""Reading a chat completion request: OpenAI's body, in which our `context` and `meta` ride along."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

import orjson
from django.utils.translation import gettext as _

from askweb.conversations.envelope import Envelope, Fields, Meta, Role, Turn, read_envelope
from askweb.errors import FieldFault, Problem, invalid, not_found
from askweb.parsing import storable_json
from prompts.shapes import SentMessage

OURS = frozenset(("context", "delta", "messages", "meta", "model", "stream"))
"""The keys that are read here. All others are the provider's, and go into its request untouched."""

STORED_ROLE: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
TOOL = "tool:"
NAME_LENGTH = 200


@dataclass(frozen=True)
class ChatRequest:
    """`model` is as asked, empty when none was. `conversation`: the one to continue."""

    envelope: Envelope
    conversation: UUID | None
    model: str
    stream: bool
    include_usage: bool


def read_request(data: Any) -> ChatRequest:
    """Return the request; raise a `Problem` that lists every fault by its path."""
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    clean, normalised = storable_json(data)
    envelope = read_envelope({"context": clean.get("context"), "meta": clean.get("meta")})
    faults: Fields = {}
    turns = tuple(_turns(clean.get("messages"), faults))
    model = _model(clean.get("model"), faults)
    stream = _stream(clean, faults)
    options = _options(clean, faults)
    include_usage = _asks_for_usage(options)
    if faults:
        raise invalid(faults)
    return ChatRequest(
        envelope=replace(
            envelope,
            meta=_meta(envelope.meta, model),
            messages=turns,
            normalised=normalised,
            options=_with_usage(options),
            exact=True,
        ),
        conversation=_conversation(clean.get("meta") or {}),
        model=model,
        stream=stream,
        include_usage=include_usage,
    )


def _turns(messages: Any, faults: Fields) -> Iterator[Turn]:
    if not isinstance(messages, list) or not messages:
        _fault(faults, "messages", _("Must be a list of at least one message."))
        return
    for index, message in enumerate(messages):
        role = STORED_ROLE.get(str(message.get("role"))) if isinstance(message, dict) else None
        if role is None:
            expected = _("Must be one of {roles}.").format(roles=", ".join(STORED_ROLE))
            _fault(faults, f"messages[{index}].role", expected)
        else:
            yield _turn(role, message)


def _turn(role: Role, message: dict[str, Any]) -> Turn:
    calls = message.get("tool_calls")
    return Turn(
        role,
        _text(message.get("content")),
        [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else [],
        str(message.get("tool_call_id") or ""),
        verbatim=cast(SentMessage, message),
    )


def _text(content: Any) -> str:
    """The text of a content, which is what is shown; the parts of others' kinds are only sent."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _model(model: Any, faults: Fields) -> str:
    if model is None:
        return ""
    if not isinstance(model, str) or not model.strip() or len(model) > NAME_LENGTH:
        expected = _("Must be a text of 1 to {limit} characters.").format(limit=NAME_LENGTH)
        _fault(faults, "model", expected)
        return ""
    return model


def _stream(body: Mapping[str, Any], faults: Fields) -> bool:
    stream = body.get("stream")
    if stream is not None and not isinstance(stream, bool):
        _fault(faults, "stream", _("Must be true or false."))
    return stream is True


def _options(body: Mapping[str, Any], faults: Fields) -> dict[str, Any]:
    options = {name: value for name, value in body.items() if name not in OURS}
    if options.get("n") not in (None, 1):
        _fault(faults, "n", _("Must be 1: a conversation goes on from one answer."))
    if not isinstance(options.get("stream_options") or {}, Mapping):
        _fault(faults, "stream_options", _("Must be an object."))
    for name, value in {**options, "messages": body.get("messages")}.items():
        if not _can_be_sent(value):
            _fault(faults, name, _("Whole numbers must fit into 64 bits."))
    return options


def _asks_for_usage(options: Mapping[str, Any]) -> bool:
    asked = options.get("stream_options")
    return isinstance(asked, Mapping) and asked.get("include_usage") is True


def _with_usage(options: dict[str, Any]) -> dict[str, Any]:
    """The provider is always asked for usage, whether or not the client wants to hear of it."""
    asked = options.get("stream_options") or {}
    return {**options, "stream_options": {**asked, "include_usage": True}}


def _can_be_sent(value: Any) -> bool:
    try:
        orjson.dumps(value)
    except TypeError:
        return False
    return True


def _meta(meta: Meta, model: str) -> Meta:
    if model.startswith(TOOL):
        return replace(meta, tool=model.removeprefix(TOOL))
    return replace(meta, model=model) if model else meta


def _conversation(meta: Mapping[str, Any]) -> UUID | None:
    named = meta.get("conversation")
    if named is None:
        return None
    try:
        return UUID(named)
    except (ValueError, TypeError, AttributeError) as error:
        raise not_found() from error


def _fault(faults: Fields, path: str, message: str) -> None:
    faults.setdefault(path, []).append(FieldFault(code="invalid", message=message))

"""The envelope that clients post: read once, checked, and from then on typed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.utils.translation import gettext as _

from askweb.conversations.packing import JSONValue
from askweb.errors import FieldFault, Problem, invalid
from askweb.parsing import storable_json, weight_of
from prompts.shapes import SentMessage

Role = Literal["user", "assistant", "system", "tool"]
ROLES = ("user", "assistant", "system", "tool")
CLIENT_ID_LENGTH = 200

Fields = dict[str, list[FieldFault]]


@dataclass(frozen=True)
class Item:
    """One raw context item and its kind."""

    kind: str
    value: dict[str, JSONValue]


@dataclass(frozen=True)
class Turn:
    """One message as posted, in OpenAI's form.

    `verbatim` is the whole message, where it is to be sent as it came rather than from what is read of it.
    """

    role: Role
    content: str
    function_calls: list[dict[str, Any]] = field(default_factory=list)
    tool_call_id: str = ""
    verbatim: SentMessage | None = None


@dataclass(frozen=True)
class Meta:
    tool: str | None = None
    language: str | None = None
    provider: str | None = None
    model: str | None = None
    temperature: float | None = None
    parent: str | None = None
    client_id: str | None = None
    surface: str | None = None
    store: bool = True
    assembled: bool = False
    pending: str | None = None
    questions: bool | None = None
    images: tuple[str, ...] = ()


@dataclass(frozen=True)
class Envelope:
    """`options` are more keys of the provider's request. `exact`: every turn is to be sent verbatim."""

    context: tuple[Item, ...] = ()
    meta: Meta = Meta()
    messages: tuple[Turn, ...] = ()
    normalised: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    exact: bool = False

    @property
    def is_import(self) -> bool:
        """History that ends with an answer has nothing to run."""
        return bool(self.messages) and not self.exact and self.messages[-1].role == "assistant"

    @property
    def weight(self) -> int:
        """Bytes of the texts that are to be stored."""
        return weight_of([*(turn.content for turn in self.messages), *(item.value for item in self.context)])


def read_envelope(data: Any) -> Envelope:
    """Return the envelope; raise a 422 `Problem` that lists every fault by its path.

    Fields of context items are never judged: page text is whatever it is.
    """
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object with context, meta and messages."))
    clean, normalised = storable_json(data)
    faults: Fields = {}
    envelope = Envelope(
        context=tuple(_items(clean.get("context"), faults)),
        meta=_meta(clean.get("meta"), faults),
        messages=tuple(_turns(clean.get("messages"), faults)),
        normalised=normalised,
    )
    if not isinstance(clean.get("delta") or {}, Mapping):
        _fault(faults, "delta", "wrong_type", _("Must be an object."))
    if faults:
        raise invalid(faults)
    return envelope


def _items(context: Any, faults: Fields) -> Iterator[Item]:
    for path, value in _objects("context", context, faults):
        kind = value["id"] if value.get("id") is not None else value.get("agentId")
        if kind is None:
            _fault(faults, f"{path}.id", "missing", _("Must name the kind of the item, such as page."))
        elif not isinstance(kind, str) or not kind.strip():
            _fault(faults, f"{path}.id", "wrong_type", _("Must be a text that is not blank."))
        else:
            yield Item(kind, value)


def _turns(messages: Any, faults: Fields) -> Iterator[Turn]:
    for path, value in _objects("messages", messages, faults):
        role, content = value.get("role"), value.get("content")
        if role not in ROLES:
            expected = _("Must be one of {roles}.").format(roles=", ".join(ROLES))
            _fault(faults, f"{path}.role", "unknown", expected)
            continue
        text = _text(content)
        calls = value.get("tool_calls") or []
        call_id = value.get("tool_call_id") or ""
        if text is None:
            expected = _("Must be a text, or a list of parts such as {part}.").format(
                part='{"type": "text", "text": "…"}'
            )
            _fault(faults, f"{path}.content", "wrong_type", expected)
        elif not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
            _fault(faults, f"{path}.tool_calls", "wrong_type", _("Must be a list of objects."))
        elif not isinstance(call_id, str):
            _fault(faults, f"{path}.tool_call_id", "wrong_type", _("Must be a text."))
        else:
            yield Turn(role, text, calls, call_id)


def _text(content: Any) -> str | None:
    """Return the text of a content; parts are joined with line breaks; None when it is neither."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
    readable = [text for text in texts if isinstance(text, str)]
    return "\n".join(readable) if len(readable) == len(content) else None


def _meta(meta: Any, faults: Fields) -> Meta:
    if meta is None:
        return Meta()
    if not isinstance(meta, Mapping):
        _fault(faults, "meta", "wrong_type", _("Must be an object."))
        return Meta()
    read: dict[str, Any] = {}
    for name in ("tool", "language", "provider", "model", "parent", "client_id", "surface"):
        read[name] = _optional_text(meta, name, faults)
    for name, default in (("store", True), ("assembled", False)):
        read[name] = _flag(meta, name, default, faults)
    return Meta(
        **read,
        questions=_flag(meta, "questions", None, faults),
        images=_ids(meta, "images", faults),
        temperature=_temperature(meta.get("temperature"), faults),
        pending=_one_of(meta, "pending", ("answer", "skip"), faults),
    )


def _optional_text(meta: Mapping[str, Any], name: str, faults: Fields) -> str | None:
    value = meta.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or len(value) > CLIENT_ID_LENGTH:
        expected = _("Must be a text of 1 to {limit} characters.").format(limit=CLIENT_ID_LENGTH)
        _fault(faults, f"meta.{name}", "wrong_type", expected)
        return None
    return value


def _flag(meta: Mapping[str, Any], name: str, default: bool | None, faults: Fields) -> bool | None:
    value = meta.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        _fault(faults, f"meta.{name}", "wrong_type", _("Must be true or false."))
        return default
    return value


def _ids(meta: Mapping[str, Any], name: str, faults: Fields) -> tuple[str, ...]:
    value = meta.get(name) or []
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    _fault(faults, f"meta.{name}", "wrong_type", _("Must be a list of ids."))
    return ()


def _one_of(meta: Mapping[str, Any], name: str, choices: tuple[str, ...], faults: Fields) -> str | None:
    value = meta.get(name)
    if value is None or value in choices:
        return value
    expected = _("Must be one of {choices}.").format(choices=", ".join(choices))
    _fault(faults, f"meta.{name}", "unknown", expected)
    return None


def _temperature(value: Any, faults: Fields) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2:
        _fault(faults, "meta.temperature", "wrong_type", _("Must be a number from 0 to 2."))
        return None
    return float(value)


def _objects(name: str, values: Any, faults: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    if values is None:
        return
    if not isinstance(values, list):
        _fault(faults, name, "wrong_type", _("Must be a list."))
        return
    for index, value in enumerate(values):
        path = f"{name}[{index}]"
        if isinstance(value, dict):
            yield path, value
        else:
            _fault(faults, path, "wrong_type", _("Must be an object."))


def _fault(faults: Fields, path: str, code: str, message: str) -> None:
    faults.setdefault(path, []).append(FieldFault(code=code, message=message))

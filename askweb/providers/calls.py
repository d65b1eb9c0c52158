"""Putting function calls together from pieces whose index, id, name and arguments can't be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import orjson

from askweb.providers.decoding import decode, mend, mend_all, scan
from askweb.providers.events import BrokenCall, FunctionCall, FunctionCallDelta

MAX_CALLS = 128


@dataclass(frozen=True, slots=True)
class Assembled:
    """The calls of a finished reply: those that may be run, and those that must not."""

    calls: tuple[FunctionCall, ...]
    broken: tuple[BrokenCall, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    index: int | None
    id: str
    name: str
    arguments: str
    extras: dict[str, object]


@dataclass(slots=True)
class _Call:
    number: int
    ids: dict[str, None] = field(default_factory=dict)  # in order
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    extras: dict[str, object] = field(default_factory=dict)

    @property
    def raw(self) -> str:
        return "".join(self.pieces)

    @property
    def blank(self) -> bool:
        return not any(piece.strip() for piece in self.pieces)

    @property
    def whole(self) -> bool:
        return self.pieces[-1].rstrip().endswith("}") and read_arguments(self.pieces) is not None


class CallAssembler:
    """Collects the pieces of one reply's calls. `overflown` says that there are more calls, or longer
    arguments (in characters), than `MAX_CALLS` and `limit`."""

    def __init__(self, limit: int) -> None:
        self.overflown = False
        self._limit = limit
        self._size = 0
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, raw: object) -> FunctionCallDelta | None:
        """Takes one element of `tool_calls`; None when it says nothing new."""
        piece = _read(raw)
        call = self._place(piece) if piece else None
        if piece is None or call is None:
            return None
        delta = FunctionCallDelta(
            call.number,
            mend(piece.id) if piece.id and not call.ids else None,
            mend(piece.name) if piece.name and not call.name else None,
            mend(piece.arguments),
        )
        self._extend(call, piece)
        return delta if delta.id or delta.name or delta.arguments else None

    def assemble(self, *, cut_short: bool) -> Assembled:
        """The calls, in order. `cut_short`: the reply hit its limit, so a blank last call is broken."""
        calls: list[FunctionCall] = []
        broken: list[BrokenCall] = []
        taken: set[str] = set()
        for place, call in enumerate(self._calls):
            call_id, name = _own_id(call, taken), mend(call.name)
            whole = not (cut_short and call is self._calls[-1] and call.blank)
            read = read_arguments(call.pieces) if whole and name else None
            if read is None:
                broken.append(BrokenCall(call_id, name, mend(call.raw), place))
            else:
                calls.append(FunctionCall(call_id, name, *read, call.extras, place))
        return Assembled(tuple(calls), tuple(broken))

    def _place(self, piece: _Piece) -> _Call | None:
        """Which call a piece belongs to: a known index wins, then a known id, then the call now open."""
        call = self._by_index.get(piece.index) if piece.index is not None else None
        if call is None and piece.id:
            call = next((known for known in reversed(self._calls) if piece.id in known.ids), None)
        if call is None and self._calls and (piece.index is None or not piece.name):
            call = self._calls[-1]
        if call is None or _begins_another(call, piece):
            return self._begin(piece)
        return call

    def _begin(self, piece: _Piece) -> _Call | None:
        if not (piece.name or piece.id or piece.arguments.strip()):
            return None
        if len(self._calls) >= MAX_CALLS:
            self.overflown = True
            return None
        call = _Call(len(self._calls))
        self._calls.append(call)
        if piece.index is not None:
            self._by_index[piece.index] = call
        return call

    def _extend(self, call: _Call, piece: _Piece) -> None:
        self._size += len(piece.arguments)
        self.overflown = self.overflown or self._size > self._limit
        if piece.id:
            call.ids.setdefault(piece.id)
        call.name = call.name if len(call.name) > len(piece.name) else piece.name or call.name
        if piece.arguments:
            call.pieces.append(piece.arguments)
        call.extras.update(piece.extras)


def _read(raw: object) -> _Piece | None:
    if not isinstance(raw, dict):
        return None
    function = raw.get("function")
    inner = function if isinstance(function, dict) else raw
    return _Piece(
        _index(raw.get("index")),
        _text(raw.get("id")),
        _text(inner.get("name")).strip(),
        _json_text(inner.get("arguments")),
        _extras(raw, inner),
    )


def _index(value: object) -> int | None:
    if isinstance(value, str) and len(value) < 5 and value.isdecimal():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _json_text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, UnicodeError):  # too deep for a call, or lone surrogates
        return _dumps(value)


def _dumps(value: object) -> str:
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return "?"  # parses as nothing, so that the call is broken


def _extras(raw: dict[str, object], inner: dict[str, object]) -> dict[str, object]:
    known = ("index", "id", "function", "name", "arguments")
    extras = {key: value for key, value in raw.items() if key not in known and value is not None}
    if extras.get("type") == "function":
        del extras["type"]
    if inner is not raw:
        others = {key: value for key, value in inner.items() if key not in known and value is not None}
        extras |= {"function": others} if others else {}
    return extras


def _begins_another(call: _Call, piece: _Piece) -> bool:
    """Whether a piece that seems to belong to `call` is in truth the first of the next one."""
    if not piece.name or not call.name:
        return False
    fresh = bool(piece.id and call.ids) and piece.id not in call.ids
    if piece.name != call.name:
        return fresh or not call.blank or not piece.name.startswith(call.name)
    if call.blank:
        return fresh and not piece.arguments
    opens = piece.arguments.lstrip().startswith("{")
    if not fresh and (not opens or piece.id in call.ids):
        return False
    opens = opens and not piece.arguments.startswith(call.raw)  # else they are cumulative
    return opens or (fresh and call.whole)


def _own_id(call: _Call, taken: set[str]) -> str:
    wanted = mend(next(iter(call.ids), "")) or f"call_{call.number}"
    if wanted in taken:
        wanted = f"{wanted}_{call.number}"
    taken.add(wanted)
    return wanted


def read_arguments(pieces: Sequence[str]) -> tuple[dict[str, object], str] | None:
    """The object that pieces of arguments make, with its JSON text; None when they make none.

    The pieces as they are come first. Only where that is no object, readings for providers that repeat
    themselves are tried, so that a nested object is never mistaken for a repetition.
    """
    for text in _readings(pieces):
        found = _object(text)
        if found is not None:
            return found, _strict(mend(text).strip(), found)
    return _last_of_growing("".join(pieces))


def _strict(text: str, meant: dict[str, object]) -> str:
    """`text` if any parser takes it; providers refuse a history with anything less."""
    try:
        return text if isinstance(orjson.loads(text), dict) else _dumps(meant)
    except orjson.JSONDecodeError:
        return _dumps(meant)


def _readings(pieces: Sequence[str]) -> Iterator[str]:
    yield "".join(pieces)
    grown = ""
    for piece in pieces:
        grown = piece if piece.startswith(grown) else grown + piece
    yield grown
    yield "".join(piece for at, piece in enumerate(pieces) if at == 0 or piece != pieces[at - 1])


def _object(text: str, *, nested: bool = False) -> dict[str, object] | None:
    if not text.strip():
        return {}
    decoded = decode(text.encode("utf-8", "surrogatepass") if text.isascii() else mend(text).encode())
    value = decoded.values[0] if len(decoded.values) == 1 and not decoded.rest else ()
    if isinstance(value, str) and not nested:  # JSON inside a JSON string
        return _object(value, nested=True)
    return {} if value is None else _fit(value)


def _fit(value: object) -> dict[str, object] | None:
    try:
        fit = mend_all(value)
    except RecursionError:
        return None
    return fit if isinstance(fit, dict) else None


def _last_of_growing(text: str) -> tuple[dict[str, object], str] | None:
    """The last of several objects, if each holds what the one before it held (often `{}` to begin with)."""
    values, rest = scan(mend(text))
    objects = [value for value in values if isinstance(value, dict)]
    if rest or not objects or len(objects) < len(values):
        return None
    if any(not earlier.items() <= later.items() for earlier, later in pairwise(objects)):
        return None
    last = _fit(objects[-1])
    return None if last is None else (last, _dumps(last))

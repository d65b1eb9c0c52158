"""Function calls as they are stored and shown, from and to OpenAI's form."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict

from askweb.errors import Problem
from askweb.parsing import parse_json, storable_json


class FunctionCallShape(TypedDict):
    """`arguments` is what could be read of `raw`, the model's own text; `result` is null until there is one."""

    id: str
    name: str
    arguments: dict[str, Any]
    raw: str
    result: str | None


def from_openai(call: Mapping[str, Any]) -> FunctionCallShape:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    raw = function.get("arguments")
    raw = raw if isinstance(raw, str) else json.dumps(raw or {}, ensure_ascii=False)
    return {
        "id": str(call.get("id") or ""),
        "name": str(function.get("name") or ""),
        "arguments": _read(raw),
        "raw": raw,
        "result": None,
    }


def to_openai(call: FunctionCallShape) -> dict[str, Any]:
    return {
        "id": call["id"],
        "type": "function",
        "function": {"name": call["name"], "arguments": call["raw"]},
    }


def _read(raw: str) -> dict[str, Any]:
    try:
        arguments, _changed = storable_json(parse_json(raw.encode()))
    except (Problem, UnicodeEncodeError):
        return {}
    return arguments if isinstance(arguments, dict) else {}

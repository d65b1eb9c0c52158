"""OpenAPI from the typed shapes: the TypedDicts that the code uses are the schema that is published."""

from typing import Any

from drf_spectacular.plumbing import build_array_type, build_object_type, resolve_type_hint
from drf_spectacular.utils import OpenApiResponse

ERROR = build_object_type(
    properties={
        "error": build_object_type(
            properties={
                "code": {"type": "string"},
                "message": {"type": "string"},
                "fields": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"type": "object"}},
                },
            },
            required=["code", "message"],
        )
    },
    required=["error"],
)
TURN = build_object_type(
    properties={"role": {"enum": ["user", "assistant", "system", "tool"]}, "content": {}}, required=["role"]
)
ENVELOPE = build_object_type(
    description="All keys are optional.",
    properties={
        "context": {"type": "array", "items": {"type": "object"}},
        "meta": {"type": "object"},
        "messages": {"type": "array", "items": TURN},
        "delta": {"type": "object"},
    },
)


def answers(shape: Any, *, status: int = 200, problems: tuple[int, ...] = (401, 403)) -> dict[int, Any]:
    """The responses of one call: its shape, and the error shape for each status that it may refuse with."""
    return {status: _schema(shape)} | dict.fromkeys(problems, ERROR)


def takes(**required: Any) -> dict[str, Any]:
    """A JSON object with these properties, by type or by schema; what else it may have is told in words."""
    properties = {name: _schema(shape) for name, shape in required.items()}
    return {"application/json": build_object_type(properties=properties, required=list(required))}


def pages_of(shape: Any, *, problems: tuple[int, ...] = (401, 403, 404)) -> dict[int, Any]:
    page = build_object_type(
        properties={
            "results": build_array_type(_schema(shape)),
            "next": {"type": "string", "nullable": True},
        }
    )
    return {200: page} | dict.fromkeys(problems, ERROR)


NOTHING = {204: OpenApiResponse(description="Done."), 401: ERROR, 403: ERROR, 404: ERROR}


def _schema(shape: Any) -> dict[str, Any]:
    if isinstance(shape, dict):
        return shape
    schema: dict[str, Any] = resolve_type_hint(shape)  # type: ignore[no-untyped-call]
    return schema


def add_limits(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Any call may be one too many: a hook of drf-spectacular."""
    refusal = {"description": "Too many calls.", "content": {"application/json": {"schema": ERROR}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("429", refusal)
    return result

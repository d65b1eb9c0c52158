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
ENVELOPE = build_object_type(
    description="All keys are optional.",
    properties={
        "context": {"type": "array", "items": {"type": "object"}},
        "meta": {"type": "object"},
        "messages": {"type": "array", "items": {"type": "object"}},
        "delta": {"type": "object"},
    },
)


def answers(shape: Any, *, status: int = 200, problems: tuple[int, ...] = (401, 403)) -> dict[int, Any]:
    """The responses of one call: its shape, and the error shape for each status that it may refuse with."""
    return {status: _schema(shape)} | dict.fromkeys(problems, ERROR)


def pages_of(shape: Any) -> dict[int, Any]:
    page = build_object_type(
        properties={
            "results": build_array_type(_schema(shape)),
            "next": {"type": "string", "nullable": True},
        }
    )
    return {200: page} | dict.fromkeys((401, 403, 404), ERROR)


NOTHING = {204: OpenApiResponse(description="Done."), 401: ERROR, 403: ERROR, 404: ERROR}


def _schema(shape: Any) -> dict[str, Any]:
    schema: dict[str, Any] = resolve_type_hint(shape)  # type: ignore[no-untyped-call]
    return schema

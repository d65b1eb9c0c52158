"""The functions offered to models that call functions: their parameters as JSON Schema.

The descriptions that go with them are templates; the limits are those that `read_call` holds to.
"""

from typing import Final

from questions.schema import (
    DESCRIPTION_LENGTH,
    FEWEST_OPTIONS,
    LABEL_LENGTH,
    LONGEST_TIMEOUT,
    MOST_OPTIONS,
    MOST_QUESTIONS,
    QUESTION_LENGTH,
    SHORTEST_TIMEOUT,
)

OPTION: Final[dict[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["label"],
    "properties": {
        "label": {"type": "string", "minLength": 1, "maxLength": LABEL_LENGTH},
        "description": {"type": "string", "maxLength": DESCRIPTION_LENGTH},
    },
}
QUESTION: Final[dict[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "header", "question", "options"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$", "maxLength": 64},
        "header": {"type": "string", "minLength": 1, "description": "A word or two, at most 12 characters"},
        "question": {"type": "string", "minLength": 1, "maxLength": QUESTION_LENGTH},
        "options": {"type": "array", "items": OPTION, "minItems": FEWEST_OPTIONS, "maxItems": MOST_OPTIONS},
        "multiSelect": {"type": "boolean"},
    },
}
QUESTIONS: Final[dict[str, object]] = {
    "type": "array",
    "items": QUESTION,
    "minItems": 1,
    "maxItems": MOST_QUESTIONS,
}
ASK_USER: Final[dict[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["questions"],
    "properties": {
        "questions": QUESTIONS,
        "timeoutSeconds": {"type": "integer", "minimum": SHORTEST_TIMEOUT, "maximum": LONGEST_TIMEOUT},
    },
}

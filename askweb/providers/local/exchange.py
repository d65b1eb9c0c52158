"""What parent and child tell each other: one JSON line each way, then the parent's pipe only stays open."""

from typing import TypedDict

SLOTS = 2
CONTEXT_TOKENS = 4096
"""How many tokens one request may use, prompt and reply together. As many as SLOTS are answered at once."""
ANSWER_TOKENS = 1024
"""A reply ends here unless the request says otherwise: once lost, so small a model repeats itself for ever."""


class ServingOrder(TypedDict):
    path: str
    name: str
    api_key: str


class ServingAnswer(TypedDict):
    """Where the child listens, such as `http://127.0.0.1:40123`; empty when the file could not be loaded."""

    address: str

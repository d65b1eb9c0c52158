"""The arguments of a call, however a provider encoded them."""

import json

ENCODINGS = 2


def decoded(arguments: object) -> dict[str, object] | None:
    """The arguments' object, or None. JSON text is decoded at most twice; blank text is an empty object."""
    for _ in range(ENCODINGS):
        if isinstance(arguments, str):
            arguments = _loaded(arguments)
    return {str(key): value for key, value in arguments.items()} if isinstance(arguments, dict) else None


def _loaded(text: str) -> object:
    if not text.strip():
        return {}
    try:
        return json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError):
        return None


def _integer(digits: str) -> int:
    # Python refuses to read very long integers; every number here is clamped, so the first digits will do.
    return int(digits[:400])

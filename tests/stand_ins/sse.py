"""The bytes of an OpenAI-compatible provider's stream."""

import orjson

DONE = b"data: [DONE]\n\n"


def chunk(text: str, **delta: object) -> bytes:
    """One event that carries this text."""
    return _event({"content": text, **delta})


def finish(reason: str = "stop") -> bytes:
    return _event({}, reason) + DONE


def reply(*texts: str) -> list[bytes]:
    """A whole answer, one piece for each text."""
    return [*(chunk(text) for text in texts), finish()]


def call(name: str, arguments: object, id_: str = "call_1", index: int = 0) -> bytes:
    """One event with a whole function call."""
    function = {"name": name, "arguments": orjson.dumps(arguments).decode()}
    made = {"index": index, "id": id_, "type": "function", "function": function}
    return _event({"content": None, "tool_calls": [made]})


def calls(*made: bytes) -> list[bytes]:
    """A whole answer of function calls."""
    return [*made, finish("tool_calls")]


def _event(delta: dict[str, object], reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    payload = {"id": "c1", "object": "chat.completion.chunk", "model": "parrot", "choices": [choice]}
    return b"data: " + orjson.dumps(payload) + b"\n\n"

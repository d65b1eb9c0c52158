"""The history of a conversation, made fit to send: providers refuse what interruptions leave behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

NO_RESULT = "No result: the function was not run or its result was lost."

Message = Mapping[str, object]


def repair_history(messages: Sequence[Message], *, merge: bool = False) -> list[dict[str, object]]:
    """Messages in OpenAI's shape; each function call has exactly one result, in order, right after it.

    A missing result is said to be missing, results without a call and second results are left out, and so
    are assistant messages with neither content nor calls. `merge` joins neighbours of the same role, for
    models that want the roles to take turns. The input is never changed; unchanged parts are shared with it.
    """
    repaired = [fit for at, message in enumerate(messages) for fit in _repaired(message, messages[at + 1 :])]
    return _merged(repaired) if merge else repaired


def _repaired(message: Message, later: Sequence[Message]) -> Iterator[dict[str, object]]:
    if message.get("role") == "tool":
        return  # each call fetches its own
    calls = _calls(message) if message.get("role") == "assistant" else []
    if calls:
        named = _with_own_ids(calls)
        yield {**message, "tool_calls": named}
        yield from _results(calls, named, later)
    elif message.get("role") != "assistant" or _says_something(message.get("content")):
        yield {name: value for name, value in message.items() if name != "tool_calls"}


def _calls(message: Message) -> list[Mapping[str, object]]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, Sequence) else []


def _says_something(content: object) -> bool:
    if isinstance(content, str):
        return bool(content.strip())
    if isinstance(content, Sequence):
        return any(_says_something(part) for part in content)
    if isinstance(content, Mapping):
        return content.get("type", "text") != "text" or _says_something(content.get("text"))
    return False


def _with_own_ids(calls: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    taken: set[str] = set()
    named = []
    for number, call in enumerate(calls):
        call_id = str(call.get("id") or f"call_{number}")
        call_id = f"{call_id}_{number}" if call_id in taken else call_id
        taken.add(call_id)
        named.append({**call, "id": call_id})
    return named


def _results(
    calls: Sequence[Mapping[str, object]], named: Sequence[Mapping[str, object]], later: Sequence[Message]
) -> Iterator[dict[str, object]]:
    waiting = list(_results_before_reuse({str(call.get("id") or "") for call in calls}, later))
    for call, own in zip(calls, named, strict=True):
        wanted = str(call.get("id") or "")
        found = next((result for result in waiting if str(result.get("tool_call_id") or "") == wanted), None)
        if found is not None:
            waiting.remove(found)
        yield {
            "role": "tool",
            "content": NO_RESULT,
            **(found or {}),
            "tool_call_id": own["id"],
        }


def _results_before_reuse(ids: set[str], later: Sequence[Message]) -> Iterator[Message]:
    """The results that follow, up to a message that uses an id again (some providers count from 0)."""
    for message in later:
        if not ids.isdisjoint(str(call.get("id") or "") for call in _calls(message)):
            return
        if message.get("role") == "tool":
            yield message


def _merged(messages: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    merged: list[dict[str, object]] = []
    for message in messages:
        before = merged[-1] if merged else {}
        if message.get("role") == before.get("role") != "tool" and "tool_calls" not in before:
            content = _joined(before.get("content"), message.get("content"))
            merged[-1] = {**before, **message, "content": content}
        else:
            merged.append(message)
    return merged


def _joined(first: object, second: object) -> object:
    if not _says_something(first) or not _says_something(second):
        return first if _says_something(first) else second
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_parts(first), *_parts(second)]


def _parts(content: object) -> list[object]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, Sequence) else [content]

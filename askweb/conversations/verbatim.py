"""Messages that are sent as their client gave them: which of them are stored already, and what is sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from askweb.conversations.envelope import Turn
from askweb.conversations.models import Message
from prompts.shapes import SentMessage

SYSTEM_ROLES = ("system", "developer")


@dataclass(frozen=True)
class Placing:
    """The messages that posted turns go below, first to last, and the turns that are not stored yet.

    `repeats`: the post begins with what is stored, so it is the whole history and not only what is new.
    """

    above: Sequence[Message]
    turns: tuple[Turn, ...]
    repeats: bool

    @property
    def parent(self) -> Message | None:
        return self.above[-1] if self.above else None

    @property
    def last_of_person(self) -> Message | None:
        return next((each for each in reversed(self.above) if each.role == Message.Role.USER), None)


def path_to(last: Message | None) -> list[Message]:
    """The messages from the first to `last`, in one query."""
    if last is None:
        return []
    stored = {each.pk: each for each in Message.objects.filter(conversation=last.conversation_id)}
    path = [stored[last.pk]]
    while path[-1].parent_id is not None:
        path.append(stored[path[-1].parent_id])
    return path[::-1]


def place(path: Sequence[Message], posted: Sequence[Turn]) -> Placing:
    """Place turns below a path. Clients of OpenAI's API send the whole history each time; it is stored once.

    A history that departs from the path, such as one with an earlier question reworded, becomes a branch.
    The last turn is always new.
    """
    turns = tuple(turn for turn in posted if turn.role != "system")
    spoken = [message for message in path if _of_message(message) != NOTHING_SAID]
    known = 0
    for message, turn in zip(spoken, turns[:-1], strict=False):
        if _of_message(message) != _of_turn(turn):
            break
        known += 1
    above = spoken[:known] if known else path
    return _with_a_question(Placing(above, turns[known:], bool(known)))


def sent_verbatim(posted: Sequence[Turn], asked: Turn | None, words: str | None) -> list[SentMessage]:
    """The messages as they came; `words`, if any, replace those of the turn that is asked."""
    return [
        turn.verbatim if words is None or turn is not asked else _reworded(turn.verbatim, words)
        for turn in posted
        if turn.verbatim is not None
    ]


def has_system(messages: Sequence[SentMessage]) -> bool:
    return any(message["role"] in SYSTEM_ROLES for message in messages)


Said = tuple[str, str, tuple[str, ...], str]
NOTHING_SAID: Said = ("assistant", "", (), "")


def _of_message(message: Message) -> Said:
    calls = tuple(str(call["id"]) for call in message.function_calls)
    return message.role, message.content, calls, message.tool_call_id


def _of_turn(turn: Turn) -> Said:
    calls = tuple(str(call.get("id") or "") for call in turn.function_calls)
    return turn.role, turn.content, calls, turn.tool_call_id


def _with_a_question(placing: Placing) -> Placing:
    """A run answers a message of the person's, below something new, so there must be both, be it an empty one."""
    asked = placing.last_of_person is not None or any(turn.role == "user" for turn in placing.turns)
    if asked and placing.turns:
        return placing
    return Placing(placing.above, (*placing.turns, Turn("user", "")), placing.repeats)


def _reworded(message: SentMessage, words: str) -> SentMessage:
    content = message["content"]
    others = [part for part in content if not _is_text(part)] if isinstance(content, list) else []
    reworded = message.copy()
    reworded["content"] = [{"type": "text", "text": words}, *others] if others else words
    return reworded


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text"

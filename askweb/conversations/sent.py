"""What was sent, to be read: a message's words, its images, and whatever else it had as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from askweb.accounts.models import User
from askweb.conversations.chips import raw_json
from askweb.conversations.entries import Picture, pictures_of
from askweb.images.sending import referred_image
from askweb.runs.models import Asking, Run
from prompts.shapes import SentMessage
from questions.deciding import ASK_USER
from questions.offering import names_of


@dataclass(frozen=True)
class Sent:
    role: str
    text: str
    pictures: Sequence[Picture]


def read_sent(person: User, messages: Sequence[SentMessage]) -> list[Sent]:
    """The messages of an assembly; an image that is gone stays the reference to it."""
    ids = {str(id_) for message in messages for part in _parts(message) if (id_ := referred_image(part))}
    pictures = pictures_of(person, ids)
    return [_sent(message, pictures) for message in messages]


def functions_of(run: Run) -> list[str]:
    """The names of the functions that went along with the messages."""
    ours = [ASK_USER] if run.asking_as == Asking.OFFERED else []
    return [*sorted(names_of(run.options)), *ours]


def _sent(message: SentMessage, pictures: Mapping[str, Picture]) -> Sent:
    texts: list[str] = []
    shown: list[Picture] = []
    for part in _parts(message):
        if picture := pictures.get(str(referred_image(part))):
            shown.append(picture)
        else:
            texts.append(_words(part))
    if calls := message.get("tool_calls"):
        texts.append(raw_json(cast(Any, calls)))
    return Sent(message["role"], "\n\n".join(filter(None, texts)), shown)


def _parts(message: SentMessage) -> Sequence[Any]:
    content = message.get("content")
    return content if isinstance(content, list) else [content or ""]


def _words(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else part
    return text if isinstance(text, str) else raw_json(part)

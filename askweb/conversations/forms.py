"""The composer as a plain form: what it posts becomes an envelope, and comes back when it can't be sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings
from django.utils.translation import get_language_info

from askweb.conversations.envelope import Envelope, read_envelope
from askweb.ids import new_id

MORE_LANGUAGES = ("ar", "de", "es", "fr", "hi", "it", "ko", "pt", "ru", "uk")


@dataclass(frozen=True)
class Draft:
    """What stands in the composer. `nonce` is the rendered form's own; `pending` says what becomes of questions
    that wait, "" where none do.
    """

    text: str = ""
    tool: str = ""
    language: str = ""
    nonce: str = ""
    temporary: bool = False
    pending: str = ""

    @property
    def client_id(self) -> str:
        """The same form with the same words posts once; with other words (after "back") it is another post."""
        more = [*(["temporary"] if self.temporary else []), *([self.pending] if self.pending else [])]
        words = "\0".join((self.text, self.tool, self.language, *more))
        return f"{self.nonce}:{sha256(words.encode()).hexdigest()[:32]}"

    def envelope(self) -> Envelope:
        """Raises a 422 `Problem` for a form that no page of ours has rendered."""
        meta = {
            "tool": self.tool or None,
            "language": self.language or None,
            "client_id": self.client_id,
            "store": not self.temporary,
            "pending": self.pending or None,
            "surface": "control_ui",
        }
        return read_envelope({"meta": meta, "messages": [{"role": "user", "content": self.text}]})


def new_draft() -> Draft:
    return Draft(text="", nonce=str(new_id()))


def read_draft(posted: Mapping[str, str]) -> Draft:
    """Forms send line breaks as CR LF, whatever was typed."""
    return Draft(
        text=posted.get("text", "").replace("\r\n", "\n"),
        tool=posted.get("tool", ""),
        language=posted.get("language", ""),
        nonce=posted.get("nonce", "")[:64] or str(new_id()),
        temporary="temporary" in posted,
        pending=posted.get("pending", ""),
    )


def answer_languages() -> list[str]:
    """Languages to answer in, each by its own name; the interface's come first."""
    codes = [code for code, _name in settings.LANGUAGES]
    return [get_language_info(code)["name_local"] for code in (*codes, *MORE_LANGUAGES)]

"""The panel as a plain form: what it posts, as the body of an answer, and as a draft when it can't be taken."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.http import QueryDict

from askweb.ids import new_id
from questions.models import Origin, QuestionSet
from questions.panel import Entry
from questions.reply_values import number


@dataclass(frozen=True)
class PostedForm:
    """`act` is "answer", "change", "skip", "really-skip" or "extend"; `nonce` is the rendered form's own."""

    act: str
    entries: dict[str, Entry]
    comment: str
    remember: bool
    nonce: str

    @property
    def client_id(self) -> str:
        """The same form with the same values counts once; with others, or the other button, it is another."""
        values = repr((self.act, self.entries, self.comment, self.remember))
        return f"{self.nonce}:{sha256(values.encode()).hexdigest()[:32]}"

    def body(self) -> dict[str, Any]:
        answers = {
            id_: {"options": entry["options"], "other": entry["other"] if entry["other_checked"] else None}
            for id_, entry in self.entries.items()
        }
        body = {"client_id": self.client_id, "answers": answers, "comment": self.comment}
        return {**body, "remember": True} if self.remember else body

    def typed(self) -> str:
        """All text of the form, so that it can be copied."""
        texts = [*(entry["other"] for entry in self.entries.values()), self.comment]
        return "\n".join(text for text in texts if text.strip())


def read_form(row: QuestionSet, posted: QueryDict) -> PostedForm:
    return PostedForm(
        act=posted.get("act", "answer"),
        entries={id_: _entry(posted, id_, is_followup=row.source == Origin.XML) for id_ in row.ids},
        comment=_text(posted, "comment"),
        remember="remember" in posted,
        nonce=posted.get("nonce", "")[:64] or str(new_id()),
    )


def _entry(posted: QueryDict, id_: str, *, is_followup: bool) -> Entry:
    """A follow-up's suggestion is a button: whoever presses it sends nothing else."""
    chosen = posted.getlist(f"q-{id_}")
    other = _text(posted, f"q-{id_}-other")
    options = [index for each in chosen if (index := number(each)) is not None]
    own = not options and bool(other.strip()) if is_followup else "other" in chosen
    return {"options": options, "other": other, "other_checked": own}


def _text(posted: QueryDict, name: str) -> str:
    """Forms send line breaks as CR LF, whatever was typed."""
    return posted.get(name, "").replace("\r\n", "\n")

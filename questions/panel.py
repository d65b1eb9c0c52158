"""What the panel of a question set shows: the questions, and what is chosen and typed so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from askweb.conversations.models import Conversation
from askweb.ids import new_id
from questions.labels import without_suffix
from questions.models import Origin, QuestionSet
from questions.resolving import expire_overdue
from questions.running_text import render_running_text
from questions.set_shapes import QuestionSetShape, question_set_shape
from questions.shapes import Question


class Entry(TypedDict):
    """One question in a draft. `other` stays while it is not checked."""

    options: list[int]
    other: str
    other_checked: bool


@dataclass(frozen=True)
class Choice:
    index: int
    label: str
    description: str
    recommended: bool
    chosen: bool


@dataclass(frozen=True)
class Asked:
    """A question as it is shown. `html` is safe."""

    id: str
    header: str
    html: str
    multi_select: bool
    choices: Sequence[Choice]
    other: str
    other_chosen: bool


@dataclass(frozen=True)
class Panel:
    """`state` is for the script, with the draft to begin from. `nonce` makes the same form count once."""

    row: QuestionSet
    questions: Sequence[Asked]
    comment: str
    nonce: str
    state: QuestionSetShape
    changes: bool = False

    @property
    def clock(self) -> str:
        minutes, seconds = divmod(self.state["seconds_left"], 60)
        return f"{minutes}:{seconds:02}"

    @property
    def is_followup(self) -> bool:
        return self.row.source == Origin.XML

    @property
    def can_remember(self) -> bool:
        return self.row.source == Origin.TOOL and not self.changes

    @property
    def has_more(self) -> bool:
        """Whether what is folded away holds something already."""
        return bool(self.comment)


def pending_panel(conversation: Conversation) -> Panel | None:
    """The panel of what is asked in a conversation right now."""
    rows = QuestionSet.objects.filter(conversation=conversation)
    expire_overdue(rows)
    row = rows.pending().first()
    return panel_of(row) if row else None


def panel_of(row: QuestionSet) -> Panel:
    """The panel of a pending set, with its draft."""
    draft = row.draft or {}
    return filled_panel(row, draft.get("answers", {}), draft.get("comment", ""))


def changing_panel(row: QuestionSet) -> Panel:
    """The panel of an answered set, with the answers that were given, to be changed."""
    entries = {key: _given(answers) for key, answers in (row.answers or {}).items()}
    return filled_panel(row, entries, row.comment, changes=True)


def filled_panel(
    row: QuestionSet, entries: Mapping[str, Any], comment: str, *, nonce: str = "", changes: bool = False
) -> Panel:
    known = {each.id: _entry(each, entries.get(each.id)) for each in row.asked()}
    state = question_set_shape(row)
    step = row.draft["step"] if row.draft and not changes else 0
    revision = 0 if changes else row.revision
    state["draft"] = {"answers": known, "comment": comment, "step": step, "revision": revision}
    asked = [_asked(question, known[question.id]) for question in row.asked()]
    return Panel(row, asked, comment, nonce or str(new_id()), state, changes)


def _given(answers: Sequence[Mapping[str, Any]]) -> Entry:
    typed = [each["value"] for each in answers if each["source"] == "other"]
    options = [each["index"] for each in answers if each["source"] == "option"]
    return {"options": options, "other": "\n".join(typed), "other_checked": bool(typed)}


def _entry(question: Question, kept: object) -> Entry:
    """What is missing is empty, and so is what makes no sense: drafts were not always checked."""
    found: Mapping[str, Any] = kept if isinstance(kept, Mapping) else {}
    posted = found.get("options")
    there_are = range(len(question.options))
    options = [index for index in there_are if isinstance(posted, list) and _holds(posted, index)]
    options = options if question.multi_select else options[:1]
    other = found["other"] if isinstance(found.get("other"), str) else ""
    checked = found.get("other_checked")
    checked = checked if isinstance(checked, bool) else bool(other) and not options
    may_check = question.multi_select or not options
    return {"options": options, "other": other, "other_checked": checked and may_check}


def _holds(posted: Sequence[object], index: int) -> bool:
    return any(type(each) is int and each == index for each in posted)


def _asked(question: Question, entry: Entry) -> Asked:
    choices = [
        Choice(
            index,
            without_suffix(option.label) if option.recommended else option.label,
            option.description,
            option.recommended,
            index in entry["options"],
        )
        for index, option in enumerate(question.options)
    ]
    return Asked(
        question.id,
        question.header,
        render_running_text(question.question),
        question.multi_select,
        choices,
        entry["other"],
        entry["other_checked"],
    )

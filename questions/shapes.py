"""What travels: questions, the call that asks them, answers, and the faults of a bad call."""

from dataclasses import dataclass
from typing import Literal

from questions.labels import is_recommended

Source = Literal["option", "other"]
Reason = Literal["skipped", "expired", "cancelled"]
FaultCode = Literal[
    "bad_id",
    "blank",
    "control_character",
    "duplicate_id",
    "duplicate_label",
    "missing",
    "not_integer",
    "only_other",
    "too_few",
    "too_long",
    "too_many",
    "unknown_key",
    "wrong_type",
]


@dataclass(frozen=True)
class Option:
    """A choice. The label is kept as authored, a "(Recommended)" included."""

    label: str
    description: str = ""

    @property
    def recommended(self) -> bool:
        return is_recommended(self.label)


@dataclass(frozen=True)
class Question:
    id: str
    header: str
    question: str
    options: tuple[Option, ...]
    multi_select: bool = False


@dataclass(frozen=True)
class QuestionCall:
    """A good call: one to three questions, and how long they may wait (30 to 3600 s)."""

    questions: tuple[Question, ...]
    timeout_seconds: int


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a call; `path` is like `questions[0].options[1].label`, "" for the whole call."""

    path: str
    code: FaultCode
    message: str


@dataclass(frozen=True)
class Answer:
    """One value a person gave; `index` counts options from 0 and is None for free text."""

    value: str
    source: Source
    index: int | None = None

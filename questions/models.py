"""Question sets: one to three questions that a run, a tool or a script asks the person at once."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.ids import new_id
from askweb.runs.models import Run
from askweb.runs.text_json import TextJSON
from questions.schema import LONGEST_TIMEOUT
from questions.shapes import Answer, Option, Question


class Origin(models.TextChoices):
    """Who asked: a function call, XML in a model's text, a tool before its first call, or a script."""

    FUNCTION = "function"
    XML = "xml"
    TOOL = "tool"
    API = "api"


class Status(models.TextChoices):
    PENDING = "pending"
    ANSWERED = "answered"
    SKIPPED = "skipped"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class QuestionSets(models.QuerySet["QuestionSet"]):
    def pending(self) -> Self:
        return self.filter(status=Status.PENDING)

    def overdue(self, now: datetime) -> Self:
        """Pending on paper, though their time is over."""
        return self.pending().filter(expires_at__lte=now)

    def of_a_time_to_come(self, now: datetime) -> Self:
        """Pending, and asked later than now: the clock was set back. Clocks of two machines may differ by a minute."""
        return self.pending().filter(created__gt=now + timedelta(minutes=1))

    def undelivered(self) -> Self:
        """Ended, and their run's model doesn't know yet."""
        return self.exclude(status=Status.PENDING).filter(delivered=False).order_by("id")


class QuestionSet(models.Model):
    """The questions as they were normalised, the draft of the answers, and how it ended.

    `place` is where in its run's reply it was asked: characters of content and reasoning, function calls, and
    turns sent, up to and with the call. `posted` is what a tool's prompt is assembled from once it is answered.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="question_sets")
    conversation = models.ForeignKey(Conversation, models.CASCADE, null=True, related_name="question_sets")
    run = models.ForeignKey(Run, models.CASCADE, null=True, related_name="question_sets")
    reply = models.ForeignKey(Message, models.CASCADE, null=True, related_name="question_sets")
    source = models.CharField(max_length=8, choices=Origin)
    tool = models.CharField(max_length=100, blank=True)
    questions = TextJSON()
    followup = TextJSON(null=True)
    call_id = models.TextField(blank=True)
    place = TextJSON(default=dict)
    posted = TextJSON(null=True)
    asked_as = models.CharField(max_length=200, null=True)  # noqa: DJ001 - unique where a client chose it
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    draft = TextJSON(null=True)
    revision = models.PositiveIntegerField(default=0, help_text="of the draft")
    status = models.CharField(max_length=9, choices=Status, default=Status.PENDING)
    answers = TextJSON(null=True)
    comment = models.TextField(blank=True)
    images = TextJSON(default=list)
    context = TextJSON(default=list, help_text="raw items that came with a message that was the answer")
    resolved_at = models.DateTimeField(null=True)
    resolved_as = models.CharField(max_length=200, blank=True, help_text="the client id of who ended it")
    surface = models.CharField(max_length=200, blank=True)
    device = models.CharField(max_length=200, blank=True)
    delivered = models.BooleanField(default=False)
    branch_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="branches")

    objects = QuestionSets.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                "conversation", condition=Q(status="pending"), name="question_set_one_pending"
            ),
            models.UniqueConstraint("user", "asked_as", name="question_set_asked_once"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="question_set_status"),
            models.CheckConstraint(condition=Q(source__in=Origin.values), name="question_set_source"),
        )
        indexes = (
            models.Index("expires_at", name="question_set_deadlines", condition=Q(status="pending")),
            models.Index("user", models.F("id").desc(), name="question_set_newest"),
        )

    def __str__(self) -> str:
        return f"question set {self.id} ({self.status})"

    @property
    def is_pending(self) -> bool:
        return self.status == Status.PENDING

    @property
    def last_moment(self) -> datetime:
        """Whatever moves the deadline, it is never later than this."""
        return self.created + timedelta(seconds=LONGEST_TIMEOUT)

    def seconds_left(self, now: datetime) -> int:
        left = (self.expires_at - now).total_seconds() if self.is_pending else 0
        return max(0, int(left))

    def asked(self) -> list[Question]:
        return [_question(each) for each in self.questions]

    def given(self) -> dict[str, list[Answer]]:
        """The answers by question, in the questions' order; empty unless it was answered."""
        answers = self.answers or {}
        return {
            each: [Answer(**answer) for answer in answers[each]] for each in self.ids if answers.get(each)
        }

    @property
    def ids(self) -> list[str]:
        return [each["id"] for each in self.questions]


class RememberedAnswer(models.Model):
    """A person's answer to a question of a tool, taken from then on without asking."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="remembered_answers")
    tool = models.CharField(max_length=100)
    question = models.CharField(max_length=64)
    values = TextJSON()
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint("user", "tool", "question", name="remembered_answer_once"),)

    def __str__(self) -> str:
        return f"{self.tool}: {self.question}"


def remembered_by(person: User, tool: str) -> dict[str, list[Answer]]:
    """The person's remembered answers to a tool's questions, by question."""
    rows = RememberedAnswer.objects.filter(user=person, tool=tool).values_list("question", "values")
    return {question: [Answer(**each) for each in values] for question, values in rows}


def stored_question(question: Question) -> dict[str, Any]:
    """A question as it is stored and shown."""
    options = [
        {"label": each.label, "description": each.description, "recommended": each.recommended}
        for each in question.options
    ]
    return {
        "id": question.id,
        "header": question.header,
        "question": question.question,
        "multi_select": question.multi_select,
        "options": options,
    }


def _question(stored: dict[str, Any]) -> Question:
    options = tuple(Option(each["label"], each["description"]) for each in stored["options"])
    return Question(
        stored["id"], stored["header"], stored["question"], options, multi_select=stored["multi_select"]
    )

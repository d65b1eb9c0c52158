"""Runs: one execution for one user message. The row is the truth; a browser only reads it."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone, translation

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.ids import new_id
from askweb.providers.models import Provider
from askweb.runs.text_json import TextJSON

LEASE = timedelta(seconds=30)
LONG_GONE = timedelta(minutes=10)


class State(models.TextChoices):
    QUEUED = "queued"
    STREAMING = "streaming"
    WAITING = "waiting"
    COMPLETED = "completed"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class Asking(models.TextChoices):
    """What becomes of a question that the model asks the person."""

    OFFERED = "offered", "put to them; the model is told that it can ask"
    ALLOWED = "allowed", "put to them"
    REFUSED = "refused", "answered with an error: nobody is there to ask"
    PASSED_ON = "passed_on", "left to the client, as any other text and function call"


ACTIVE = (State.QUEUED, State.STREAMING, State.WAITING)


class Runs(models.QuerySet["Run"]):
    def active(self) -> Self:
        return self.filter(state__in=ACTIVE)

    def under_way(self) -> Self:
        """Those that are written, or will be without anybody's doing."""
        return self.filter(state__in=(State.QUEUED, State.STREAMING))

    def queued(self) -> Self:
        return self.filter(state=State.QUEUED).order_by("created", "id")

    def streaming(self) -> Self:
        return self.filter(state=State.STREAMING)

    def left_behind(self) -> Self:
        """Streaming runs that nobody comes back for: their lease is over by more than a database is away, or a clock ahead."""
        return self.streaming().filter(lease_expires_at__lt=timezone.now() - LONG_GONE)


class Run(models.Model):
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="runs")
    message = models.ForeignKey(Message, models.CASCADE, related_name="runs")
    reply = models.ForeignKey(Message, models.CASCADE, related_name="reply_runs")
    state = models.CharField(max_length=11, choices=State, default=State.QUEUED)
    epoch = models.PositiveIntegerField(default=0)
    seq = models.PositiveIntegerField(default=0, help_text="of the last delta that is stored")
    provider = models.ForeignKey(Provider, models.SET_NULL, null=True, related_name="+")
    provider_slug = models.CharField(max_length=50)
    model = models.CharField(max_length=200)
    options = TextJSON(default=dict, help_text="more keys of the request, such as temperature")
    language = models.CharField(max_length=20, blank=True, help_text="of the interface when it was asked")
    code = models.CharField(max_length=50, null=True)  # noqa: DJ001 - null in the API, too
    error = models.TextField(null=True)  # noqa: DJ001 - null in the API, too
    retryable = models.BooleanField(null=True)
    finish = models.CharField(max_length=20, null=True)  # noqa: DJ001 - null in the API, too
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    steps = models.PositiveIntegerField(default=0, help_text="calls of the model")
    asking = models.CharField(max_length=9, choices=Asking, default=Asking.ALLOWED)
    mistakes = models.PositiveIntegerField(default=0, help_text="bad questions in a row")
    stop_requested_at = models.DateTimeField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    ended = models.DateTimeField(null=True)

    objects = Runs.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                "conversation",
                condition=Q(state__in=["queued", "streaming", "waiting"]),
                name="run_one_active",
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="run_state"),
            models.CheckConstraint(condition=Q(asking__in=Asking.values), name="run_asking"),
        )
        indexes = (
            models.Index(
                "state", "lease_expires_at", name="run_leases", condition=Q(state__in=["queued", "streaming"])
            ),
        )

    def __str__(self) -> str:
        return f"run {self.id} ({self.state})"

    @property
    def asking_as(self) -> Asking:
        return Asking(self.asking)

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    def in_language(self) -> translation.override:
        """While entered, texts for the person are in the language of the interface that they asked in."""
        return translation.override(self.language or settings.LANGUAGE_CODE)

    def claim(self, until: datetime | None = None) -> bool:
        """Take a queued run: the epoch rises, so whoever held it before can't write any more.

        `until` ends the first lease, 30 seconds from now otherwise.
        """
        claimed = Run.objects.filter(pk=self.pk, state=State.QUEUED, epoch=self.epoch).update(
            state=State.STREAMING,
            epoch=F("epoch") + 1,
            seq=0,
            steps=F("steps") + 1,
            lease_expires_at=until or timezone.now() + LEASE,
        )
        if claimed:
            self.state, self.epoch, self.seq = State.STREAMING, self.epoch + 1, 0
            self.steps += 1  # nobody else counts them: it is as it was read under this epoch
        return bool(claimed)

    def take_over(self) -> bool:
        """Take a streaming run from an owner whose lease has not changed since this row was read.

        The epoch rises, so that an owner who was only slow can't write a word more.
        """
        held = self.held().filter(state=State.STREAMING, lease_expires_at=self.lease_expires_at)
        taken = held.update(epoch=F("epoch") + 1, lease_expires_at=timezone.now() + LEASE)
        if taken:
            self.refresh_from_db(fields=["epoch", "lease_expires_at"])
        return bool(taken)

    def renew(self) -> bool:
        """Hold the lease for longer. False: the run is someone else's now, or over."""
        return bool(self.held().update(lease_expires_at=timezone.now() + LEASE))

    def end(self, state: State, **result: object) -> bool:
        """Move to a terminal state, once; False when the run had already moved on."""
        ended = timezone.now()
        moved = self.held().update(state=state, ended=ended, lease_expires_at=None, **result)
        if moved:
            self.refresh_from_db(fields=["state", *result])
        return bool(moved)

    def held(self) -> Runs:
        """This run, unless it is someone else's now, or over."""
        return Run.objects.filter(pk=self.pk, epoch=self.epoch, state__in=ACTIVE)


class ReplyChunks(models.QuerySet["ReplyChunk"]):
    def text(self) -> tuple[str, str]:
        """Content and reasoning of these chunks, joined."""
        rows = list(self.order_by("id").values_list("content", "reasoning"))
        return "".join(content for content, _ in rows), "".join(reasoning for _, reasoning in rows)

    def left_out_of(self, content: str, reasoning: str) -> tuple[str, str]:
        """The texts without what these chunks hold of their beginnings."""
        stored = self.text()
        return content.removeprefix(stored[0]), reasoning.removeprefix(stored[1])


class ReplyChunk(models.Model):
    """A checkpoint: what came after the checkpoint before. Folded into the message when the run ends."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    message = models.ForeignKey(Message, models.CASCADE, related_name="chunks")
    seq = models.PositiveIntegerField()
    content = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)

    objects = ReplyChunks.as_manager()

    def __str__(self) -> str:
        return f"chunk {self.pk} of {self.message_id}"


class DaysOfRuns(models.QuerySet["DayOfRuns"]):
    def count_one(self, person: User, most: int | None) -> bool:
        """Count a run that starts now. False, and nothing is counted, where there were `most` today.

        Until the caller's transaction ends, the person's other runs wait to be counted.
        """
        today: dict[str, Any] = {"user": person, "day": timezone.now().date()}
        counting = self.filter(**today) if most is None else self.filter(**today, runs__lt=most)
        if counting.update(runs=F("runs") + 1):
            return True
        _row, is_first = self.get_or_create(**today)
        return is_first and bool(counting.update(runs=F("runs") + 1))

    def today(self) -> int:
        """How many there were, of all these people's."""
        counted: int | None = self.filter(day=timezone.now().date()).aggregate(runs=models.Sum("runs"))[
            "runs"
        ]
        return counted or 0


class DayOfRuns(models.Model):
    """How many runs a person started on a day, in UTC; it stays when their conversations are deleted."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="days_of_runs")
    day = models.DateField()
    runs = models.PositiveIntegerField(default=0)

    objects = DaysOfRuns.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint("user", "day", name="day_of_runs"),)

    def __str__(self) -> str:
        return f"{self.runs} on {self.day}"

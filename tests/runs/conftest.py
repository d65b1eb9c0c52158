"""Runs in every state, without an engine: tests claim, write and settle them by hand."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.providers.models import Provider
from askweb.runs.checkpointing import Checkpoint
from askweb.runs.models import Run, State

MakeRun = Callable[..., Run]


@pytest.fixture
def make_run(person: User, provider: Provider) -> MakeRun:
    def make(state: str = "queued", *, owner: User = person, **fields: object) -> Run:
        conversation = Conversation.objects.create(user=owner)
        message = Message.objects.create(conversation=conversation, role="user", content="Hi")
        reply = Message.objects.create(
            conversation=conversation, parent=message, role="assistant", state=Message.State.STREAMING
        )
        if state == State.STREAMING:
            fields = {"epoch": 1, "lease_expires_at": timezone.now() + timedelta(seconds=30), **fields}
        row = {"provider": provider, "provider_slug": provider.slug, "model": "parrot", **fields}
        return Run.objects.create(conversation=conversation, message=message, reply=reply, state=state, **row)

    return make


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    """A run that waits for its turn."""
    return make_run()


@pytest.fixture
def streaming(make_run: MakeRun) -> Run:
    """A run that is being written, in its first epoch."""
    return make_run("streaming")


def checkpoint(run: Run, content: str, *, reasoning: str = "", seq: int = 1) -> Checkpoint:
    return Checkpoint(run.pk, run.reply_id, run.epoch, seq - 1, seq, content, reasoning)

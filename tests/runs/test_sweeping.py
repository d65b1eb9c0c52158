"""What nobody looks after is brought to its end, or back to work."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Conversation, Message
from askweb.conversations.packing import store_packed
from askweb.providers.models import Provider
from askweb.runs.models import Run
from askweb.runs.start_up import start_up
from askweb.runs.sweeping import TEMPORARY_LIFE, remove_temporary, waiting_to_run
from prompts.models import Tool
from tests.runs.conftest import MakeRun

pytestmark = pytest.mark.django_db


def expire(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now() - timedelta(hours=1))


def test_queued_runs_are_taken_up_oldest_first(make_run: MakeRun, other_person: User, person: User) -> None:
    first, second = make_run(owner=other_person), make_run()
    make_run("streaming")
    assert waiting_to_run() == [(first.pk, other_person.pk), (second.pk, person.pk)]


class TestTemporaryConversations:
    @pytest.fixture
    def temporary(self, make_run: MakeRun) -> Conversation:
        run = make_run("completed")
        Conversation.objects.update(temporary=True)
        return run.conversation

    def let_pass(self, moved: timedelta) -> None:
        for row in Conversation.objects.exclude(expires_at=None):
            row.expires_at -= moved  # type: ignore[operator]
            row.save()

    def test_go_ten_minutes_after_the_last_subscriber_left(self, temporary: Conversation) -> None:
        remove_temporary([temporary.pk])
        self.let_pass(TEMPORARY_LIFE - timedelta(seconds=5))
        remove_temporary([])
        assert Conversation.objects.exists()
        self.let_pass(timedelta(seconds=6))
        remove_temporary([])
        assert not Conversation.objects.exists()
        assert not Message.objects.exists()

    def test_stay_while_somebody_watches(self, temporary: Conversation) -> None:
        for _sweep in range(3):
            remove_temporary([temporary.pk])
            self.let_pass(TEMPORARY_LIFE * 2)
        remove_temporary([temporary.pk])
        assert Conversation.objects.exists()

    def test_stay_while_an_answer_is_written(self, temporary: Conversation) -> None:
        Run.objects.update(state="streaming")
        for _sweep in range(3):
            remove_temporary([])
            self.let_pass(TEMPORARY_LIFE * 2)
        remove_temporary([])
        assert Conversation.objects.exists()

    def test_that_nobody_ever_watched_have_ten_minutes(self, temporary: Conversation) -> None:
        remove_temporary([])
        assert Conversation.objects.exists()
        self.let_pass(TEMPORARY_LIFE + timedelta(seconds=1))
        remove_temporary([])
        assert not Conversation.objects.exists()

    def test_take_their_contents_with_them(self, temporary: Conversation) -> None:
        message = temporary.messages.first()
        store_packed([(ContextItem(message=message, position=0, kind="page"), "x" * 5000)])
        temporary.remove()
        assert not Content.objects.exists()

    def test_are_all_that_goes(self, make_run: MakeRun) -> None:
        make_run("completed")
        Conversation.objects.update(expires_at=timezone.now() - timedelta(days=1))
        remove_temporary([])
        assert Conversation.objects.exists()


class TestStartingUp:
    def test_makes_owner_tools_and_the_local_provider_once(self, person: Any) -> None:
        for _again in range(2):
            start_up()
        assert (User.objects.count(), Provider.objects.filter(slug="local").count()) == (1, 1)
        assert Tool.objects.filter(owner=None).count() == 10

    def test_interrupts_what_a_crash_left_behind(self, streaming: Run) -> None:
        expire(streaming)
        start_up()
        assert Run.objects.get().state == "interrupted"

"""Every transition is one compare-and-set; whoever loses changes nothing."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from askweb.conversations.models import Conversation, Message
from askweb.providers.errors import ProviderError
from askweb.runs.checkpointing import save_checkpoints
from askweb.runs.engine import engine
from askweb.runs.models import LEASE, ReplyChunk, Run, State
from askweb.runs.retrying import announce_retry
from askweb.runs.settling import Rendered, UnsavedText, settle
from askweb.runs.stopping import stop_run
from tests.runs.conftest import MakeRun, checkpoint

pytestmark = pytest.mark.django_db

TERMINAL = [State.COMPLETED, State.STOPPED, State.FAILED, State.INTERRUPTED]


def again(run: Run) -> Run:
    return Run.objects.get(pk=run.pk)


class TestClaiming:
    def test_takes_a_queued_run_under_a_new_epoch(self, run: Run) -> None:
        assert run.claim()
        assert (run.state, run.epoch, run.seq, run.steps) == ("streaming", 1, 0, 1)
        assert again(run).lease_expires_at is not None

    def test_has_one_winner(self, run: Run) -> None:
        other = again(run)
        assert (run.claim(), other.claim()) == (True, False)
        assert again(run).epoch == 1

    @pytest.mark.parametrize("state", [State.STREAMING, State.WAITING, *TERMINAL])
    def test_takes_no_run_in_another_state(self, run: Run, state: State) -> None:
        Run.objects.update(state=state)
        assert not run.claim()
        assert again(run).state == state


class TestTheLease:
    def test_is_renewed_by_its_owner(self, streaming: Run) -> None:
        Run.objects.update(lease_expires_at=timezone.now())
        assert streaming.renew()
        assert again(streaming).lease_expires_at > timezone.now() + LEASE - timedelta(seconds=5)  # type: ignore[operator]

    def test_is_not_renewed_under_an_old_epoch(self, streaming: Run) -> None:
        Run.objects.update(epoch=2)
        assert not streaming.renew()

    def test_is_taken_over_under_a_new_epoch(self, streaming: Run) -> None:
        assert streaming.take_over()
        assert (streaming.epoch, again(streaming).epoch) == (2, 2)

    def test_is_not_over_again_at_once_when_it_was_taken_over(self, make_run: MakeRun) -> None:
        run = make_run("streaming", lease_expires_at=timezone.now() - LEASE)
        run.take_over()
        assert again(run).lease_expires_at > timezone.now()
        assert run.lease_expires_at == again(run).lease_expires_at

    def test_is_not_taken_over_when_it_was_renewed_meanwhile(self, streaming: Run) -> None:
        again(streaming).renew()
        assert not streaming.take_over()


class TestAnOldEpoch:
    @pytest.fixture
    def old(self, streaming: Run) -> Run:
        """What a process holds that was believed dead."""
        Run.objects.update(epoch=2)
        return streaming

    def test_saves_no_checkpoint(self, old: Run) -> None:
        assert save_checkpoints([checkpoint(old, "late")]) == {old.pk}
        assert not ReplyChunk.objects.exists()

    @pytest.mark.parametrize("state", TERMINAL)
    def test_settles_nothing(self, old: Run, state: State) -> None:
        assert settle(old, state, UnsavedText("late")) is False
        assert (again(old).state, Message.objects.get(pk=old.reply_id).content) == ("streaming", "")

    def test_tells_of_no_retry(self, old: Run) -> None:
        error = ProviderError("provider.timeout", "Slow.")
        announce_retry(old, attempt=1, seconds=1.0, error=error)
        assert Conversation.objects.get(pk=old.conversation_id).revision == old.conversation.revision

    def test_does_not_keep_others_from_saving(self, old: Run, make_run: MakeRun) -> None:
        new = make_run("streaming")
        assert save_checkpoints([checkpoint(old, "late"), checkpoint(new, "text")]) == {old.pk}
        assert ReplyChunk.objects.get().content == "text"


class TestOneActiveRun:
    @pytest.mark.parametrize("state", [State.QUEUED, State.STREAMING, State.WAITING])
    def test_is_all_a_conversation_may_have(self, run: Run, state: State) -> None:
        Run.objects.update(state=state)
        fields = {"conversation": run.conversation, "message": run.message, "reply": run.reply, "model": "m"}
        with pytest.raises(IntegrityError), transaction.atomic():
            Run.objects.create(**fields)

    @pytest.mark.parametrize("state", TERMINAL)
    def test_may_follow_one_that_has_ended(self, run: Run, state: State) -> None:
        Run.objects.update(state=state)
        Run.objects.create(conversation=run.conversation, message=run.message, reply=run.reply, model="m")

    def test_in_no_other_than_the_known_states(self, run: Run) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Run.objects.update(state="asleep")


class TestCheckpoints:
    def test_are_added_and_never_written_again(self, streaming: Run) -> None:
        for seq, text in enumerate(["a", "b", "c"], start=1):
            assert save_checkpoints([checkpoint(streaming, text, reasoning=text.upper(), seq=seq)]) == set()
        assert ReplyChunk.objects.text() == ("abc", "ABC")
        assert (again(streaming).seq, ReplyChunk.objects.count()) == (3, 3)

    def test_without_text_only_renew_the_lease(self, streaming: Run) -> None:
        Run.objects.update(lease_expires_at=timezone.now())
        save_checkpoints([checkpoint(streaming, "")])
        assert not ReplyChunk.objects.exists()
        assert again(streaming).lease_expires_at > timezone.now()

    def test_show_in_the_message_while_it_is_written(self, api: APIClient, streaming: Run) -> None:
        save_checkpoints([checkpoint(streaming, "so far", reasoning="why")])
        message = api.get(f"/api/messages/{streaming.reply_id}/").json()
        assert (message["content"], message["reasoning"], message["state"]) == ("so far", "why", "streaming")


class TestSettling:
    def test_folds_checkpoints_and_the_rest_once(self, streaming: Run) -> None:
        for seq, text in enumerate(["**a", "b"], start=1):
            save_checkpoints([checkpoint(streaming, text, reasoning="r", seq=seq)])
        assert settle(streaming, State.COMPLETED, UnsavedText("c**", "s"), finish="stop")
        reply = Message.objects.get(pk=streaming.reply_id)
        assert (reply.content, reply.reasoning, reply.state) == ("**abc**", "rrs", "complete")
        assert "<strong>abc</strong>" in reply.html
        assert not ReplyChunk.objects.exists()

    def test_happens_once(self, streaming: Run) -> None:
        assert settle(streaming, State.COMPLETED, UnsavedText("a"))
        assert not settle(streaming, State.FAILED, UnsavedText("b"))
        assert (again(streaming).state, Message.objects.get(pk=streaming.reply_id).content) == (
            "completed",
            "a",
        )

    def test_sees_a_checkpoint_that_was_saved_while_it_rendered(
        self, streaming: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save_checkpoints([checkpoint(streaming, "a")])
        late = [checkpoint(streaming, "b", seq=2)]

        def render(text: str, questions: object) -> str:
            if late:
                save_checkpoints([late.pop()])
            return text

        monkeypatch.setattr("askweb.runs.settling.render_around", render)
        settle(streaming, State.STOPPED, UnsavedText("c"))
        reply = Message.objects.get(pk=streaming.reply_id)
        assert (reply.content, reply.html) == ("abc", "abc")

    def test_takes_what_was_rendered_before(self, streaming: Run) -> None:
        rendered = Rendered("a [1]", "<p>Linked.</p>", [{"n": 1, "xpath": "/p", "digest": "d"}])
        settle(streaming, State.COMPLETED, UnsavedText("a [1]"), rendered)
        reply = Message.objects.get(pk=streaming.reply_id)
        assert (reply.html, reply.citations) == (rendered.html, rendered.citations)

    def test_appends_to_what_the_reply_holds_already(self, streaming: Run) -> None:
        Message.objects.filter(pk=streaming.reply_id).update(content="one ")
        save_checkpoints([checkpoint(streaming, "two ")])
        settle(streaming, State.COMPLETED, UnsavedText("three"))
        assert Message.objects.get(pk=streaming.reply_id).content == "one two three"

    @pytest.mark.parametrize(
        ("state", "of_reply"),
        [
            ("completed", "complete"),
            ("stopped", "stopped"),
            ("failed", "failed"),
            ("interrupted", "interrupted"),
        ],
    )
    def test_says_how_it_ended(self, api: APIClient, streaming: Run, state: Any, of_reply: str) -> None:
        settle(
            streaming,
            State(state),
            code="provider.timeout",
            error="Slow.",
            retryable=True,
            prompt_tokens=7,
            completion_tokens=0,
        )
        shape = api.get(f"/api/runs/{streaming.pk}/").json()
        assert (shape["state"], shape["code"], shape["error"], shape["retryable"]) == (
            state,
            "provider.timeout",
            "Slow.",
            True,
        )
        assert shape["usage"] == {"prompt_tokens": 7, "completion_tokens": 0}
        assert api.get(f"/api/messages/{streaming.reply_id}/").json()["state"] == of_reply

    def test_lets_the_next_run_begin(self, streaming: Run) -> None:
        settle(streaming, State.COMPLETED)
        assert not streaming.conversation.runs.active().exists()
        assert (again(streaming).ended, again(streaming).lease_expires_at) != (None, None)


class TestStopping:
    def test_ends_a_queued_run_here_and_now(self, api: APIClient, run: Run) -> None:
        answer = api.post(f"/api/runs/{run.pk}/stop/")
        assert (answer.status_code, answer.json()["state"]) == (200, "stopped")
        assert Message.objects.get(pk=run.reply_id).state == "stopped"

    def test_ends_a_waiting_run_which_nobody_executes(self, api: APIClient, make_run: MakeRun) -> None:
        assert api.post(f"/api/runs/{make_run('waiting').pk}/stop/").json()["state"] == "stopped"

    def test_asks_the_owner_of_a_streaming_run(self, api: APIClient, streaming: Run) -> None:
        assert api.post(f"/api/runs/{streaming.pk}/stop/").json()["state"] == "streaming"
        assert again(streaming).stop_requested_at is not None

    def test_again_changes_nothing(self, api: APIClient, streaming: Run) -> None:
        api.post(f"/api/runs/{streaming.pk}/stop/")
        asked = again(streaming).stop_requested_at
        answer = api.post(f"/api/runs/{streaming.pk}/stop/")
        assert (answer.status_code, again(streaming).stop_requested_at) == (200, asked)

    @pytest.mark.parametrize("state", TERMINAL)
    def test_leaves_what_has_ended_as_it_ended(self, api: APIClient, make_run: MakeRun, state: State) -> None:
        run = make_run(state)
        assert api.post(f"/api/runs/{run.pk}/stop/").json()["state"] == state
        assert again(run).stop_requested_at is None

    def test_reaches_who_writes_before_the_database_is_asked(
        self, streaming: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[bool] = []

        def request_stop(run_id: UUID) -> None:
            asked.append(again(streaming).stop_requested_at is not None)

        monkeypatch.setattr(engine, "request_stop", request_stop)
        stop_run(streaming)
        assert asked[0] is False

    def test_of_a_run_that_was_claimed_meanwhile_is_left_to_its_owner(self, run: Run) -> None:
        again(run).claim()
        stop_run(run)
        assert (again(run).state, again(run).stop_requested_at is None) == ("streaming", False)

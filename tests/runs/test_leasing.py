"""Runs whose owner is gone are ended; those whose owner lives are left alone, whatever the clocks say."""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from pytest_django import Settings

from askweb.runs import leasing
from askweb.runs.checkpointing import save_checkpoints
from askweb.runs.leasing import LOOK_SECONDS, Leases, interrupt_left_behind
from askweb.runs.models import LEASE, Run, State
from askweb.runs.settling import settle
from tests.runs.conftest import MakeRun, checkpoint

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
WITHIN = LEASE.total_seconds() + LOOK_SECONDS
"""Seconds in which an owner that is gone is found, from its last sign of life."""


class Watch:
    """One process that looks at leases while its time passes, and what owners do meanwhile."""

    def __init__(self) -> None:
        self.now = 0.0
        self.leases = Leases(lambda: self.now)

    def let_pass(
        self, seconds: float = WITHIN, *, alive: tuple[Run, ...] = (), meanwhile: Callable[[], object] = bool
    ) -> None:
        for _look in range(int(seconds / LOOK_SECONDS)):
            self.leases.interrupt_abandoned([run.pk for run in alive])
            self.now += LOOK_SECONDS
            meanwhile()


@pytest.fixture
def watch() -> Watch:
    return Watch()


def set_lease(run: Run, ahead: timedelta) -> None:
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now() + ahead)


def _settle_unless(broken: Run, run: Run, state: State, **result: object) -> bool:
    if run.pk == broken.pk:
        raise RuntimeError("a bug")
    return settle(run, state, **result)


class TestAbandonedRuns:
    def test_are_interrupted_with_the_text_so_far(self, streaming: Run, watch: Watch) -> None:
        save_checkpoints([checkpoint(streaming, "so far")])
        watch.let_pass()
        run = Run.objects.select_related("reply").get()
        assert (run.state, run.code, run.retryable) == ("interrupted", "run.interrupted", True)
        assert (run.reply.content, run.reply.state) == ("so far", "interrupted")

    @pytest.mark.parametrize("ahead", [-HOUR, HOUR], ids=["forward", "back"])
    def test_are_found_in_their_time_though_the_clock_was_set(
        self, streaming: Run, watch: Watch, ahead: timedelta
    ) -> None:
        set_lease(streaming, ahead)
        watch.let_pass(LEASE.total_seconds())
        assert Run.objects.get().state == "streaming"
        watch.let_pass(LOOK_SECONDS)
        assert Run.objects.get().state == "interrupted"

    def test_are_lost_to_an_owner_who_wakes_up(self, streaming: Run, watch: Watch) -> None:
        watch.let_pass()
        assert save_checkpoints([checkpoint(streaming, "late")]) == {streaming.pk}
        assert settle(streaming, State.COMPLETED) is False

    @pytest.mark.parametrize("ahead", [-HOUR, HOUR], ids=["forward", "back"])
    def test_are_not_those_whose_owner_lives_by_another_clock(
        self, streaming: Run, watch: Watch, ahead: timedelta
    ) -> None:
        set_lease(streaming, ahead)
        watch.let_pass(10 * WITHIN, meanwhile=lambda: set_lease(streaming, ahead))
        assert Run.objects.get().state == "streaming"

    def test_are_not_those_whose_lease_is_renewed_as_they_are_taken(
        self, streaming: Run, watch: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        watch.let_pass(LEASE.total_seconds())
        unchanged = watch.leases._unchanged()
        streaming.renew()
        monkeypatch.setattr(watch.leases, "_unchanged", lambda: unchanged)
        watch.leases.interrupt_abandoned()
        assert (unchanged, Run.objects.get().state) == ([streaming.pk], "streaming")

    def test_are_not_those_whose_owner_could_not_reach_the_database_either(
        self, streaming: Run, watch: Watch
    ) -> None:
        watch.let_pass(LEASE.total_seconds())
        watch.leases.forget()
        watch.let_pass(LEASE.total_seconds())
        assert Run.objects.get().state == "streaming"

    def test_are_not_those_that_this_process_still_writes(self, streaming: Run, watch: Watch) -> None:
        watch.let_pass(alive=(streaming,))
        assert Run.objects.get().state == "streaming"

    def test_are_ended_even_where_another_can_not_be(
        self,
        make_run: MakeRun,
        watch: Watch,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        broken, whole = make_run("streaming"), make_run("streaming")
        monkeypatch.setattr(leasing, "settle", partial(_settle_unless, broken))
        with caplog.at_level(logging.CRITICAL, leasing.logger.name):
            watch.let_pass()
        assert [Run.objects.get(pk=run.pk).state for run in (broken, whole)] == ["streaming", "interrupted"]

    @pytest.mark.parametrize("state", ["queued", "waiting", "completed"])
    def test_are_only_those_that_stream(self, make_run: MakeRun, watch: Watch, state: str) -> None:
        set_lease(make_run(state), -HOUR)
        watch.let_pass()
        assert Run.objects.get().state == state


class TestAtStart:
    def test_on_sqlite_all_that_stream_are_interrupted(self, streaming: Run, settings: Settings) -> None:
        settings.ON_SQLITE = True
        set_lease(streaming, HOUR)
        interrupt_left_behind()
        assert Run.objects.get().state == "interrupted"

    @pytest.mark.parametrize(
        ("ahead", "state"),
        [(HOUR, "streaming"), (timedelta(minutes=-9), "streaming"), (-HOUR, "interrupted")],
    )
    def test_on_postgresql_those_whose_lease_is_long_over(
        self, streaming: Run, settings: Settings, ahead: timedelta, state: str
    ) -> None:
        settings.ON_SQLITE = False
        set_lease(streaming, ahead)
        interrupt_left_behind()
        assert Run.objects.get().state == state

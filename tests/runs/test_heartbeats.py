"""Heartbeats: where a conversation stands, for clients that missed something."""

import pytest
from pytest_django import DjangoAssertNumQueries

from askweb.conversations.models import Conversation
from askweb.ids import new_id
from askweb.runs.heartbeats import Standing, standings
from tests.runs.conftest import MakeRun

pytestmark = pytest.mark.django_db


def test_an_active_run_gives_its_place(make_run: MakeRun) -> None:
    run = make_run("streaming", epoch=2, seq=7)
    assert standings([run.conversation_id]) == [Standing(run.conversation_id, 1, run.pk, 2, 7)]


def test_without_an_active_run_the_place_is_0(make_run: MakeRun) -> None:
    run = make_run("completed", epoch=2, seq=7)
    Conversation.objects.update(revision=5)
    assert standings([run.conversation_id]) == [Standing(run.conversation_id, 5, None, 0, 0)]


def test_what_is_no_conversation_stands_nowhere() -> None:
    assert standings([new_id()]) == []


def test_any_number_takes_two_queries(
    make_run: MakeRun, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    runs = [make_run("streaming") for _ in range(5)]
    with django_assert_num_queries(2):
        assert len(standings([run.conversation_id for run in runs])) == 5

"""Two at the same moment: no limit is passed by coming twice, and no server loses its last owner."""

from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from askweb.accounts.changing import change_person
from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.runs.models import DayOfRuns, Run
from tests.limits.conftest import ask, limit
from tests.people import client_of
from tests.threads import InThread, somebody_waits
from tests.waiting import until

pytestmark = pytest.mark.postgresql


@pytest.mark.parametrize("limits", [{"runs_at_once": 1}, {"runs_per_day": 2}])
def test_two_posts_at_once_are_counted_one_after_the_other(
    in_thread: InThread, api: APIClient, person: User, limits: dict[str, int]
) -> None:
    DayOfRuns.objects.count_one(person, None)
    limit(person, **limits)
    other, answers = client_of(person), list[Any]()
    with transaction.atomic():
        ask(api)
        in_thread(lambda: answers.append(ask(other).status_code))
        until("it waits to be counted", somebody_waits)
    in_thread.join()
    assert answers == [429]
    assert Run.objects.count() == 1


def test_of_two_owners_who_demote_each_other_one_stays(
    in_thread: InThread, person: User, other_person: User
) -> None:
    change_person(other_person, {"role": "owner"})
    refused: list[str] = []

    def demote() -> None:
        try:
            change_person(other_person, {"role": "reader"})
        except Problem as problem:
            refused.append(problem.code)

    with transaction.atomic():
        change_person(person, {"role": "reader"})
        in_thread(demote)
        until("it waits for the owners", somebody_waits)
    in_thread.join()
    assert refused == ["owner.last"]
    assert list(User.objects.owners()) == [other_person]

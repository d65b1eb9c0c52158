"""Which limits hold: the person's own, else the operator's, else those for several people."""

import pytest
from pytest_django import Settings

from askweb.accounts.models import User
from askweb.limits.deciding import AMONG_SEVERAL, Limits, limits_of

pytestmark = pytest.mark.django_db


def test_nobody_is_limited_who_is_alone(person: User) -> None:
    assert limits_of(person) == Limits()


def test_several_people_are(person: User, other_person: User) -> None:
    assert limits_of(person) == limits_of(other_person) == AMONG_SEVERAL


def test_who_may_not_sign_in_is_no_company(person: User, other_person: User) -> None:
    User.objects.filter(pk=other_person.pk).update(is_active=False)
    assert limits_of(person) == Limits()


def test_the_operators_hold_for_one_alone_too(person: User, settings: Settings) -> None:
    settings.ASKWEB_PERSON_LIMITS = {**settings.ASKWEB_PERSON_LIMITS, "runs_per_day": 7}
    assert limits_of(person) == Limits(runs_per_day=7)


def test_ones_own_come_first(other_person: User, settings: Settings) -> None:
    settings.ASKWEB_PERSON_LIMITS = {**settings.ASKWEB_PERSON_LIMITS, "runs_per_day": 7}
    other_person.limit_runs_per_day, other_person.limit_storage = 0, 10**12
    expected = Limits(AMONG_SEVERAL.runs_at_once, 0, 10**12)
    assert limits_of(other_person) == expected

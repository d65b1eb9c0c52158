"""What an open socket stands on, and when that is gone."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from rest_framework.test import APIClient

from askweb.accounts import ending
from askweb.accounts.access import Access, lost
from askweb.accounts.ending import person_group, session_group
from askweb.accounts.models import Device, SocketTicket, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def by_device(person: User) -> Access:
    return Access(person, person.new_device("Phone")[0].pk)


@pytest.fixture
def by_session(person: User) -> Access:
    client = Client()
    client.force_login(person)
    return Access(person, session_key=client.session.session_key or "")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The groups that are told once the transaction has committed."""
    groups: list[str] = []
    monkeypatch.setattr(ending, "_tell", lambda group, *, doubted: groups.append(group))
    return groups


def set_password(access: Access) -> None:
    access.person.set_password("another")
    access.person.save()


SESSION_ENDS: list[Callable[[Access], object]] = [
    lambda access: Session.objects.all().delete(),
    lambda access: Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1)),
    lambda access: User.objects.update(is_active=False),
    set_password,
]


def test_what_stands_is_not_lost(by_device: Access, by_session: Access) -> None:
    assert lost([by_device, by_session]) == set()


def test_a_revoked_devices_alone_is_lost(by_device: Access, by_session: Access) -> None:
    Device.objects.all().delete()
    assert lost([by_device, by_session]) == {by_device}


@pytest.mark.parametrize("end", SESSION_ENDS, ids=["signed out", "too old", "deactivated", "password"])
def test_an_ended_sessions_is_lost(by_session: Access, end: Callable[[Access], object]) -> None:
    end(by_session)
    assert lost([by_session]) == {by_session}


def test_a_deactivated_persons_is_lost(by_device: Access, by_session: Access, other_person: User) -> None:
    other = Access(other_person, other_person.new_device("Theirs")[0].pk)
    User.objects.filter(pk=by_device.person.pk).update(is_active=False)
    assert lost([by_device, by_session, other]) == {by_device, by_session}


def test_another_persons_session_is_none(by_session: Access, other_person: User) -> None:
    taken = Access(other_person, session_key=by_session.session_key)
    assert lost([taken]) == {taken}


def test_who_is_told_says_nothing_of_the_cookie(by_session: Access) -> None:
    assert by_session.session_key not in str(by_session.groups)


class TestTelling:
    def test_of_a_device_that_is_revoked(
        self,
        by_device: Access,
        told: list[str],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            Device.objects.get().revoke()
        assert told == [by_device.groups[1]]

    @pytest.mark.parametrize(
        ("path", "fields"),
        [
            ("/admin/accounts/device/{id}/delete/", {}),
            ("/admin/accounts/device/", {"action": "delete_selected", "_selected_action": "{id}"}),
        ],
        ids=["alone", "selected"],
    )
    def test_of_a_device_that_is_deleted_in_the_admin(
        self,
        client: Client,
        by_device: Access,
        told: list[str],
        path: str,
        fields: dict[str, str],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        client.force_login(by_device.person)
        id_ = str(by_device.device)
        data = {"post": "yes", **{name: text.format(id=id_) for name, text in fields.items()}}
        with django_capture_on_commit_callbacks(execute=True):
            client.post(path.format(id=id_), data)
        assert told == [by_device.groups[1]]

    def test_of_a_session_that_is_signed_out(
        self,
        client: Client,
        person: User,
        told: list[str],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        client.force_login(person)
        group = session_group(client.session.session_key or "")
        with django_capture_on_commit_callbacks(execute=True):
            client.post("/sign-out/")
        assert told == [group]

    def test_of_a_person_who_is_deactivated_or_deleted(
        self,
        other_person: User,
        told: list[str],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        group = person_group(other_person.pk)
        with django_capture_on_commit_callbacks(execute=True):
            other_person.save()
        assert told == []
        other_person.is_active = False
        with django_capture_on_commit_callbacks(execute=True):
            other_person.save()
            other_person.delete()
        assert told == [group, group]

    def test_should_it_fail_the_device_is_revoked_all_the_same(
        self,
        by_device: Access,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        async def fail(group: str, message: object) -> None:
            raise ConnectionError

        monkeypatch.setattr(get_channel_layer(), "group_send", fail)
        with django_capture_on_commit_callbacks(execute=True):
            Device.objects.get().revoke()
        assert not Device.objects.exists()
        assert "ConnectionError" in caplog.text


class TestATicket:
    def test_remembers_the_device_that_asked(self, api: APIClient) -> None:
        api.post("/api/socket-tickets/")
        assert SocketTicket.objects.get().device == Device.objects.get()

    def test_remembers_the_session_that_asked(self, person: User) -> None:
        client = APIClient()
        client.force_login(person)
        client.post("/api/socket-tickets/")
        ticket = SocketTicket.objects.get()
        assert (ticket.device, ticket.session_key) == (None, client.session.session_key)

    def test_goes_with_its_device(self, api: APIClient) -> None:
        ticket = api.post("/api/socket-tickets/").json()["ticket"]
        Device.objects.get().revoke()
        assert SocketTicket.objects.use(ticket) is None

"""Invitations: a link that is handed over, and lets one person in, once."""

import logging
from datetime import timedelta
from http import HTTPStatus
from io import StringIO
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from askweb.accounts.invitations import Invitation
from askweb.accounts.inviting import NewPerson, invite
from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.errors import Problem
from tests.accounts.conftest import PASSWORD, is_signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("person")]

CHOSEN = {"username": "mei", "password": PASSWORD, "password_again": PASSWORD}


@pytest.fixture
def path() -> str:
    return f"/invitations/{invite({'name': 'Mei', 'email': 'mei@example.org', 'role': 'staff'})[1]}/"


def expire() -> None:
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


class TestInviting:
    def test_takes_no_more_than_a_name(self) -> None:
        invitation, _token = invite({"name": " Mei "})
        assert (invitation.name, invitation.email, invitation.role) == ("Mei", "", Role.READER)

    def test_holds_for_7_days(self, path: str) -> None:
        life = Invitation.objects.get().expires_at - timezone.now()
        assert timedelta(days=6, hours=23) < life <= timedelta(days=7)
        assert [each.name for each in Invitation.objects.pending()] == ["Mei"]

    def test_stores_the_token_as_a_hash(self, path: str) -> None:
        token = path.split("/")[2]
        assert token not in str(Invitation.objects.values().get())

    def test_forgets_those_that_are_too_old(self, path: str) -> None:
        expire()
        invite({"name": "Ana"})
        assert Invitation.objects.get().name == "Ana"

    @pytest.mark.parametrize(
        ("data", "faulty"),
        [
            ({}, ["name"]),
            ({"name": ""}, ["name"]),
            ({"name": "x" * 101}, ["name"]),
            ({"name": "a\nb"}, ["name"]),
            ({"name": 1}, ["name"]),
            ({"name": "Mei", "email": "nonsense"}, ["email"]),
            ({"name": "Mei", "email": 1}, ["email"]),
            ({"name": "Mei", "role": "king"}, ["role"]),
            ({"name": "Mei", "password": "x"}, ["password"]),
            ({"name": "", "role": None, "email": "x"}, ["name", "role", "email"]),
        ],
    )
    def test_refuses_with_every_fault(self, data: object, faulty: list[str]) -> None:
        with pytest.raises(Problem) as refused:
            invite(data)
        assert list(refused.value.fields) == faulty
        assert not Invitation.objects.exists()

    def test_refuses_the_address_of_somebody_who_is_here(self, other_person: User) -> None:
        with pytest.raises(Problem) as refused:
            invite({"name": "Again", "email": other_person.email.upper()})
        assert list(refused.value.fields) == ["email"]


class TestAccepting:
    def test_makes_the_person_and_signs_them_in(self, path: str) -> None:
        client = Client()
        answer = client.post(path, CHOSEN)
        assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, "/")
        mei = User.objects.get(username="mei")
        assert (mei.role, mei.email, mei.first_name) == (Role.STAFF, "mei@example.org", "Mei")
        assert client.session["_auth_user_id"] == str(mei.pk)
        assert mei.check_password(PASSWORD)

    def test_works_once(self, path: str) -> None:
        Client().post(path, CHOSEN)
        again = Client()
        assert again.post(path, {**CHOSEN, "username": "eve"}).status_code == HTTPStatus.GONE
        assert again.get(path).status_code == HTTPStatus.GONE
        assert not is_signed_in(again)
        assert not User.objects.filter(username="eve").exists()

    def test_lets_nobody_in_who_came_second(self, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """As if another had accepted between finding the invitation and taking it."""
        monkeypatch.setattr(Invitation, "take", lambda invitation: False)
        client = Client()
        assert "accepted or revoked" in client.post(path, CHOSEN).content.decode()
        assert not User.objects.filter(username="mei").exists()

    @pytest.mark.parametrize("method", ["get", "head", "options", "put"])
    def test_opening_it_uses_nothing_up(self, path: str, method: str) -> None:
        assert getattr(Client(), method)(path).status_code == HTTPStatus.OK
        assert Invitation.objects.pending().exists()

    @pytest.mark.parametrize("change", ["expired", "revoked"])
    def test_does_not_work_when(self, path: str, change: str) -> None:
        if change == "expired":
            expire()
        else:
            Invitation.objects.all().delete()
        answer = Client().post(path, CHOSEN)
        assert answer.status_code == HTTPStatus.GONE
        assert "Ask for a new one" in answer.content.decode()

    @pytest.mark.parametrize("token", ["x", "é", "a" * 500])
    def test_a_token_that_is_unknown_is_gone(self, token: str) -> None:
        assert Client().get(f"/invitations/{token}/").status_code == HTTPStatus.GONE

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"username": "OWNER"}, "already exists"),
            ({"username": "a b"}, "Enter a valid username"),
            ({"username": ""}, "This field is required"),
            ({"password_again": "x"}, "didn’t match"),
            ({"password": "12345678", "password_again": "12345678"}, "entirely numeric"),
            ({"password": "mei@example.org", "password_again": "mei@example.org"}, "too similar"),
        ],
    )
    def test_a_form_that_will_not_do_can_be_sent_again(
        self, path: str, fields: dict[str, str], told: str
    ) -> None:
        client = Client()
        page = client.post(path, {**CHOSEN, **fields}).content.decode()
        assert told in page
        assert PASSWORD not in page
        assert User.objects.count() == 1
        assert client.post(path, CHOSEN)["Location"] == "/"

    def test_a_faulty_form_does_not_put_the_link_into_the_log(
        self, path: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.INFO):
            Client().post(path, {})
        assert path not in caplog.text

    def test_the_page_is_kept_by_no_cache(self, path: str) -> None:
        assert "no-store" in Client().get(path)["Cache-Control"]

    def test_who_is_signed_in_is_told_who_they_are(self, path: str, other_person: User) -> None:
        client = Client()
        client.force_login(other_person)
        assert "You are signed in as somebody." in client.get(path).content.decode()

    def test_a_name_that_somebody_took_this_moment_is_told(self, path: str) -> None:
        with patch.object(NewPerson, "save", side_effect=IntegrityError):
            refused = Client().post(path, CHOSEN)
        assert "already exists" in refused.content.decode()
        assert Client().post(path, CHOSEN).status_code == HTTPStatus.FOUND

    def test_needs_a_form_of_ours(self, path: str) -> None:
        client = Client(enforce_csrf_checks=True)
        assert client.post(path, CHOSEN).status_code == HTTPStatus.FORBIDDEN


class TestTheCommand:
    def test_prints_a_link(self, settings: Settings) -> None:
        settings.ASKWEB_URL = "https://ask.example"
        out = StringIO()
        call_command("invite", "Mei", "--role", "owner", stdout=out)
        link = out.getvalue().strip()
        assert link.startswith("https://ask.example/invitations/")
        Client().post(link.removeprefix("https://ask.example"), CHOSEN)
        assert User.objects.get(username="mei").role == Role.OWNER

    def test_says_what_is_wrong(self) -> None:
        with pytest.raises(CommandError, match="e-mail address"):
            call_command("invite", "Mei", "--email", "nonsense")

"""The pages of people: owners see who is here and what they use, let others in and out, and see nothing asked."""

import re
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from askweb.accounts.invitations import Invitation
from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.conversations.models import Conversation, Message
from askweb.providers.models import Provider
from askweb.runs.models import DayOfRuns

pytestmark = pytest.mark.django_db

PEOPLE = "/settings/people/"
LINK = re.compile(r'id="link" value="http://[^/]+(/[^"]+)"')
LIMITS = {"runs_at_once": "", "runs_per_day": "", "storage": ""}


@pytest.fixture
def path(other_person: User) -> str:
    return f"{PEOPLE}{other_person.pk}/"


def post(client: Client, path: str, **fields: str) -> str:
    """The page that the owner sees after the form."""
    return client.post(path, fields, follow=True).content.decode()


def link_on(page: str) -> str:
    found = LINK.search(page)
    assert found is not None
    return found[1]


class TestTheList:
    def test_tells_who_is_here_and_what_they_use(self, browser_of: Client, other_person: User) -> None:
        User.objects.filter(pk=other_person.pk).update(first_name="Ana", is_active=False)
        message = Message(
            conversation=Conversation.objects.create(user=other_person), role="user", content="x" * 2048
        )
        message.save()
        DayOfRuns.objects.count_one(other_person, None)
        page = browser_of.get(PEOPLE).content.decode().replace("\xa0", " ")
        assert '<strong dir="auto">Ana</strong>' in page
        assert "deactivated" in page
        assert "Answers today: 1, in 30 days: 1. Stored: 2.0 KB." in page

    def test_tells_nothing_of_what_they_ask(
        self, browser_of: Client, other_api: APIClient, provider: Provider, path: str
    ) -> None:
        Provider.objects.update(user=None)
        page_of_theirs = {"id": "page", "title": "A secret", "url": "https://secret.example/"}
        other_api.post(
            "/api/conversations/",
            {"context": [page_of_theirs], "messages": [{"role": "user", "content": "My secret"}]},
        )
        assert "secret" not in browser_of.get(PEOPLE).content.decode()
        assert "secret" not in browser_of.get(path).content.decode()

    def test_takes_as_many_queries_for_many_people(self, browser_of: Client, other_person: User) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as captured:
                browser_of.get(PEOPLE)
            return len(captured)

        few = queries()
        for number in range(20):
            User.objects.create_user(f"person-{number}")
            Invitation.objects.issue(f"Guest {number}", "", Role.READER)
        assert queries() <= few


class TestInviting:
    def test_gives_a_link_once(self, browser_of: Client) -> None:
        page = post(browser_of, PEOPLE, act="invite", name="Mei", email="", role="staff")
        assert "The invitation of Mei." in page
        assert "Welcome to AskWeb, Mei" in Client().get(link_on(page)).content.decode()
        again = browser_of.get(PEOPLE).content.decode()
        assert "Mei" in again
        assert LINK.search(again) is None

    def test_is_told_what_is_wrong_and_keeps_the_rest(self, browser_of: Client) -> None:
        page = post(browser_of, PEOPLE, act="invite", name="Mei", email="nonsense", role="staff")
        assert "E-mail: Must be an e-mail address" in page
        assert 'value="Mei"' in page
        assert '<option value="staff" selected>' in page

    def test_is_taken_back(self, browser_of: Client) -> None:
        link = link_on(post(browser_of, PEOPLE, act="invite", name="Mei", role="reader"))
        row = Invitation.objects.get()
        assert "The invitation of Mei is revoked." in post(
            browser_of, PEOPLE, act="revoke", invitation=str(row.pk)
        )
        assert Client().get(link).status_code == HTTPStatus.GONE

    @pytest.mark.parametrize("invitation", ["x", "0190a8c8-0000-7000-8000-000000000000"])
    def test_one_that_is_not_there_changes_nothing(self, browser_of: Client, invitation: str) -> None:
        Invitation.objects.issue("Mei", "", Role.READER)
        browser_of.post(PEOPLE, {"act": "revoke", "invitation": invitation})
        assert Invitation.objects.exists()


class TestAPerson:
    def test_gets_another_role_and_limits(self, browser_of: Client, path: str, other_person: User) -> None:
        limits = {"runs_at_once": "3", "runs_per_day": "40", "storage": "1.5"}
        assert "It is saved." in post(browser_of, path, act="save", role="staff", **limits)
        other_person.refresh_from_db()
        assert other_person.role == Role.STAFF
        assert (other_person.limit_runs_at_once, other_person.limit_runs_per_day) == (3, 40)
        assert other_person.limit_storage == 1024 * 1024 * 3 // 2

    def test_page_shows_the_limits_as_they_were_typed(self, browser_of: Client, path: str) -> None:
        post(browser_of, path, act="save", role="reader", runs_at_once="0", runs_per_day="", storage="1.5")
        page = browser_of.get(path).content.decode()
        assert 'name="runs_at_once" value="0"' in page
        assert 'name="storage" value="1.5"' in page
        assert 'name="runs_per_day" value=""' in page
        assert 'placeholder="1000"' in page

    def test_loses_limits_where_a_field_is_empty(
        self, browser_of: Client, path: str, other_person: User
    ) -> None:
        User.objects.filter(pk=other_person.pk).update(limit_runs_at_once=3, limit_storage=5)
        post(browser_of, path, act="save", role="reader", **LIMITS)
        other_person.refresh_from_db()
        assert (other_person.limit_runs_at_once, other_person.limit_storage) == (None, None)

    @pytest.mark.parametrize("typed", ["many", "-1", "1.5", "inf", "nan", "99999999999"])
    def test_is_told_what_is_no_limit(
        self, browser_of: Client, path: str, other_person: User, typed: str
    ) -> None:
        fields = {**LIMITS, "runs_per_day": typed}
        answer = browser_of.post(path, {"act": "save", "role": "staff", **fields})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        page = answer.content.decode()
        assert "Answers a day: Must be a whole number" in page
        assert f'value="{typed}"' in page
        other_person.refresh_from_db()
        assert other_person.role == Role.READER

    def test_gets_a_sign_in_link(self, browser_of: Client, path: str, other_person: User) -> None:
        client = Client()
        client.get(link_on(post(browser_of, path, act="link")))
        assert client.session["_auth_user_id"] == str(other_person.pk)

    def test_is_deactivated_and_activated(self, browser_of: Client, path: str, other_person: User) -> None:
        assert "can't sign in any more" in post(browser_of, path, act="deactivate").replace("&#x27;", "'")
        other_person.refresh_from_db()
        assert not other_person.is_active
        assert "can sign in again" in post(browser_of, path, act="activate")
        other_person.refresh_from_db()
        assert other_person.is_active

    def test_loses_a_password_that_was_forgotten(
        self, browser_of: Client, path: str, other_person: User
    ) -> None:
        other_person.set_password("tides turn at noon")
        other_person.save()
        assert "is forgotten" in post(browser_of, path, act="forget-password")
        other_person.refresh_from_db()
        assert not other_person.has_usable_password()

    @pytest.mark.parametrize("fields", [{"act": "deactivate"}, {"act": "save", "role": "reader", **LIMITS}])
    def test_who_is_the_last_owner_stays(
        self, browser_of: Client, person: User, fields: dict[str, str]
    ) -> None:
        answer = browser_of.post(f"{PEOPLE}{person.pk}/", fields)
        assert answer.status_code == HTTPStatus.CONFLICT
        assert "is the last owner here" in answer.content.decode()
        person.refresh_from_db()
        assert (person.role, person.is_active) == (Role.OWNER, True)


@pytest.mark.parametrize("role", [Role.READER, Role.STAFF])
@pytest.mark.parametrize("method", ["get", "post"])
def test_there_is_nothing_here_for_who_is_no_owner(
    other_person: User, person: User, role: Role, method: str
) -> None:
    other_person.role = role
    other_person.save()
    client = Client()
    client.force_login(other_person)
    for path in (PEOPLE, f"{PEOPLE}{person.pk}/", f"{PEOPLE}{other_person.pk}/"):
        answer = getattr(client, method)(path, {"act": "save", "role": "owner"})
        assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "/settings/people/" not in client.get("/settings/").content.decode()

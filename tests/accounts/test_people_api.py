"""/api/people/ and /api/invitations/: for owners alone, with the same acts as their page."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.invitations import Invitation
from askweb.accounts.models import ALL_SCOPES, User
from askweb.accounts.roles import Role
from askweb.conversations.models import Conversation
from askweb.providers.models import Provider
from askweb.runs.models import Run
from tests.accounts.conftest import PASSWORD, browser, is_signed_in
from tests.people import client_of

pytestmark = pytest.mark.django_db

PEOPLE, INVITATIONS = "/api/people/", "/api/invitations/"


@pytest.fixture
def path(other_person: User) -> str:
    return f"{PEOPLE}{other_person.pk}/"


def path_of(person: User) -> str:
    return f"{PEOPLE}{person.pk}/"


class TestPeople:
    def test_are_listed_with_who_they_are_and_what_they_use(self, api: APIClient, path: str) -> None:
        results = api.get(PEOPLE).json()["results"]
        assert [(each["username"], each["role"]) for each in results] == [
            ("owner", "owner"),
            ("somebody", "reader"),
        ]
        assert results[1] == api.get(path).json()
        assert results[1]["limits"] == {"runs_at_once": None, "runs_per_day": None, "storage": None}
        assert results[1]["usage"]["runs_per_day"]["used"] == 0

    def test_tell_when_they_last_signed_in(self, api: APIClient, other_person: User, path: str) -> None:
        assert api.get(path).json()["last_sign_in"] is None
        Client().get(f"/sign-in/{other_person.new_sign_in_link()}/")
        assert api.get(path).json()["last_sign_in"] is not None

    def test_tell_nothing_of_what_they_ask(
        self, api: APIClient, other_api: APIClient, provider: Provider, path: str
    ) -> None:
        Provider.objects.update(user=None)
        other_api.post("/api/conversations/", {"messages": [{"role": "user", "content": "My secret"}]})
        answer = api.get(path)
        assert answer.json()["usage"]["runs_lately"] == 1
        assert answer.json()["usage"]["storage"]["used"] == len("My secret")
        assert b"secret" not in answer.content

    @pytest.mark.parametrize("role", Role.values)
    def test_get_another_role(self, api: APIClient, other_person: User, path: str, role: str) -> None:
        assert api.patch(path, {"role": role}).json()["role"] == role
        other_person.refresh_from_db()
        assert other_person.role == role

    def test_get_limits_one_by_one(self, api: APIClient, path: str) -> None:
        api.patch(path, {"limits": {"runs_per_day": 5, "storage": 10**10}})
        changed = api.patch(path, {"limits": {"storage": None}}).json()
        assert changed["limits"] == {"runs_at_once": None, "runs_per_day": 5, "storage": None}
        assert changed["usage"]["runs_per_day"]["limit"] == 5

    def test_lose_a_password_that_they_forgot(self, api: APIClient, with_password: User, path: str) -> None:
        theirs = browser(with_password)
        assert api.patch(path, {"password": None}).json()["has_password"] is False
        assert not is_signed_in(theirs)
        with_password.refresh_from_db()
        assert not with_password.check_password(PASSWORD)

    @pytest.mark.parametrize(
        ("data", "faulty"),
        [
            ({"role": "king"}, "role"),
            ({"active": 1}, "active"),
            ({"limits": 5}, "limits"),
            ({"limits": {"storage": -1}}, "limits.storage"),
            ({"limits": {"runs_per_day": 2**31}}, "limits.runs_per_day"),
            ({"limits": {"runs_at_once": True}}, "limits.runs_at_once"),
            ({"limits": {"colour": 1}}, "limits.colour"),
            ({"password": "mine now"}, "password"),
            ({"is_superuser": True}, "is_superuser"),
        ],
    )
    def test_stay_as_they_are_with_any_fault(
        self, api: APIClient, path: str, data: dict[str, Any], faulty: str
    ) -> None:
        before = api.get(path).json()
        answer = api.patch(path, {"role": "staff", **data})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert list(answer.json()["error"]["fields"]) == [faulty]
        assert api.get(path).json() == before

    def test_can_be_sent_back_as_they_were_read(self, api: APIClient, path: str) -> None:
        before = api.get(path).json()
        assert api.patch(path, before).json() == before


class TestDeactivating:
    def test_shuts_sessions_devices_and_links_out(
        self, api: APIClient, other_api: APIClient, other_person: User, path: str
    ) -> None:
        session, link = browser(other_person), other_person.new_sign_in_link()
        assert api.patch(path, {"active": False}).json()["active"] is False
        assert not is_signed_in(session)
        assert other_api.get("/api/tools/").status_code == HTTPStatus.UNAUTHORIZED
        assert Client().get(f"/sign-in/{link}/").status_code == HTTPStatus.GONE

    def test_stops_what_runs(
        self, api: APIClient, other_api: APIClient, provider: Provider, path: str
    ) -> None:
        Provider.objects.update(user=None)
        other_api.post("/api/conversations/", {"messages": [{"role": "user", "content": "Hi"}]})
        api.patch(path, {"active": False})
        assert Run.objects.get().state == "stopped"

    def test_keeps_everything_for_when_they_come_back(
        self, api: APIClient, other_api: APIClient, other_person: User, path: str
    ) -> None:
        Conversation.objects.create(user=other_person)
        api.patch(path, {"active": False})
        api.patch(path, {"active": True})
        assert len(other_api.get("/api/conversations/").json()["results"]) == 1


class TestTheLastOwner:
    @pytest.mark.parametrize("data", [{"role": "staff"}, {"role": "reader"}, {"active": False}])
    def test_stays(self, api: APIClient, person: User, data: dict[str, Any]) -> None:
        answer = api.patch(path_of(person), {**data, "limits": {"storage": 1}})
        assert (answer.status_code, answer.json()["error"]["code"]) == (HTTPStatus.CONFLICT, "owner.last")
        person.refresh_from_db()
        assert (person.role, person.is_active, person.limit_storage) == (Role.OWNER, True, None)

    @pytest.mark.parametrize("data", [{"role": "staff"}, {"active": False}])
    def test_is_any_but_one_of_two(
        self, api: APIClient, person: User, path: str, other_person: User, data: dict[str, Any]
    ) -> None:
        api.patch(path, {"role": "owner"})
        assert api.patch(path_of(person), data).status_code == HTTPStatus.OK
        other = client_of(User.objects.get(pk=other_person.pk))
        assert other.patch(path, data).json()["error"]["code"] == "owner.last"

    def test_is_not_helped_by_one_who_may_not_sign_in(self, api: APIClient, person: User) -> None:
        User.objects.create_superuser("gone", is_active=False)
        assert api.patch(path_of(person), {"role": "reader"}).status_code == HTTPStatus.CONFLICT

    def test_may_change_everything_else(self, api: APIClient, person: User) -> None:
        answer = api.patch(path_of(person), {"role": "owner", "active": True, "limits": {"storage": 5}})
        assert answer.status_code == HTTPStatus.OK


class TestASignInLink:
    def test_lets_the_person_in(self, api: APIClient, other_person: User, path: str) -> None:
        answer = api.post(f"{path}sign-in-link/")
        assert answer.status_code == HTTPStatus.CREATED
        client = Client()
        client.get("/sign-in/" + answer.json()["url"].split("/sign-in/")[1])
        assert client.session["_auth_user_id"] == str(other_person.pk)

    def test_is_not_made_for_who_may_not_sign_in(self, api: APIClient, path: str) -> None:
        api.patch(path, {"active": False})
        answer = api.post(f"{path}sign-in-link/")
        assert (answer.status_code, answer.json()["error"]["code"]) == (
            HTTPStatus.CONFLICT,
            "person.inactive",
        )


class TestInvitations:
    def test_are_made_with_a_link_that_is_told_once(self, api: APIClient) -> None:
        made = api.post(INVITATIONS, {"name": "Mei", "role": "staff"}).json()
        (listed,) = api.get(INVITATIONS).json()["results"]
        assert (listed["name"], listed["role"], "url" in listed) == ("Mei", "staff", False)
        form = {"username": "mei", "password": PASSWORD, "password_again": PASSWORD}
        Client().post("/invitations/" + made["url"].split("/invitations/")[1], form)
        assert User.objects.get(username="mei").role == Role.STAFF
        assert api.get(INVITATIONS).json()["results"] == []

    def test_are_revoked(self, api: APIClient) -> None:
        made = api.post(INVITATIONS, {"name": "Mei"}).json()
        assert api.delete(f"{INVITATIONS}{made['id']}/").status_code == HTTPStatus.NO_CONTENT
        assert api.delete(f"{INVITATIONS}{made['id']}/").status_code == HTTPStatus.NOT_FOUND
        assert (
            Client().get("/invitations/" + made["url"].split("/invitations/")[1]).status_code
            == HTTPStatus.GONE
        )

    def test_with_faults_are_not_made(self, api: APIClient) -> None:
        answer = api.post(INVITATIONS, {"email": "x"})
        assert list(answer.json()["error"]["fields"]) == ["email"]
        assert not Invitation.objects.exists()


OWNERS = [
    ("get", PEOPLE, {}),
    ("get", "{person}", {}),
    ("patch", "{person}", {"role": "owner"}),
    ("post", "{person}sign-in-link/", {}),
    ("get", INVITATIONS, {}),
    ("post", INVITATIONS, {"name": "Mei", "role": "owner"}),
    ("delete", INVITATIONS + "{invitation}/", {}),
]


@pytest.mark.parametrize(("method", "address", "data"), OWNERS)
class TestThereIsNothingHere:
    @pytest.mark.parametrize("role", [Role.READER, Role.STAFF])
    def test_for_who_is_no_owner(
        self, other_person: User, method: str, address: str, data: Any, role: Role
    ) -> None:
        other_person.role = role
        other_person.save()
        refused(client_of(other_person), method, address, data, other_person)

    @pytest.mark.parametrize("lacking", ALL_SCOPES)
    def test_for_a_device_of_the_owner_that_may_not_do_everything(
        self, person: User, method: str, address: str, data: Any, lacking: str
    ) -> None:
        client = APIClient()
        client.default_format = "json"
        scopes = tuple(each for each in ALL_SCOPES if each != lacking)
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {person.new_device('few', scopes)[1]}")
        refused(client, method, address, data, person)


def refused(client: APIClient, method: str, address: str, data: Any, person: User) -> None:
    invitation, _token = Invitation.objects.issue("Ana", "", Role.READER)
    before = User.objects.get(pk=person.pk).role
    path = address.format(person=path_of(person), invitation=invitation.pk)
    answer = getattr(client, method)(path, data)
    assert answer.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN)
    assert User.objects.get(pk=person.pk).role == before
    assert Invitation.objects.count() == 1

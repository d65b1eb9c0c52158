"""Roles: readers have what is theirs, staff the shared tools besides, owners decide who is here."""

from http import HTTPStatus

import pytest
from django.test import Client

from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.providers.models import Provider
from prompts.models import Snippet, Tool

pytestmark = pytest.mark.django_db

ALL = [
    "/admin/accounts/user/",
    "/admin/accounts/device/",
    "/admin/conversations/conversation/",
    "/admin/conversations/message/",
    "/admin/runs/run/",
    "/admin/images/image/",
    "/admin/questions/questionset/",
    "/admin/providers/provider/",
    "/admin/prompts/contextlook/",
    "/admin/auth/group/",
]
TOOLS = ["/admin/prompts/tool/", "/admin/prompts/tool/add/", "/admin/prompts/snippet/"]
TOOL = {
    "slug": "ours", "name": "Ours", "names": "{}", "order": "1", "kinds": "[]", "options": "{}", "questions": "[]",
    "draft": "", "versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0",
}  # fmt: skip


@pytest.fixture
def staff_member(other_person: User) -> User:
    other_person.role = Role.STAFF
    other_person.save()
    return other_person


@pytest.fixture
def staff(staff_member: User) -> Client:
    return browser(staff_member)


def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_the_first_person_is_the_owner_and_others_are_readers(person: User, other_person: User) -> None:
    assert (person.role, other_person.role) == (Role.OWNER, Role.READER)


@pytest.mark.parametrize("role", Role)
def test_a_role_is_kept(other_person: User, role: Role) -> None:
    other_person.role = role
    other_person.save()
    assert User.objects.get(pk=other_person.pk).role == role


def test_owners_are_those_who_may_sign_in(person: User, other_person: User) -> None:
    User.objects.create_superuser("gone", is_active=False)
    assert list(User.objects.owners()) == [person]


class TestTheAdmin:
    @pytest.mark.parametrize("path", TOOLS)
    def test_shows_tools_to_staff(self, staff: Client, path: str) -> None:
        assert staff.get(path).status_code == HTTPStatus.OK

    @pytest.mark.parametrize("path", ALL)
    def test_shows_staff_nothing_else(self, staff: Client, path: str) -> None:
        assert staff.get(path).status_code == HTTPStatus.FORBIDDEN

    @pytest.mark.parametrize("path", ALL)
    def test_shows_the_owner_what_there_is(self, person: User, path: str) -> None:
        assert browser(person).get(path).status_code == HTTPStatus.OK

    def test_shows_readers_nothing(self, other_person: User) -> None:
        assert browser(other_person).get("/admin/").status_code == HTTPStatus.FOUND

    def test_lists_only_tools_on_its_first_page_for_staff(self, staff: Client) -> None:
        apps = staff.get("/admin/").context["app_list"]
        assert [[model["object_name"] for model in each["models"]] for each in apps] == [["Snippet", "Tool"]]

    def test_adds_shared_tools(self, staff: Client) -> None:
        staff.post("/admin/prompts/tool/add/", TOOL)
        assert Tool.objects.get(slug="ours").owner is None

    @pytest.mark.parametrize("who", ["staff", "owner"])
    def test_hides_what_others_wrote_for_themselves(self, staff_member: User, person: User, who: str) -> None:
        private = User.objects.create_user("private")
        tool = Tool.objects.create(owner=private, slug="secret", name="Secret", draft="x")
        snippet = Snippet.objects.create(owner=private, name="secret", source="x")
        client = browser(staff_member if who == "staff" else person)
        for path in (
            f"/admin/prompts/tool/{tool.pk}/change/",
            f"/admin/prompts/snippet/{snippet.pk}/change/",
        ):
            assert "secret" not in client.get(path, follow=True).content.decode().replace(path, "").lower()

    def test_sends_no_key_elsewhere(self, person: User) -> None:
        """Addresses are changed in the settings, which then ask for the key."""
        ours = Provider(slug="ours", name="Ours", base_url="https://here.example/v1")
        ours.api_key = "sk-here"
        ours.save()
        path = f"/admin/providers/provider/{ours.pk}/change/"
        known = {"known_models": "[]", "capabilities": "{}", "token_ratios": "{}"}
        elsewhere = {"base_url": "https://evil.example/v1", "preset": "openai", "found": "on"}
        posted = {"slug": "ours", "name": "Renamed", **known, **elsewhere}
        assert browser(person).post(path, posted).status_code == HTTPStatus.FOUND
        ours.refresh_from_db()
        assert (ours.name, ours.base_url, ours.preset) == ("Renamed", "https://here.example/v1", "")
        assert not ours.found

    def test_hides_others_providers_and_every_header(self, person: User, other_person: User) -> None:
        own = Provider.objects.create(user=person, slug="mine", name="Mine", headers={"X-Key": "sk-header"})
        others = Provider.objects.create(user=other_person, slug="theirs", name="Theirs")
        client = browser(person)
        assert "sk-header" not in client.get(f"/admin/providers/provider/{own.pk}/change/").content.decode()
        assert "Theirs" not in client.get("/admin/providers/provider/").content.decode()
        assert client.get(f"/admin/providers/provider/{others.pk}/change/").status_code == HTTPStatus.FOUND


@pytest.mark.parametrize("path", ["/admin/accounts/user/{id}/delete/", "/admin/accounts/user/"])
def test_the_last_owner_is_not_deleted(person: User, other_person: User, path: str) -> None:
    data = {"post": "yes", "action": "delete_selected", "_selected_action": str(person.pk)}
    browser(person).post(path.format(id=person.pk), data)
    assert User.objects.filter(pk=person.pk).exists()


def test_roles_are_not_changed_in_the_admin(person: User) -> None:
    page = browser(person).get(f"/admin/accounts/user/{person.pk}/change/").content.decode()
    assert not any(f'name="{field}"' in page for field in ("is_superuser", "is_staff", "is_active"))

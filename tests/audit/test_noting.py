"""The audit log: what concerns security or everybody is noted with who, when and from where, and no text of anyone's."""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from io import StringIO
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.accounts.invitations import Invitation
from askweb.accounts.models import Device, User
from askweb.audit.models import Act, AuditEntry
from askweb.providers.models import Provider
from prompts.models import Tool

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
EXTENSION = "p" * 32
SHARED = {
    "name": "Ours",
    "slug": "ours",
    "base_url": "https://models.example/v1",
    "capabilities": "{}",
    "known_models": "[]",
}


@pytest.fixture
def browser_of(person: User) -> Client:
    """Signed in, of which nothing is noted any more."""
    client = Client(REMOTE_ADDR="192.0.2.7")
    client.force_login(person)
    AuditEntry.objects.all().delete()
    return client


@pytest.fixture
def shared(person: User) -> Tool:
    return Tool.objects.get(owner=None, slug="explain")


def noted() -> list[str]:
    return [f"{each.act} {each.who_name} {each.target}".strip() for each in AuditEntry.objects.order_by("id")]


class TestAnEntry:
    def test_of_a_browser_says_who_from_where(self, browser_of: Client, person: User) -> None:
        browser_of.post("/sign-out/")
        entry = AuditEntry.objects.get()
        assert (entry.act, entry.who, entry.who_name) == (Act.SIGNED_OUT, person.pk, "owner")
        assert (entry.address, entry.device) == ("192.0.2.7", None)
        assert timezone.now() - entry.at < timedelta(seconds=10)

    def test_of_a_device_says_which(self, api: APIClient) -> None:
        api.get("/api/export/", REMOTE_ADDR="2001:db8::1")
        entry = AuditEntry.objects.get()
        assert (entry.address, entry.device) == ("2001:db8::1", Device.objects.get().pk)

    @pytest.mark.parametrize("address", ["", "not an address", "192.0.2.1:80"])
    def test_of_a_place_that_has_no_address_has_none(self, api: APIClient, address: str) -> None:
        api.get("/api/export/", REMOTE_ADDR=address)
        assert AuditEntry.objects.get().address is None

    def test_stays_as_it_is(self, browser_of: Client) -> None:
        browser_of.post("/sign-out/")
        entry = AuditEntry.objects.get()
        entry.who_name = "somebody else"
        with pytest.raises(TypeError):
            entry.save()
        with pytest.raises(TypeError):
            AuditEntry.objects.update(who_name="somebody else")

    def test_outlives_its_person(self, api: APIClient, other_person: User) -> None:
        browser = Client()
        browser.force_login(other_person)
        other_person.delete()
        assert noted()[-1] == "sign_in somebody"

    def test_is_forgotten_after_a_year(self, browser_of: Client, settings: Settings) -> None:
        assert settings.ASKWEB_AUDIT_DAYS == 365
        for days in (364, 366):
            AuditEntry.objects.create(act=Act.SIGNED_IN, at=timezone.now() - timedelta(days=days))
        AuditEntry.objects.forget_old()
        assert timezone.now() - AuditEntry.objects.get().at < timedelta(days=365)


class TestSigningIn:
    def test_by_a_link(self, client: Client, person: User) -> None:
        client.get(f"/sign-in/{person.new_sign_in_link()}/")
        assert noted() == ["sign_in owner"]

    def test_by_a_link_that_a_command_made(self, person: User) -> None:
        call_command("sign_in_link", stdout=StringIO())
        assert noted() == [f"sign_in_link.made  {person.pk}"]

    def test_by_a_link_that_is_none(self, client: Client) -> None:
        client.get("/sign-in/guessed/")
        assert noted() == ["sign_in.failed"]

    @pytest.mark.parametrize("path", ["/sign-in/", "/admin/login/"])
    def test_by_a_password(self, client: Client, person: User, path: str) -> None:
        person.set_password("right")
        person.save()
        for password in ("wrong", "right"):
            client.post(path, {"username": "owner", "password": password})
        assert noted() == [f"sign_in.failed  {person.pk}", "sign_in owner"]

    def test_with_what_names_nobody_keeps_nothing_of_it(self, client: Client, person: User) -> None:
        client.post("/sign-in/", {"username": "my-secret-password", "password": "x"})
        assert noted() == ["sign_in.failed"]

    def test_out_of_the_admin(self, browser_of: Client) -> None:
        browser_of.post("/admin/logout/")
        assert noted() == ["sign_out owner"]

    def test_with_another_password_from_then_on(self, browser_of: Client, person: User) -> None:
        fields = {"password": PASSWORD, "password_again": PASSWORD}
        browser_of.post("/settings/account/", fields)
        assert noted() == [f"password.changed owner {person.pk}"]


class TestDevices:
    def test_made_by_hand_and_revoked(self, browser_of: Client) -> None:
        browser_of.post("/settings/devices/", {"act": "make", "name": "Secret name", "scopes": ["read"]})
        id_ = Device.objects.get().pk
        browser_of.post("/settings/devices/", {"act": "revoke", "id": str(id_)})
        assert noted() == [f"device.made owner {id_}", f"device.revoked owner {id_}"]

    def test_made_by_a_command(self, person: User) -> None:
        call_command("device_token", "script")
        entry = AuditEntry.objects.get()
        assert (entry.act, entry.target, entry.address) == (
            Act.DEVICE_MADE,
            str(Device.objects.get().pk),
            None,
        )

    def test_revoked_by_another(self, api: APIClient, person: User) -> None:
        phone, _token = person.new_device("phone")
        api.delete(f"/api/devices/{phone.pk}/")
        assert noted() == [f"device.revoked owner {phone.pk}"]

    def test_paired(self, browser_of: Client, settings: Settings) -> None:
        settings.ASKWEB_EXTENSION_IDS = (EXTENSION,)
        query = {
            "redirect_uri": f"https://{EXTENSION}.chromiumapp.org/",
            "code_challenge": urlsafe_b64encode(sha256(b"v" * 43).digest()).decode().rstrip("="),
            "code_challenge_method": "S256",
            "name": "Laptop",
            "scopes": "ask",
        }
        back = browser_of.post(f"/pair/?{urlencode(query)}", {"act": "approve"}).headers["Location"]
        body = {"code": parse_qs(urlsplit(back).query)["code"][0], "code_verifier": "v" * 43}
        APIClient().post("/api/pairing/", body, format="json")
        assert noted() == [f"device.paired owner {Device.objects.get().pk}"]


class TestWhatStaffDo:
    @pytest.fixture
    def provider_of_all(self, browser_of: Client) -> Provider:
        return Provider.objects.create(slug="all", name="All", base_url="https://all.example/v1")

    def test_a_shared_provider_is_added(self, browser_of: Client) -> None:
        response = browser_of.post("/admin/providers/provider/add/", SHARED)
        assert response.status_code == 302, response.context["errors"]
        assert noted() == [f"provider.added owner {Provider.objects.get(slug='ours').pk}"]

    def test_a_shared_provider_is_changed_and_deleted(
        self, browser_of: Client, provider_of_all: Provider
    ) -> None:
        path = f"/admin/providers/provider/{provider_of_all.pk}"
        browser_of.post(f"{path}/change/", SHARED)
        browser_of.post(f"{path}/delete/", {"post": "yes"})
        assert noted() == [
            f"provider.changed owner {provider_of_all.pk}",
            f"provider.deleted owner {provider_of_all.pk}",
        ]

    def test_a_provider_is_shared_changed_and_taken_back_over_rest(
        self, browser_of: Client, api: APIClient, provider: Provider
    ) -> None:
        path = f"/api/providers/{provider.pk}/"
        for change in (
            {"shared": True},
            {"name": "Secret"},
            {"name": "Secret"},
            {"shared": False},
            {"name": "Own"},
        ):
            assert api.patch(path, change).status_code == 200
        assert [each.partition(" ")[0] for each in noted()] == [
            "provider.shared",
            "provider.changed",
            "provider.taken_back",
        ]

    def test_a_shared_provider_is_deleted_over_rest(
        self, browser_of: Client, api: APIClient, provider_of_all: Provider
    ) -> None:
        api.delete(f"/api/providers/{provider_of_all.pk}/")
        assert noted() == [f"provider.deleted owner {provider_of_all.pk}"]

    @pytest.mark.parametrize(
        ("act", "told"),
        [("save", "changed"), ("keep", "taken_back"), ("delete", "deleted"), ("models", "changed")],
    )
    def test_a_shared_provider_has_a_page(
        self, browser_of: Client, provider_of_all: Provider, act: str, told: str
    ) -> None:
        """Asking for its models fails, once what was typed is saved."""
        Provider.objects.update(base_url="http://127.0.0.1:9/v1")
        fields = {"act": act, "name": "Another", "base_url": "http://127.0.0.1:9/v1"}
        browser_of.post(f"/settings/providers/{provider_of_all.pk}/", fields)
        assert noted() == [f"provider.{told} owner {provider_of_all.pk}"]

    def test_looking_and_refusing_note_nothing(
        self, browser_of: Client, provider_of_all: Provider, other_api: APIClient
    ) -> None:
        browser_of.get(f"/settings/providers/{provider_of_all.pk}/")
        assert other_api.patch(f"/api/providers/{provider_of_all.pk}/", {"name": "x"}).status_code == 404
        assert noted() == []

    def test_ones_own_provider_is_nobody_elses_concern(self, browser_of: Client, provider: Provider) -> None:
        browser_of.post(f"/admin/providers/provider/{provider.pk}/delete/", {"post": "yes"})
        assert not Provider.objects.filter(pk=provider.pk).exists()
        assert noted() == []

    def test_a_person_is_changed_and_deleted(self, browser_of: Client, other_person: User) -> None:
        path = f"/admin/accounts/user/{other_person.pk}"
        form = browser_of.get(f"{path}/change/").context["adminform"].form
        fields = {name: value for name, value in form.initial.items() if value is not None}
        response = browser_of.post(f"{path}/change/", fields | {"blocked_hosts": "[]"})
        assert response.status_code == 302, response.context["errors"]
        browser_of.post(f"{path}/delete/", {"post": "yes"})
        assert noted() == [
            f"person.changed owner {other_person.pk}",
            f"person.deleted owner {other_person.pk}",
        ]

    def test_people_are_deleted_together(self, browser_of: Client, other_person: User) -> None:
        fields = {"action": "delete_selected", "_selected_action": [str(other_person.pk)], "post": "yes"}
        browser_of.post("/admin/accounts/user/", fields)
        assert noted() == [f"person.deleted owner {other_person.pk}"]

    def test_a_device_is_revoked_in_the_admin(self, browser_of: Client, other_person: User) -> None:
        phone, _token = other_person.new_device("phone")
        browser_of.post(f"/admin/accounts/device/{phone.pk}/delete/", {"post": "yes"})
        assert noted() == [f"device.revoked owner {phone.pk}"]


def publish_in_the_admin(browser: Client, api: APIClient, tool: Tool) -> None:
    Tool.objects.filter(pk=tool.pk).update(draft="Another text")
    browser.post("/admin/prompts/tool/", {"action": "publish_drafts", "_selected_action": str(tool.pk)})


def publish_in_the_editor(browser: Client, api: APIClient, tool: Tool) -> None:
    browser.post(f"/tools/{tool.slug}/?owner=shared", {"act": "publish", "template": "Another text"})


def publish_over_rest(browser: Client, api: APIClient, tool: Tool) -> None:
    api.patch(f"/api/tools/{tool.slug}/", {"draft": "Another text"})
    api.post(f"/api/tools/{tool.slug}/publish/")


def import_over_rest(browser: Client, api: APIClient, tool: Tool) -> None:
    api.post("/api/tools/import/?owner=shared", {"toml": f'[{tool.slug}]\nhbs = "Another text"\n'})


class TestPeople:
    def test_are_invited_and_come(self, browser_of: Client, api: APIClient) -> None:
        invited = api.post("/api/invitations/", {"name": "Secret name"}).json()
        fields = {"username": "new", "password": PASSWORD, "password_again": PASSWORD}
        Client().post(urlsplit(invited["url"]).path, fields)
        new = User.objects.get(username="new").pk
        assert noted() == [f"person.invited owner {invited['id']}", "sign_in new", f"person.added new {new}"]

    def test_are_not_invited_any_more(self, browser_of: Client, api: APIClient) -> None:
        id_ = api.post("/api/invitations/", {"name": "Somebody"}).json()["id"]
        api.delete(f"/api/invitations/{id_}/")
        assert noted()[1:] == [f"invitation.revoked owner {id_}"]

    def test_are_changed(self, browser_of: Client, api: APIClient, other_person: User) -> None:
        path = f"/api/people/{other_person.pk}/"
        api.patch(path, {"active": False})
        assert api.patch(path, {"role": "pope"}).status_code == 422
        assert noted() == [f"person.changed owner {other_person.pk}"]

    def test_are_given_a_link(self, browser_of: Client, api: APIClient, other_person: User) -> None:
        api.post(f"/api/people/{other_person.pk}/sign-in-link/")
        assert noted() == [f"sign_in_link.made owner {other_person.pk}"]


class TestThePagesOfPeople:
    def test_note_invitations(self, browser_of: Client) -> None:
        browser_of.post("/settings/people/", {"act": "invite", "name": "Secret name", "role": "reader"})
        id_ = str(Invitation.objects.get().pk)
        browser_of.post("/settings/people/", {"act": "revoke", "invitation": id_})
        assert noted() == [f"person.invited owner {id_}", f"invitation.revoked owner {id_}"]

    @pytest.mark.parametrize("act", ["save", "deactivate", "activate", "forget-password"])
    def test_note_changes(self, browser_of: Client, other_person: User, act: str) -> None:
        browser_of.post(f"/settings/people/{other_person.pk}/", {"act": act, "role": "staff"})
        assert noted() == [f"person.changed owner {other_person.pk}"]

    def test_note_links(self, browser_of: Client, other_person: User) -> None:
        browser_of.post(f"/settings/people/{other_person.pk}/", {"act": "link"})
        assert noted() == [f"sign_in_link.made owner {other_person.pk}"]


class TestATool:
    @pytest.mark.parametrize(
        "publish", [publish_in_the_admin, publish_in_the_editor, publish_over_rest, import_over_rest]
    )
    def test_that_everybody_uses_is_published(
        self,
        browser_of: Client,
        api: APIClient,
        shared: Tool,
        publish: Callable[[Client, APIClient, Tool], None],
    ) -> None:
        publish(browser_of, api, shared)
        assert noted() == ["tool.published owner explain"]

    @pytest.mark.parametrize(
        "path", ["/tools/explain/?owner=shared", "/api/tools/explain/versions/1/restore/"]
    )
    def test_that_everybody_uses_has_an_earlier_text_again(
        self, browser_of: Client, api: APIClient, shared: Tool, path: str
    ) -> None:
        shared.publish("Another text")
        if path.startswith("/api/"):
            api.post(path)
        else:
            browser_of.post(path, {"act": "restore", "number": "1"})
        assert noted() == ["tool.published owner explain"]

    def test_for_everybody_is_made(self, browser_of: Client, api: APIClient) -> None:
        api.post("/api/tools/?owner=shared", {"name": "Ours", "slug": "ours", "template": "Text"})
        assert noted() == ["tool.published owner ours"]

    def test_of_ones_own_is_nobody_elses_concern(self, browser_of: Client, api: APIClient) -> None:
        api.post("/api/tools/", {"name": "Mine", "slug": "mine", "template": "Text"})
        api.patch("/api/tools/mine/", {"draft": "Another text"})
        api.post("/api/tools/mine/publish/")
        assert Tool.objects.get(slug="mine").published is not None
        assert noted() == []

    def test_that_has_faults_is_not(self, browser_of: Client, api: APIClient, shared: Tool) -> None:
        Tool.objects.filter(pk=shared.pk).update(draft="{{#if}}")
        assert api.post("/api/tools/explain/publish/").status_code == 422
        assert noted() == []


class TestEverything:
    def test_is_exported(self, browser_of: Client) -> None:
        browser_of.get("/api/export/")
        assert noted() == ["everything.exported owner"]

    def test_is_deleted_and_that_stays_known(self, browser_of: Client, api: APIClient, person: User) -> None:
        browser_of.post("/settings/privacy/", {"act": "delete-everything", "confirm": "owner"})
        assert noted() == ["everything.deleted owner"]

    def test_is_deleted_over_rest(self, api: APIClient) -> None:
        device = Device.objects.get()
        api.post("/api/delete-everything/", {"confirm": "owner"})
        entry = AuditEntry.objects.get()
        assert (entry.act, entry.device) == (Act.EVERYTHING_DELETED, device.pk)

    def test_is_not_deleted_where_the_name_is_wrong(self, api: APIClient) -> None:
        api.post("/api/delete-everything/", {"confirm": "other"})
        assert noted() == []


class TestTheAdmin:
    @pytest.fixture
    def entry(self, browser_of: Client, other_person: User) -> AuditEntry:
        entry = {"act": Act.DEVICE_REVOKED, "who_name": "somebody", "who": other_person.pk}
        AuditEntry.objects.create(act=Act.SIGNED_IN, who_name="owner")
        return AuditEntry.objects.create(**entry, target="7", address="192.0.2.7")

    def found(self, browser: Client, **query: str) -> list[str]:
        response: Any = browser.get("/admin/audit/auditentry/", query)
        return [each.act for each in response.context["cl"].result_list]

    def test_shows_the_newest_first(self, browser_of: Client, entry: AuditEntry) -> None:
        assert self.found(browser_of) == ["device.revoked", "sign_in"]

    @pytest.mark.parametrize(
        "query",
        [
            {"q": "somebody"},
            {"q": "revoked"},
            {"q": "192.0.2.7"},
            {"q": "7"},
            {"act": "device.revoked"},
        ],
    )
    def test_finds_by_act_person_and_place(
        self, browser_of: Client, entry: AuditEntry, query: dict[str, str]
    ) -> None:
        assert self.found(browser_of, **query) == ["device.revoked"]

    @pytest.mark.parametrize("path", ["add/", "{id}/delete/"])
    def test_lets_nobody_add_or_delete(self, browser_of: Client, entry: AuditEntry, path: str) -> None:
        path = f"/admin/audit/auditentry/{path.format(id=entry.pk)}"
        assert browser_of.post(path, {"post": "yes"}).status_code == 403

    def test_lets_nobody_change(self, browser_of: Client, entry: AuditEntry) -> None:
        path = f"/admin/audit/auditentry/{entry.pk}/change/"
        assert browser_of.get(path).status_code == 200
        assert browser_of.post(path, {"who_name": "x"}).status_code == 403

    def test_is_for_owners_alone(self, entry: AuditEntry, other_person: User) -> None:
        User.objects.filter(pk=other_person.pk).update(is_staff=True)
        staff = Client()
        staff.force_login(other_person)
        assert staff.get("/admin/audit/auditentry/").status_code == 403

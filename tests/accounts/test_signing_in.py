"""Getting in: links and tickets that work once, and devices that may do what their scopes say."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from askweb.accounts.links import sign_in_url
from askweb.accounts.models import ALL_SCOPES, Device, SignInLink, SocketTicket, User
from askweb.ids import new_id
from askweb.providers.models import Provider
from askweb.runs.data_folder import DataFolderLock

pytestmark = pytest.mark.django_db


def expire(rows: Any) -> None:
    rows.update(expires_at=timezone.now() - timedelta(seconds=1))


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


class TestALink:
    @pytest.fixture
    def path(self, person: User) -> str:
        return f"/sign-in/{person.new_sign_in_link()}/"

    def test_signs_in_and_goes_home(self, client: Client, path: str, person: User) -> None:
        answer = client.get(path)
        assert (answer.status_code, answer["Location"]) == (302, "/")
        assert client.session["_auth_user_id"] == str(person.pk)

    def test_works_once(self, client: Client, path: str) -> None:
        client.get(path)
        again = Client()
        assert again.get(path).status_code == 410
        assert not is_signed_in(again)

    def test_works_for_15_minutes(self, client: Client, path: str) -> None:
        life = SignInLink.objects.get().expires_at - timezone.now()
        assert timedelta(minutes=14, seconds=50) < life <= timedelta(minutes=15)
        expire(SignInLink.objects)
        assert client.get(path).status_code == 410
        assert not is_signed_in(client)

    @pytest.mark.parametrize("method", ["head", "post", "options"])
    def test_is_neither_used_up_nor_logged_by_anything_but_a_get(
        self, client: Client, path: str, method: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert getattr(client, method)(path)["Location"] == "/sign-in/"
        assert path not in caplog.text
        assert client.get(path)["Location"] == "/"

    def test_leads_on_to_the_page_that_was_wanted(self, client: Client, path: str) -> None:
        client.get("/sign-in/?next=/tools/")
        assert client.get(path)["Location"] == "/tools/"

    @pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
    def test_leads_to_no_other_site(self, client: Client, path: str, elsewhere: str) -> None:
        client.get("/sign-in/", {"next": elsewhere})
        assert client.get(path)["Location"] == "/"

    @pytest.mark.parametrize("no_path", ["home", "sign-out", "foo", "?x", "%00", "a.b"])
    def test_leads_to_nothing_but_a_path(self, client: Client, path: str, no_path: str) -> None:
        """Django takes what has no slash for the name of a view."""
        client.get("/sign-in/", {"next": no_path})
        assert client.get(path)["Location"] == "/"

    def test_names_the_address_of_the_server_that_runs(self, person: User, settings: Settings) -> None:
        settings.ON_SQLITE, settings.ASKWEB_URL = True, "http://127.0.0.1:8190"
        lock = DataFolderLock()
        lock.take()
        settings.ASKWEB_URL = "http://127.0.0.1:8000"
        assert sign_in_url(person).startswith("http://127.0.0.1:8190/sign-in/")
        lock.release()
        assert sign_in_url(person).startswith("http://127.0.0.1:8000/sign-in/")

    @pytest.mark.parametrize("token", ["x", "é", "%00", "a" * 500])
    def test_that_is_unknown_is_gone(self, client: Client, token: str) -> None:
        assert client.get(f"/sign-in/{token}/").status_code == 410

    def test_of_someone_who_may_not_sign_in_does_nothing(self, client: Client, path: str) -> None:
        User.objects.update(is_active=False)
        assert client.get(path).status_code == 410

    def test_is_not_kept_by_caches_or_stored_in_clear(self, client: Client, path: str) -> None:
        assert SignInLink.objects.get().token_hash not in path
        assert "no-store" in client.get(path)["Cache-Control"]


def test_signing_out_takes_a_post(client: Client, person: User) -> None:
    client.force_login(person)
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert not is_signed_in(client)


class TestATicket:
    def test_is_issued_for_30_seconds(self, api: APIClient) -> None:
        answer = api.post("/api/socket-tickets/")
        assert (answer.status_code, answer.json().keys()) == (201, {"ticket", "expires_at"})
        life = SocketTicket.objects.get().expires_at - timezone.now()
        assert timedelta(seconds=25) < life <= timedelta(seconds=30)

    def test_works_once(self, person: User) -> None:
        ticket, _row = SocketTicket.objects.issue(person, None)
        used = SocketTicket.objects.use(ticket)
        assert used
        assert used.user == person
        assert SocketTicket.objects.use(ticket) is None

    def test_that_is_too_old_does_not_work(self, person: User) -> None:
        ticket, _row = SocketTicket.objects.issue(person, None)
        expire(SocketTicket.objects)
        assert SocketTicket.objects.use(ticket) is None

    def test_that_is_unknown_does_not_work(self, person: User) -> None:
        assert SocketTicket.objects.use("x") is None

    def test_of_someone_who_may_not_sign_in_does_not_work(self, person: User) -> None:
        ticket, _row = SocketTicket.objects.issue(person, None)
        User.objects.update(is_active=False)
        assert SocketTicket.objects.use(ticket) is None

    def test_takes_those_that_are_too_old_away(self, person: User) -> None:
        SocketTicket.objects.issue(person, None)
        expire(SocketTicket.objects)
        SocketTicket.objects.issue(person, None)
        assert SocketTicket.objects.count() == 1


def speak(person: User, *scopes: Any) -> APIClient:
    client = APIClient()
    client.default_format = "json"
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {person.new_device('d', scopes)[1]}")
    return client


class TestADevice:
    @pytest.mark.parametrize("header", ["Bearer x", "bearer", "Bearer ", "Bearer é", "BEARER askweb_x"])
    def test_with_a_wrong_token_is_refused(self, header: str) -> None:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=header)
        answer = client.get("/api/conversations/")
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "auth.required")
        assert answer["WWW-Authenticate"] == "Bearer"

    def test_of_someone_who_may_not_sign_in_is_refused(self, api: APIClient) -> None:
        User.objects.update(is_active=False)
        assert api.get("/api/conversations/").status_code == 401

    def test_that_was_revoked_is_refused(self, api: APIClient) -> None:
        Device.objects.all().delete()
        assert api.get("/api/conversations/").status_code == 401

    def test_token_is_stored_as_a_hash(self, person: User) -> None:
        device, token = person.new_device("d")
        assert token not in str(Device.objects.filter(pk=device.pk).values().get())

    @pytest.mark.parametrize(
        ("method", "path", "scope"),
        [
            ("get", "/api/conversations/", "read"),
            ("post", "/api/conversations/", "ask"),
            ("get", "/api/conversations/{id}/", "read"),
            ("patch", "/api/conversations/{id}/", "ask"),
            ("delete", "/api/conversations/{id}/", "ask"),
            ("get", "/api/conversations/{id}/messages/", "read"),
            ("post", "/api/conversations/{id}/messages/", "ask"),
            ("get", "/api/messages/{id}/", "read"),
            ("get", "/api/messages/{id}/assembly/", "read"),
            ("get", "/api/runs/{id}/", "read"),
            ("post", "/api/runs/{id}/stop/", "ask"),
            ("get", "/api/tools/", "read"),
            ("get", "/api/providers/", "read"),
            ("post", "/api/providers/", "settings"),
            ("patch", "/api/providers/{id}/", "settings"),
            ("delete", "/api/providers/{id}/", "settings"),
            ("post", "/api/socket-tickets/", "read"),
            ("get", "/api/devices/", "read"),
            ("delete", "/api/devices/{id}/", "settings"),
        ],
    )
    def test_may_do_what_its_scopes_say(self, person: User, method: str, path: str, scope: str) -> None:
        address = path.format(id=new_id())
        others = [each for each in ALL_SCOPES if each != scope]
        refused = getattr(speak(person, *others), method)(address, {})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "auth.scope")
        assert getattr(speak(person, scope), method)(address, {}).status_code not in (401, 403)

    @pytest.mark.parametrize("header", ["Bearer {}", "bearer  {} "])
    def test_is_known_by_the_header_of_a_request(self, person: User, header: str) -> None:
        device, token = person.new_device("d")
        assert Device.objects.for_header(header.format(token)) == device

    @pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", "{}", "Basic {}"])
    def test_is_not_known_by_another_header(self, person: User, header: str) -> None:
        assert Device.objects.for_header(header.format(person.new_device("d")[1])) is None

    def test_shows_its_last_use_to_the_minute(self, api: APIClient) -> None:
        api.get("/api/tools/")
        first = Device.objects.get().last_used
        api.get("/api/tools/")
        assert Device.objects.get().last_used == first is not None


def test_a_cookie_may_do_everything_of_its_persons(person: User) -> None:
    client = APIClient()
    client.force_login(person)
    assert client.get("/api/providers/").status_code == 200


class TestCommands:
    def test_print_a_link_of_the_owner(self, client: Client, settings: Settings) -> None:
        settings.ASKWEB_URL = "https://ask.example"
        link = call("sign_in_link")
        assert link.startswith("https://ask.example/sign-in/")
        assert client.get(link.removeprefix("https://ask.example")).status_code == 302

    @pytest.mark.parametrize("who", ["SOMEBODY@example.org", "somebody"])
    def test_print_a_link_of_another_person(self, client: Client, other_person: User, who: str) -> None:
        link = call("sign_in_link", who)
        client.get("/sign-in/" + link.split("/sign-in/")[1])
        assert client.session["_auth_user_id"] == str(other_person.pk)

    def test_refuse_an_address_that_is_not_one_persons(self) -> None:
        with pytest.raises(CommandError, match="0 people"):
            call("sign_in_link", "nobody@example.org")

    def test_print_a_device_token_alone(self, person: User) -> None:
        token = call("device_token", "script")
        assert Device.objects.for_token(token) == Device.objects.get(name="script")


def call(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().strip()


def test_the_owner_is_made_once() -> None:
    assert User.objects.owner() == User.objects.owner()
    assert not User.objects.owner().has_usable_password()


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_superuser": False}])
def test_an_owner_who_is_none_any_more_keeps_the_name(person: User, change: dict[str, bool]) -> None:
    User.objects.update(**change)
    owner = User.objects.owner()
    assert (owner.username, owner.is_superuser) == ("owner-2", True)
    assert User.objects.owner() == owner


def test_a_slug_belongs_to_one_of_a_persons_providers(api: APIClient, provider: Provider) -> None:
    answer = api.post("/api/providers/", {"base_url": "http://a.example/v1", "slug": provider.slug})
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["slug"])

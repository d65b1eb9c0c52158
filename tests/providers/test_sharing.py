"""Shared providers: everybody asks them, owners alone change them, and nobody else sees what they are called with."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.openai.catalogue import list_models
from askweb.providers.choosing import choose_model
from askweb.providers.endpoints import Endpoint
from askweb.providers.finding import Found, offer_found
from askweb.providers.models import LOCAL, Provider
from askweb.providers.presets import preset_named
from askweb.providers.shapes import provider_shape
from tests.people import client_of

pytestmark = pytest.mark.django_db

PROVIDERS = "/api/providers/"
SECRETS = (
    "sk-never-to-be-seen",
    "header-never-seen",
    "path-never-to-be-seen",
    "query-never-seen",
    "user-never",
)
ADDRESS = "https://gateway.example:8443/path-never-to-be-seen/v1?token=query-never-seen"


@pytest.fixture
def own(provider: Provider) -> Provider:
    """The owner's, with a secret in every place."""
    provider.base_url, provider.headers = ADDRESS, {"X-Key": "header-never-seen"}
    provider.api_key = "sk-never-to-be-seen"
    provider.save()
    return provider


@pytest.fixture
def shared(own: Provider, api: APIClient) -> Provider:
    assert api.patch(path_of(own), {"shared": True}).status_code == HTTPStatus.OK
    own.refresh_from_db()
    return own


def path_of(provider: Provider) -> str:
    return f"{PROVIDERS}{provider.pk}/"


def ask(api: APIClient, provider: Provider) -> Any:
    body = {"meta": {"provider": provider.slug}, "messages": [{"role": "user", "content": "Hi"}]}
    return api.post("/api/conversations/", body)


class TestSharing:
    def test_lets_everybody_ask(self, own: Provider, api: APIClient, other_api: APIClient) -> None:
        assert ask(other_api, own).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        changed = api.patch(path_of(own), {"shared": True}).json()
        assert (changed["shared"], changed["owner"], changed["editable"]) == (True, "shared", True)
        assert ask(other_api, own).status_code == HTTPStatus.CREATED

    def test_is_taken_back(
        self, shared: Provider, api: APIClient, other_api: APIClient, person: User
    ) -> None:
        assert api.patch(path_of(shared), {"shared": False}).json()["shared"] is False
        shared.refresh_from_db()
        assert shared.user == person
        assert ask(other_api, shared).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert other_api.get(path_of(shared)).status_code == HTTPStatus.NOT_FOUND

    def test_keeps_the_key(self, shared: Provider) -> None:
        assert shared.api_key == "sk-never-to-be-seen"

    def test_takes_along_that_it_answers_by_default(self, shared: Provider, other_person: User) -> None:
        Provider.objects.create(slug="older", name="Older", default_model="m")
        assert choose_model(other_person).provider == shared

    def test_leaves_one_default_for_all(self, own: Provider, api: APIClient) -> None:
        before = Provider.objects.create(slug="before", name="Before", is_default=True)
        api.patch(path_of(own), {"shared": True})
        before.refresh_from_db()
        assert not before.is_default

    def test_leaves_the_default_that_somebody_chose(self, shared: Provider, other_person: User) -> None:
        mine = Provider.objects.create(
            user=other_person, slug="mine", name="Mine", default_model="m", is_default=True
        )
        assert choose_model(other_person).provider == mine

    def test_when_taken_back_leaves_the_owners_own_default(
        self, shared: Provider, api: APIClient, person: User
    ) -> None:
        mine = Provider.objects.create(user=person, slug="mine", name="M", is_default=True)
        api.patch(path_of(shared), {"shared": False})
        assert list(person.providers.filter(is_default=True)) == [mine]

    def test_needs_a_slug_that_no_shared_one_has(self, own: Provider, api: APIClient) -> None:
        Provider.objects.create(slug=own.slug, name="Before")
        answer = api.patch(path_of(own), {"shared": True, "name": "New"})
        assert list(answer.json()["error"]["fields"]) == ["slug"]
        own.refresh_from_db()
        assert (own.shared, own.name) == (False, "Stand-in")

    def test_can_be_said_when_it_is_added(self, api: APIClient) -> None:
        added = api.post(PROVIDERS, {"base_url": "https://a.example/v1", "shared": True}).json()
        assert Provider.objects.get(pk=added["id"]).shared

    @pytest.mark.parametrize("role", [Role.READER, Role.STAFF])
    def test_is_for_owners(self, other_person: User, role: Role) -> None:
        other_person.role = role
        other_person.save()
        api = client_of(other_person)
        refused = api.post(PROVIDERS, {"base_url": "https://a.example/v1", "shared": True})
        assert (refused.status_code, refused.json()["error"]["code"]) == (HTTPStatus.FORBIDDEN, "forbidden")
        added = api.post(PROVIDERS, {"base_url": "https://a.example/v1"}).json()
        answer = api.patch(f"{PROVIDERS}{added['id']}/", {"shared": True, "name": "New"})
        assert answer.status_code == HTTPStatus.FORBIDDEN
        kept = Provider.objects.get()
        assert (kept.user, kept.name) == (other_person, "a.example")

    def test_takes_true_or_false(self, own: Provider, api: APIClient) -> None:
        answer = api.patch(path_of(own), {"shared": "yes"})
        assert list(answer.json()["error"]["fields"]) == ["shared"]


@pytest.mark.parametrize("role", [Role.READER, Role.STAFF])
class TestWhoIsNoOwner:
    @pytest.fixture
    def theirs(self, other_person: User, role: Role) -> User:
        other_person.role = role
        other_person.save()
        return other_person

    @pytest.mark.parametrize("path", [PROVIDERS, "{one}", "/api/export/"])
    def test_sees_no_secret_over_the_api(self, shared: Provider, theirs: User, path: str) -> None:
        answer: Any = client_of(theirs).get(path.format(one=path_of(shared)))
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code == HTTPStatus.OK
        assert [secret for secret in SECRETS if secret.encode() in content] == []

    def test_sees_no_secret_in_openais_list(self, shared: Provider, theirs: User) -> None:
        listed = str(list_models(theirs))
        assert "stand-in/parrot" in listed
        assert [secret for secret in SECRETS if secret in listed] == []

    @pytest.mark.parametrize("path", ["/settings/providers/", "/settings/providers/{id}/", "/"])
    def test_sees_no_secret_on_pages(self, shared: Provider, theirs: User, path: str) -> None:
        client = Client()
        client.force_login(theirs)
        content = client.get(path.format(id=shared.pk)).content
        assert b"Stand-in" in content or path == "/"
        assert [secret for secret in SECRETS if secret.encode() in content] == []

    def test_sees_where_it_is_and_that_there_is_a_key(self, shared: Provider, theirs: User) -> None:
        shape = client_of(theirs).get(path_of(shared)).json()
        assert (shape["base_url"], shape["headers"]) == ("https://gateway.example:8443", {})
        assert (shape["has_key"], shape["editable"]) == (True, False)

    @pytest.mark.parametrize("method", ["patch", "delete"])
    def test_changes_nothing(self, shared: Provider, theirs: User, method: str) -> None:
        answer = getattr(client_of(theirs), method)(path_of(shared), {"shared": False, "name": "Mine now"})
        assert answer.status_code == HTTPStatus.NOT_FOUND
        assert Provider.objects.get().name == "Stand-in"

    @pytest.mark.parametrize("act", ["save", "keep", "share", "default", "models", "delete", "questions"])
    def test_changes_nothing_on_its_page(self, shared: Provider, theirs: User, act: str) -> None:
        client = Client()
        client.force_login(theirs)
        answer = client.post(f"/settings/providers/{shared.pk}/", {"act": act, "name": "Mine now"})
        assert answer.status_code == HTTPStatus.FORBIDDEN
        kept = Provider.objects.get()
        assert (kept.shared, kept.name) == (True, "Stand-in")


class TestOwners:
    def test_change_what_is_shared(self, shared: Provider, api: APIClient) -> None:
        changed = api.patch(path_of(shared), {"name": "New", "api_key": "sk-other"}).json()
        assert (changed["name"], changed["base_url"]) == ("New", ADDRESS)
        shared.refresh_from_db()
        assert (shared.api_key, shared.shared) == ("sk-other", True)

    def test_delete_what_is_shared(self, shared: Provider, api: APIClient) -> None:
        assert api.delete(path_of(shared)).status_code == HTTPStatus.NO_CONTENT

    def test_leave_the_local_one_as_it_is(self, api: APIClient) -> None:
        local = Provider.objects.create(slug=LOCAL, name="Local", preset=LOCAL)
        assert api.patch(path_of(local), {"shared": False}).status_code == HTTPStatus.NOT_FOUND
        assert api.delete(path_of(local)).status_code == HTTPStatus.NOT_FOUND

    def test_do_not_see_or_change_what_others_keep(self, own: Provider, other_person: User) -> None:
        other_person.role = Role.OWNER
        other_person.save()
        other = client_of(other_person)
        for method in ("get", "patch", "delete"):
            assert getattr(other, method)(path_of(own), {}).status_code == HTTPStatus.NOT_FOUND

    def test_share_and_take_back_on_its_page(self, own: Provider, person: User) -> None:
        client = Client()
        client.force_login(person)
        path = f"/settings/providers/{own.pk}/"
        assert "Keep to myself" in client.post(path, {"act": "share"}, follow=True).content.decode()
        assert "Share with everybody" in client.post(path, {"act": "keep"}, follow=True).content.decode()

    def test_make_it_answer_everybody(self, shared: Provider, person: User, other_person: User) -> None:
        Provider.objects.update(is_default=False)
        Provider.objects.create(slug="a-local", name="Other", default_model="m", is_default=True)
        client = Client()
        client.force_login(person)
        client.post(f"/settings/providers/{shared.pk}/", {"act": "default"})
        assert choose_model(other_person).provider == shared


class TestWhatWasFound:
    @pytest.fixture
    def found(self, person: User, monkeypatch: pytest.MonkeyPatch) -> Provider:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
        offer_found([openai()])
        return Provider.objects.get(slug="openai")

    def test_is_the_owners_alone_until_it_is_shared(
        self, found: Provider, api: APIClient, other_person: User
    ) -> None:
        assert found not in Provider.objects.offered_to(other_person)
        api.patch(path_of(found), {"shared": True})
        (offered,) = Provider.objects.offered_to(other_person)
        assert (offered, offered.api_key) == (found, "sk-environment")

    def test_takes_the_key_of_the_environment_nowhere_else(self, found: Provider, api: APIClient) -> None:
        assert api.patch(path_of(found), {"base_url": "https://evil.example/v1"}).status_code == 422
        assert (
            api.patch(path_of(found), {"base_url": "https://evil.example/v1", "api_key": None}).status_code
            == 200
        )
        found.refresh_from_db()
        assert (found.api_key, found.has_key) == ("", False)

    def test_is_found_again_as_it_was_shared(self, found: Provider, api: APIClient) -> None:
        api.patch(path_of(found), {"shared": True})
        offer_found([openai()])
        assert Provider.objects.get() == found
        assert Provider.objects.get().shared

    def test_is_offered_to_nobody_once_it_is_gone(
        self, found: Provider, api: APIClient, person: User, other_person: User
    ) -> None:
        api.patch(path_of(found), {"shared": True})
        offer_found([])
        assert not Provider.objects.offered_to(person).exists()
        assert not Provider.objects.offered_to(other_person).exists()

    def test_is_lost_by_an_owner_who_is_none_any_more(
        self, found: Provider, person: User, other_person: User
    ) -> None:
        assert found in Provider.objects.offered_to(person)
        person.role = Role.READER
        person.save()
        assert found not in Provider.objects.offered_to(person)


def openai() -> Found:
    preset = preset_named("openai")
    assert preset is not None
    return Found(preset)


@pytest.mark.parametrize(
    ("base_url", "origin"),
    [
        (ADDRESS, "https://gateway.example:8443"),
        ("http://[::1]:11434/v1", "http://[::1]:11434"),
        ("https://user-never:x@a.example/v1", "https://a.example"),
        ("https://a.example", "https://a.example"),
        ("", ""),
        ("nonsense", ""),
        ("http://[", ""),
    ],
)
def test_where_a_provider_is_tells_no_secret(base_url: str, origin: str) -> None:
    stranger = User(username="stranger")
    assert provider_shape(Provider(base_url=base_url), stranger)["base_url"] == origin


def test_what_is_secret_in_an_address_is_cut_from_its_errors() -> None:
    assert set(Endpoint(ADDRESS).secrets) == {"path-never-to-be-seen", "query-never-seen"}

"""Signing in with a password, for those who have set one; nobody has to."""

from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from askweb.accounts.models import User
from tests.accounts.conftest import PASSWORD, browser, is_signed_in

pytestmark = pytest.mark.django_db

SIGN_IN, ACCOUNT = "/sign-in/", "/settings/account/"
NEW = "quite another phrase"
WRONG = "Please enter a correct"


def sign_in(name: str, password: str = PASSWORD, client: Client | None = None, path: str = SIGN_IN) -> Client:
    client = client or Client()
    client.post(path, {"username": name, "password": password})
    return client


def refused(name: str, password: str) -> str:
    answer = Client().post(SIGN_IN, {"username": name, "password": password})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    return answer.content.decode()


class TestSigningIn:
    def test_with_the_password_goes_home(self, with_password: User) -> None:
        client = Client()
        answer = client.post(SIGN_IN, {"username": "somebody", "password": PASSWORD})
        assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, "/")
        assert client.session["_auth_user_id"] == str(with_password.pk)

    def test_leads_on_to_the_page_that_was_wanted(self, with_password: User) -> None:
        client = Client()
        client.get("/sign-in/?next=/tools/%3Fa%3Db")
        answer = client.post("/sign-in/", {"username": "somebody", "password": PASSWORD})
        assert answer["Location"] == "/tools/?a=b"

    @pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
    def test_leads_to_no_other_site(self, with_password: User, next_: str) -> None:
        client = Client()
        client.get(SIGN_IN, {"next": next_})
        answer = client.post(f"{SIGN_IN}?next={next_}", {"username": "somebody", "password": PASSWORD})
        assert answer["Location"] == "/"

    def test_a_wrong_name_and_a_wrong_password_are_told_alike(self, with_password: User) -> None:
        wrong_password = refused("somebody", "x")
        wrong_name = refused("nobody", "x")
        assert WRONG in wrong_password
        assert wrong_name.replace("nobody", "somebody").count(WRONG) == wrong_password.count(WRONG) == 1

    def test_who_may_not_sign_in_is_told_no_more(self, with_password: User) -> None:
        User.objects.update(is_active=False)
        User.objects.create_user("other", password=PASSWORD)
        assert WRONG in refused("somebody", PASSWORD)

    @pytest.mark.parametrize("password", ["", "!", "x"])
    def test_without_a_password_only_links_work(
        self, other_person: User, with_password: User, password: str
    ) -> None:
        nobody = User.objects.create_user("linked")
        refused("linked", password)
        client = Client()
        client.get(f"/sign-in/{nobody.new_sign_in_link()}/")
        assert is_signed_in(client)

    @pytest.mark.parametrize(("name", "password"), [("nobody", "x"), ("somebody", "x"), ("linked", "x")])
    def test_a_refusal_hashes_once_whoever_it_is(
        self, with_password: User, monkeypatch: pytest.MonkeyPatch, name: str, password: str
    ) -> None:
        User.objects.create_user("linked")
        hashed: list[str] = []
        encode: Callable[..., str] = MD5PasswordHasher.encode

        def count(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
            hashed.append(password)
            return encode(hasher, password, salt)

        monkeypatch.setattr(MD5PasswordHasher, "encode", count)
        refused(name, password)
        assert len(hashed) == 1

    def test_gives_the_session_another_name(self, with_password: User) -> None:
        client = Client()
        client.get("/sign-in/?next=/tools/")
        before = client.cookies["sessionid"].value
        assert sign_in("somebody", client=client).cookies["sessionid"].value != before

    def test_needs_a_form_of_ours(self, with_password: User) -> None:
        client = Client(enforce_csrf_checks=True)
        answer = client.post(SIGN_IN, {"username": "somebody", "password": PASSWORD})
        assert answer.status_code == HTTPStatus.FORBIDDEN

    def test_the_page_asks_for_a_password_once_somebody_has_one(self, person: User) -> None:
        assert 'name="password"' not in Client().get(SIGN_IN).content.decode()
        person.set_password(PASSWORD)
        person.save()
        assert 'name="password"' in Client().get(SIGN_IN).content.decode()

    def test_a_link_still_works_for_who_has_a_password(self, with_password: User) -> None:
        client = Client()
        client.get(f"/sign-in/{with_password.new_sign_in_link()}/")
        assert is_signed_in(client)

    def test_what_was_typed_is_kept_but_for_the_password(self, with_password: User) -> None:
        page = refused("somebody", "typed-secret")
        assert 'value="somebody"' in page
        assert "typed-secret" not in page


class TestOnesOwn:
    def test_is_set_at_first_without_an_old_one(self, other_person: User) -> None:
        client = browser(other_person)
        client.post(ACCOUNT, {"password": NEW, "password_again": NEW})
        assert is_signed_in(client)
        assert is_signed_in(sign_in("somebody", NEW))

    def test_is_changed_with_the_old_one(self, with_password: User) -> None:
        here, elsewhere = browser(with_password), browser(with_password)
        here.post(ACCOUNT, {"old_password": PASSWORD, "password": NEW, "password_again": NEW})
        assert (is_signed_in(here), is_signed_in(elsewhere)) == (True, False)
        assert is_signed_in(sign_in("somebody", NEW))
        assert not is_signed_in(sign_in("somebody", PASSWORD))

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"old_password": "x"}, "Your password: Your old password was entered incorrectly"),
            ({"old_password": ""}, "Your password: This field is required."),
            ({"password_again": "x"}, "The same once more: The two password fields"),
            ({"password": "12345678", "password_again": "12345678"}, "entirely numeric"),
            ({"password": "password", "password_again": "password"}, "too common"),
            ({"password": "short", "password_again": "short"}, "too short"),
            ({"password": "somebody1", "password_again": "somebody1"}, "too similar"),
        ],
    )
    def test_is_refused_with_what_is_wrong(
        self, with_password: User, fields: dict[str, str], told: str
    ) -> None:
        good = {"old_password": PASSWORD, "password": NEW, "password_again": NEW}
        answer = browser(with_password).post(ACCOUNT, {**good, **fields})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert told in answer.content.decode()
        assert is_signed_in(sign_in("somebody", PASSWORD))

    def test_page_says_who_one_is_here(self, other_person: User) -> None:
        page = browser(other_person).get(ACCOUNT).content.decode()
        assert "<strong>somebody</strong>" in page
        assert "Reader" in page

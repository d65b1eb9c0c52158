"""The pages of settings without any script: plain forms, and clear words for what went wrong."""

from http import HTTPStatus

import pytest
from django.test import Client

from askweb.accounts.models import User
from askweb.conversations.models import Conversation
from askweb.providers.errors import ProviderError
from askweb.providers.models import Provider
from questions.models import RememberedAnswer

pytestmark = pytest.mark.django_db

GENERAL, PROVIDERS, NEW = "/settings/", "/settings/providers/", "/settings/providers/new/"
REMEMBERED, PRIVACY, INITIAL, EXTENSION, DEVICES, ACCOUNT, PEOPLE = (
    "/settings/remembered-answers/",
    "/settings/privacy/",
    "/settings/initial-message/",
    "/settings/extension/",
    "/settings/devices/",
    "/settings/account/",
    "/settings/people/",
)
SAVED = {"name": "Mine", "base_url": "http://127.0.0.1:9/v1", "default_model": "parrot"}


def shown(client: Client, path: str, **query: str) -> str:
    response = client.get(path, query)
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def post(client: Client, path: str, **fields: str) -> str:
    """The page that the person sees after the form."""
    return client.post(path, fields, follow=True).content.decode()


@pytest.mark.parametrize(
    "path", [GENERAL, PROVIDERS, NEW, REMEMBERED, PRIVACY, INITIAL, EXTENSION, DEVICES, ACCOUNT, PEOPLE]
)
def test_every_section_has_the_one_navigation(browser_of: Client, path: str) -> None:
    page = shown(browser_of, path)
    assert all(
        f'href="{each}"' in page
        for each in (
            GENERAL,
            PROVIDERS,
            INITIAL,
            REMEMBERED,
            PRIVACY,
            "/tools/",
            EXTENSION,
            DEVICES,
            ACCOUNT,
            PEOPLE,
        )
    )
    assert page.count('class="sections__link"') == page.count("sections__link") == 10


@pytest.mark.parametrize("path", [GENERAL, PROVIDERS, NEW, REMEMBERED, PRIVACY, DEVICES, ACCOUNT, PEOPLE])
def test_a_stranger_is_asked_to_sign_in(db: None, path: str) -> None:
    assert Client().get(path).headers["Location"] == f"/sign-in/?next={path}"


def test_languages_and_look_are_saved(browser_of: Client, person: User) -> None:
    page = post(browser_of, GENERAL, answer_language="page", interface_language="", theme="dark")
    person.refresh_from_db()
    assert (person.answer_language, person.theme) == ("page", "dark")
    assert "It is saved." in page


def test_the_look_is_in_the_page_before_any_script(browser_of: Client, person: User) -> None:
    assert "data-theme" not in shown(browser_of, "/")
    User.objects.update(theme="dark")
    assert 'data-theme="dark"' in shown(browser_of, "/")
    assert '<meta name="color-scheme" content="dark">' in shown(browser_of, "/")


def test_a_language_by_its_name_wins_and_is_offered_from_then_on(browser_of: Client, person: User) -> None:
    page = post(browser_of, GENERAL, answer_language="page", another_language="Esperanto", theme="system")
    person.refresh_from_db()
    assert person.answer_language == "Esperanto"
    assert "<option selected>Esperanto</option>" in page


def test_a_language_set_by_its_code_is_shown_by_its_name(browser_of: Client) -> None:
    User.objects.update(answer_language="de")
    assert "<option selected>Deutsch</option>" in shown(browser_of, GENERAL)


def test_a_refused_setting_is_told_with_its_label(browser_of: Client) -> None:
    response = browser_of.post(GENERAL, {"theme": "pink"})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Appearance: Must be one of system, light, dark." in response.content.decode()


def test_remembered_answers_are_listed_in_words_and_forgotten(browser_of: Client, person: User) -> None:
    values = [{"value": "日本語", "source": "option", "index": 0}]
    row = RememberedAnswer.objects.create(
        user=person, tool="translate", question="target_language", values=values
    )
    page = shown(browser_of, REMEMBERED)
    assert "Translate" in page
    assert "target language" in page
    assert "日本語" in page
    assert "There are none." in post(browser_of, REMEMBERED, forget=str(row.pk))


@pytest.mark.parametrize("forget", ["", "x", "0190a8c8-0000-7000-8000-000000000000"])
def test_forgetting_what_is_not_there_changes_nothing(browser_of: Client, person: User, forget: str) -> None:
    RememberedAnswer.objects.create(user=person, tool="translate", question="x", values=[])
    post(browser_of, REMEMBERED, forget=forget)
    assert RememberedAnswer.objects.exists()


def test_a_preset_wants_only_its_key(browser_of: Client, person: User) -> None:
    page = post(browser_of, f"{NEW}?preset=deepseek", api_key="sk-secret-1", default_model="deepseek-chat")
    added = person.providers.get()
    assert (added.preset, added.api_key) == ("deepseek", "sk-secret-1")
    assert "DeepSeek is added." in page
    assert "sk-secret-1" not in page


def test_a_preset_without_its_key_says_so(browser_of: Client) -> None:
    page = post(browser_of, f"{NEW}?preset=deepseek", base_url="https://api.deepseek.com")
    assert "Key: Give your key for this provider." in page


def test_another_provider_wants_an_address(browser_of: Client, person: User) -> None:
    assert "Address: Give the address" in post(browser_of, NEW, api_key="k")
    post(browser_of, NEW, base_url="https://api.example.org/v1")
    assert person.providers.get().name == "api.example.org"


def test_a_refused_form_keeps_all_but_the_key(browser_of: Client) -> None:
    page = post(browser_of, NEW, base_url="nonsense", default_model="parrot", api_key="sk-secret-2")
    assert 'value="nonsense"' in page
    assert 'value="parrot"' in page
    assert "sk-secret-2" not in page


def path_of(provider: Provider) -> str:
    return f"{PROVIDERS}{provider.pk}/"


def test_a_provider_is_changed_and_its_key_stays(browser_of: Client, provider: Provider) -> None:
    provider.api_key = "sk-old"
    provider.save()
    post(browser_of, path_of(provider), act="save", **SAVED | {"default_model": ""})
    provider.refresh_from_db()
    assert (provider.name, provider.default_model, provider.api_key) == ("Mine", "", "sk-old")


def test_a_key_is_never_shown(browser_of: Client, provider: Provider) -> None:
    provider.api_key = "sk-old"
    provider.save()
    page = shown(browser_of, path_of(provider))
    assert "sk-old" not in page
    assert "stored, and not shown" in page


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"api_key": "sk-new"}, "sk-new"),
        ({"forget_key": "yes"}, ""),
        ({"api_key": "n", "forget_key": "yes"}, "n"),
    ],
)
def test_a_key_is_replaced_or_forgotten(
    browser_of: Client, provider: Provider, fields: dict[str, str], key: str
) -> None:
    provider.api_key = "sk-old"
    provider.save()
    post(browser_of, path_of(provider), act="save", **SAVED, **fields)
    provider.refresh_from_db()
    assert provider.api_key == key


def test_a_test_that_fails_says_why(browser_of: Client, provider: Provider) -> None:
    page = post(browser_of, path_of(provider), act="test", **SAVED)
    assert "The test failed." in page
    assert "can&#x27;t be reached" in page


def test_the_list_of_models_is_kept(
    browser_of: Client, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [{"id": "parrot-2", "context_window": 8192}]
    monkeypatch.setattr("askweb.preferences.provider_pages.models_of", lambda _provider: listed)
    page = post(browser_of, path_of(provider), act="models", **SAVED)
    assert '<option value="parrot-2">' in page
    provider.refresh_from_db()
    assert provider.known_models == listed


def test_a_list_of_models_that_fails_says_why(
    browser_of: Client, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_provider: Provider) -> None:
        raise ProviderError("provider.auth", "No such key.")

    monkeypatch.setattr("askweb.preferences.provider_pages.models_of", fail)
    assert "No such key." in post(browser_of, path_of(provider), act="models", **SAVED)


def test_whether_models_may_ask_is_set_for_one_or_for_all(browser_of: Client, provider: Provider) -> None:
    provider.capabilities = {"parrot": {"refuses": ["top_p"]}}
    provider.save()
    post(browser_of, path_of(provider), act="questions", model="parrot", questions="never")
    post(browser_of, path_of(provider), act="questions", model="", questions="always")
    provider.refresh_from_db()
    assert provider.capabilities == {
        "parrot": {"refuses": ["top_p"], "questions": "never"},
        "*": {"questions": "always"},
    }


def test_another_provider_becomes_the_default(browser_of: Client, provider: Provider, person: User) -> None:
    other = Provider.objects.create(
        user=person, slug="o", name="Other", base_url="https://x.example", default_model="m"
    )
    post(browser_of, path_of(other), act="default")
    assert person.providers.get(is_default=True) == other


def test_found_and_shared_providers_are_marked(browser_of: Client, person: User) -> None:
    Provider.objects.create(user=person, slug="a", name="A", base_url="http://localhost:11434/v1", found=True)
    Provider.objects.create(slug="b", name="B", base_url="https://b.example/v1")
    page = shown(browser_of, PROVIDERS)
    assert "found on this machine" in page
    assert "shared by all" in page


def test_a_provider_is_deleted(browser_of: Client, provider: Provider) -> None:
    assert "Stand-in is deleted" in post(browser_of, path_of(provider), act="delete")
    assert not Provider.objects.exists()


def test_another_persons_provider_is_not_there(provider: Provider, other_person: User) -> None:
    stranger = Client()
    stranger.force_login(other_person)
    assert stranger.get(path_of(provider)).status_code == HTTPStatus.NOT_FOUND


def test_hosts_are_blocked_one_a_line(browser_of: Client, person: User) -> None:
    page = post(browser_of, PRIVACY, act="block", hosts="bank.example\r\n\r\n 例え.jp \r\n")
    person.refresh_from_db()
    assert person.blocked_hosts == ["bank.example", "xn--r8jz45g.jp"]
    assert "bank.example\n例え.jp</textarea>" in page


def test_a_line_that_is_no_host_is_named_and_the_text_kept(browser_of: Client, person: User) -> None:
    page = post(browser_of, PRIVACY, act="block", hosts="ok.example\r\nno host")
    assert "“no host” is not the name of a host" in page
    assert "no host</textarea>" in page
    person.refresh_from_db()
    assert person.blocked_hosts == []


def test_what_is_stored_is_counted_first_and_then_deleted(browser_of: Client, person: User) -> None:
    conversation = Conversation(user=person, title="Account")
    conversation.note_page("Account", "https://my.bank.example/account")
    conversation.save()
    assert "1 conversation is from bank.example" in shown(browser_of, PRIVACY, host="bank.example")
    assert "1 conversation was deleted." in post(browser_of, PRIVACY, act="purge", host="bank.example")
    assert not Conversation.objects.exists()


def test_everything_is_deleted_once_the_name_is_typed(browser_of: Client, provider: Provider) -> None:
    assert "type owner here" in post(browser_of, PRIVACY, act="delete-everything", confirm="yes")
    page = post(browser_of, PRIVACY, act="delete-everything", confirm="owner")
    assert "Everything is deleted." in page
    assert "providers: 1" in page
    assert not Provider.objects.exists()


def test_a_temporary_conversation_is_asked_for_in_the_composer(
    browser_of: Client, provider: Provider
) -> None:
    assert 'name="temporary"' in shown(browser_of, "/")
    page = post(browser_of, "/", text="Hi", tool="ask", temporary="yes", nonce="n")
    assert Conversation.objects.get().temporary
    assert "Temporary" in page
    assert 'name="temporary"' not in page

"""What is there already is found, offered first to the owner, and to nobody else."""

import pytest

from askweb.providers.choosing import choose_model
from askweb.providers.finding import Found, look_around, offer_found
from askweb.providers.models import Provider
from askweb.providers.presets import preset_named, presets
from tests.waiting import until

OLLAMA = Found(preset_named("ollama"), [{"id": "nomic-embed-text"}, {"id": "qwen3"}])
OPENAI = Found(preset_named("openai"))


@pytest.fixture(autouse=True)
def _bare(monkeypatch):
    """Nothing is in the environment of these tests but what they put there."""
    for preset in presets().values():
        if preset.key_variable:
            monkeypatch.delenv(preset.key_variable, raising=False)


@pytest.fixture
def openai_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")


@pytest.fixture
def shared(db):
    return Provider.objects.create(user=None, slug="shared", name="Shared", default_model="parrot")


def slugs(person):
    return [each.slug for each in Provider.objects.offered_to(person)]


def test_what_was_found_is_offered_first(person, shared):
    offer_found([OLLAMA])
    assert slugs(person) == ["ollama", "shared"]
    found = Provider.objects.get(slug="ollama")
    assert (found.found, found.default_model, len(found.known_models)) == (True, "qwen3", 2)


def test_it_is_the_owners_alone(person, other_person, shared, openai_key):
    offer_found([OLLAMA, OPENAI])
    assert slugs(other_person) == ["shared"]


def test_it_does_not_become_the_default_by_itself(person, shared):
    offer_found([OLLAMA])
    assert choose_model(person).provider == shared


def test_until_it_is_chosen(person, shared, api):
    offer_found([OLLAMA])
    found = Provider.objects.get(slug="ollama")
    api.patch(f"/api/providers/{found.pk}/", {"is_default": True})
    assert (choose_model(person).provider, choose_model(person).model) == (found, "qwen3")


def test_it_answers_where_there_is_nothing_else(person):
    offer_found([OLLAMA])
    assert choose_model(person).provider.slug == "ollama"


def test_the_first_provider_that_a_person_adds_is_their_default_all_the_same(person, api):
    offer_found([OLLAMA])
    assert api.post("/api/providers/", {"preset": "groq", "api_key": "x"}).json()["is_default"]


def test_a_key_of_the_environment_is_used_and_not_stored(person, openai_key, api):
    offer_found([OPENAI])
    found = Provider.objects.get(slug="openai")
    assert (found.api_key, found.encrypted_key) == ("sk-environment", "")
    assert api.get(f"/api/providers/{found.pk}/").json()["has_key"]


def test_a_key_goes_where_the_environment_says(person, openai_key, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://relay.example/v1")
    offer_found([OPENAI])
    assert Provider.objects.get(slug="openai").base_url == "https://relay.example/v1"


def test_when_the_variable_goes_away_it_is_not_offered_any_more(person, openai_key, monkeypatch):
    offer_found([OPENAI])
    monkeypatch.delenv("OPENAI_API_KEY")
    assert slugs(person) == []


def test_what_a_person_enters_is_not_filled_from_the_environment(person, openai_key):
    assert Provider(user=person, preset="openai").api_key == ""


def test_a_server_that_went_away_comes_back_as_it_was(person):
    offer_found([OLLAMA])
    first = Provider.objects.get(slug="ollama")
    offer_found([])
    assert slugs(person) == []
    offer_found([OLLAMA])
    assert Provider.objects.offered_to(person).get() == first


@pytest.mark.parametrize(
    "own",
    [
        {"slug": "mine", "preset": "ollama"},
        {"slug": "x", "base_url": OLLAMA.preset.base_url},
        {"slug": "ollama"},
    ],
)
def test_what_is_connected_already_is_left_alone(person, own):
    Provider.objects.create(user=person, name="Own", **own)
    offer_found([OLLAMA])
    assert slugs(person) == [own["slug"]]


async def test_keys_in_the_environment_are_seen(openai_key, monkeypatch):
    monkeypatch.setenv("ZHIPUAI_API_KEY", "z")
    monkeypatch.setenv("DEEPSEEK_API_KEY", " ")
    found = {each.preset.slug for each in await look_around()}
    assert {"openai", "zhipu"} <= found
    assert "deepseek" not in found


def test_only_the_owner_may_look_around(other_api):
    assert other_api.post("/api/providers/find/").json()["error"]["code"] == "forbidden"


@pytest.mark.django_db(transaction=True)
def test_looking_around_answers_with_what_was_found(api, openai_key):
    found = api.post("/api/providers/find/").json()["results"]
    assert [each["found"] for each in found if each["slug"] == "openai"] == [True]


def openai_of(server):
    listed = server.get("/api/providers/").json["results"]
    return next((each for each in listed if each["slug"] == "openai"), None)


def test_a_server_looks_around_when_it_starts(new_server):
    server = new_server(OPENAI_API_KEY="sk-environment", ASKWEB_FIND_PROVIDERS="on")
    server.start()
    found = until("OpenAI is found", lambda: openai_of(server))
    server.terminate()
    assert (found["found"], found["has_key"]) == (True, True)
    assert not [file for file in server.folder.iterdir() if b"sk-environment" in file.read_bytes()]

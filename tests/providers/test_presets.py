"""Known providers, as data; and where they are called."""

import pytest

from askweb.providers.capabilities import Capabilities
from askweb.providers.endpoints import Endpoint
from askweb.providers.presets import preset_named, presets

pytestmark = pytest.mark.django_db

NAMED = "openai zhipu deepseek moonshot dashscope openrouter groq gemini ollama lmstudio llamacpp vllm local"


def test_there_is_a_preset_for_each_provider_that_is_named():
    assert set(NAMED.split()) <= presets().keys()


@pytest.mark.parametrize("preset", presets().values(), ids=lambda preset: preset.slug)
def test_what_a_preset_says_of_its_models_can_be_read(preset):
    for layer in (preset.capabilities, *preset.models.values()):
        assert Capabilities().with_layer(layer) != Capabilities() or not layer


@pytest.mark.parametrize("slug", [slug for slug in presets() if slug != "local"])
def test_a_preset_needs_no_address(api, slug):
    added = api.post("/api/providers/", {"preset": slug, "api_key": "sk-1"})
    preset = preset_named(slug)
    assert (added.status_code, added.json()["slug"]) == (201, slug)
    assert (added.json()["base_url"], added.json()["name"]) == (preset.base_url, preset.name)


def test_the_second_of_one_preset_gets_another_slug(api):
    slugs = [api.post("/api/providers/", {"preset": "groq", "api_key": "x"}).json()["slug"] for _ in range(2)]
    assert slugs == ["groq", "groq-2"]


def test_an_own_address_goes_before_the_presets(api):
    added = api.post("/api/providers/", {"preset": "openai", "base_url": "https://relay.example/v9"})
    assert (added.status_code, added.json()["base_url"]) == (201, "https://relay.example/v9")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"preset": "deepseek"}, "api_key"),
        ({"preset": "nobody", "api_key": "x"}, "preset"),
        ({"preset": "local"}, "preset"),
        ({"preset": ""}, "base_url"),
        ({"preset": "ollama", "capabilities": {"*": {"nonsense": True}}}, "capabilities"),
        ({"preset": "ollama", "capabilities": {"*": {"system_role": "no"}}}, "capabilities"),
        ({"preset": "ollama", "capabilities": {"m": ["temperature"]}}, "capabilities"),
        ({"preset": "ollama", "capabilities": {"*": {"__doc__": "no field"}}}, "capabilities"),
        ({"preset": "ollama", "models": ["x" * 201]}, "models"),
        ({"preset": "ollama", "models": [f"m{number}" for number in range(501)]}, "models"),
    ],
)
def test_what_is_missing_or_wrong_is_named(api, body, field):
    refused = api.post("/api/providers/", body)
    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (422, [field])


def test_the_presets_are_listed_without_the_local_model(api):
    listed = [each["slug"] for each in api.get("/api/provider-presets/").json()["results"]]
    assert set(listed) == presets().keys() - {"local"}


@pytest.mark.parametrize(
    ("base_url", "completions"),
    [
        ("https://api.deepseek.com", "https://api.deepseek.com/chat/completions"),
        ("https://api.deepseek.com/", "https://api.deepseek.com/chat/completions"),
        ("https://a.example/api/paas/v4", "https://a.example/api/paas/v4/chat/completions"),
        ("https://a.example/v1/chat/completions", "https://a.example/v1/chat/completions"),
        ("https://a.example/v1/chat/completions/", "https://a.example/v1/chat/completions"),
        ("https://a.example/v1/models", "https://a.example/v1/chat/completions"),
        (" https://a.example/v1 ", "https://a.example/v1/chat/completions"),
        ("https://a.example/d/x?api-version=9", "https://a.example/d/x/chat/completions?api-version=9"),
        ("http://[::1]:8080/v1#top", "http://[::1]:8080/v1/chat/completions"),
    ],
)
def test_an_address_is_used_as_given(base_url, completions):
    endpoint = Endpoint(base_url)
    assert endpoint.completions_url == completions
    assert endpoint.models_url == completions.replace("/chat/completions", "/models")

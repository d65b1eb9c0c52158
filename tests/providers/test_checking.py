"""Trying a provider out, and asking it for its models."""

import orjson
import pytest

from askweb.providers.listing import models_in
from askweb.providers.models import Provider
from tests.stand_ins import sse
from tests.stand_ins.recorded import RecordedProvider, Recording

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def connected(person, upstream):
    """A provider that the stand-in answers for."""
    row = Provider(user=person, slug="up", name="Up", base_url=upstream.base_url, default_model="parrot")
    row.api_key = "sk-secret"
    row.save()
    return row


def check(api, row, **body):
    return api.post(f"/api/providers/{row.pk}/test/", body)


def error(message, **more):
    return orjson.dumps({"error": {"message": message, **more}})


def test_a_provider_that_answers_works(api, connected, upstream):
    verdict = check(api, connected).json()
    assert (verdict["ok"], verdict["code"], verdict["model"]) == (True, None, "parrot")
    assert verdict["message"].startswith("It works: parrot answered after ")
    assert upstream.next_call().body["messages"] == [{"role": "user", "content": "Say OK."}]


def test_it_is_a_tiny_call_that_ends_with_the_first_word(api, connected, upstream):
    upstream.will_send(sse.chunk("OK"), upstream.gate())
    assert check(api, connected).json()["ok"]
    call = upstream.next_call()
    assert call.body["max_tokens"] <= 16
    call.closed_at()


@pytest.mark.parametrize(
    ("status", "body", "code", "words"),
    [
        (401, error("nope"), "provider.auth", "The key was refused."),
        (402, error("pay"), "provider.billing", "no credit left. pay"),
        (429, error("slow"), "provider.rate_limit", "allows no more calls"),
        (
            404,
            error("no model parrot", code="model_not_found"),
            "provider.model_unknown",
            "has no such model",
        ),
        (500, b"", "provider.unavailable", "has a fault"),
        (200, b"<html>Welcome</html>", "provider.protocol", "does not speak OpenAI's protocol. Welcome"),
        (200, b"", "provider.protocol", "broke off before its first word"),
        (302, b"", "provider.protocol", "redirects"),
        (400, error("odd"), "provider.bad_request", "The provider refused the call. odd"),
    ],
)
def test_what_is_wrong_is_said_in_words(api, connected, upstream, status, body, code, words):
    upstream.will_send(body, status=status, content_type="application/json")
    answer = check(api, connected)
    assert (answer.status_code, answer.json()["ok"], answer.json()["code"]) == (200, False, code)
    assert words in answer.json()["message"]


def test_the_key_is_in_no_verdict(api, connected, upstream):
    upstream.will_send(error("sk-secret is unknown"), status=401, content_type="application/json")
    assert "sk-secret" not in check(api, connected).json()["message"]


def test_what_the_model_refuses_is_learned_on_the_way(api, connected, upstream):
    refusal = error("max_tokens is not supported, use max_completion_tokens instead")
    upstream.will_send(refusal, status=400, content_type="application/json")
    assert check(api, connected).json()["ok"]
    connected.refresh_from_db()
    assert connected.capabilities == {"parrot": {"token_limit": "max_completion_tokens"}}


def test_another_model_can_be_tried(api, connected, upstream):
    assert check(api, connected, model="owl").json()["model"] == "owl"
    assert upstream.next_call().body["model"] == "owl"


def test_nobody_listening_is_said(api, provider):
    verdict = check(api, provider).json()
    assert (verdict["ok"], verdict["code"]) == (False, "provider.unavailable")
    assert "Is its address right, and is it running?" in verdict["message"]


def test_without_any_model_to_try_the_fault_is_named(api, provider):
    Provider.objects.update(default_model="")
    assert check(api, provider).json()["code"] == "provider.unavailable"


def test_anothers_provider_is_not_there(other_api, provider):
    assert check(other_api, provider).status_code == 404
    assert other_api.get(f"/api/providers/{provider.pk}/models/").status_code == 404


def test_a_device_that_may_only_ask_may_not_test(api, connected, person):
    _device, token = person.new_device("reader", scopes=("ask", "read"))
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    assert check(api, connected).json()["error"]["code"] == "auth.scope"


def test_the_models_of_a_provider_that_cannot_be_reached_are_an_error(api, provider):
    answer = api.get(f"/api/providers/{provider.pk}/models/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "provider.unavailable")


def listing(person, answer, status=200):
    """A provider whose list of models is this answer, and the stand-in behind it."""
    body = answer if isinstance(answer, bytes) else orjson.dumps(answer)
    reply = Recording(200, {"content-type": "text/event-stream"}, b"".join(sse.reply("OK")))
    upstream = RecordedProvider({"/v1/models": Recording(status, {}, body), "a": reply})
    return Provider.objects.create(user=person, slug="up", base_url=upstream.base_url), upstream


def test_the_models_are_asked_of_the_provider(api, person):
    row, upstream = listing(person, {"object": "list", "data": [{"id": "a", "context_window": 9}]})
    listed = api.get(f"/api/providers/{row.pk}/models/").json()
    upstream.close()
    assert listed == {"results": [{"id": "a", "context_window": 9}], "next": None}


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (401, {"error": {"message": "who?"}}, "provider.auth"),
        (404, b"<h1>Not here</h1>", "provider.bad_request"),
        (200, b"<h1>Welcome</h1>", "provider.protocol"),
        (200, {"hello": "world"}, "provider.protocol"),
        (200, b"", "provider.protocol"),
    ],
)
def test_what_is_no_list_of_models_is_an_error(api, person, status, answer, code):
    row, upstream = listing(person, answer, status)
    refused = api.get(f"/api/providers/{row.pk}/models/")
    upstream.close()
    assert (refused.status_code, refused.json()["error"]["code"]) == (502, code)


def test_a_model_is_looked_for_where_none_is_known(api, person):
    row, upstream = listing(person, {"data": [{"id": "a"}]})
    verdict = check(api, row).json()
    upstream.close()
    assert (verdict["ok"], verdict["model"]) == (True, "a")


@pytest.mark.parametrize(
    ("answer", "models"),
    [
        ({"data": [{"id": "a", "object": "model"}]}, [{"id": "a"}]),
        ({"models": [{"name": "llama3:latest", "model": "llama3"}]}, [{"id": "llama3"}]),
        ({"models": [{"name": "llama3:latest"}]}, [{"id": "llama3:latest"}]),
        (["a", "b"], [{"id": "a"}, {"id": "b"}]),
        ([{"id": "a", "context_length": 9}], [{"id": "a", "context_window": 9}]),
        ([{"id": "a", "max_model_len": 9}], [{"id": "a", "context_window": 9}]),
        ([{"id": "a", "meta": {"n_ctx_train": 9}}], [{"id": "a", "context_window": 9}]),
        ([{"id": "a", "context_length": None}], [{"id": "a"}]),
        ([{"id": "a"}, {"id": "a"}, {"id": ""}, {}, None, 7], [{"id": "a"}]),
        ({"data": []}, []),
        ({"data": None}, None),
        ("models", None),
        (None, None),
    ],
)
def test_every_way_to_list_models_is_understood(answer, models):
    assert models_in(answer) == models

"""How many bytes a person may store: of messages, context and images."""

from http import HTTPStatus
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Conversation, Message
from askweb.images.cleaning import CleanImage
from askweb.images.models import Image
from askweb.limits.measuring import stored_by, stored_by_each
from askweb.parsing import weight_of
from tests.images.pictures import drawn, written
from tests.limits.conftest import ask, end, limit

pytestmark = pytest.mark.django_db

TEXT = "page text " * 500
PAGE = {"id": "page", "content": TEXT}


def say(*words: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": each} for each in words]


class TestMeasuring:
    def test_texts_count_their_bytes(self, api: APIClient, person: User) -> None:
        ask(api, messages=say("潮汐"))
        assert stored_by(person) == 6

    def test_replies_and_what_the_model_thought_count(self, api: APIClient, person: User) -> None:
        ask(api, messages=say("a"))
        Message.objects.filter(role="assistant").update(content="bb", reasoning="ccc")
        assert stored_by(person) == 6

    def test_a_page_counts_once_a_conversation(self, api: APIClient, person: User) -> None:
        posted = ask(api, context=[PAGE]).json()
        once = stored_by(person)
        assert len(TEXT) < once < len(TEXT) + 100
        end()
        path = f"/api/conversations/{posted['conversation']['id']}/messages/"
        api.post(path, {"messages": say("b"), "context": [PAGE]})
        assert once < stored_by(person) < once + 100

    def test_a_page_counts_in_every_conversation(self, api: APIClient, person: User) -> None:
        ask(api, context=[PAGE])
        once = stored_by(person)
        ask(api, context=[PAGE])
        assert stored_by(person) == 2 * once

    def test_images_count(self, person: User) -> None:
        Image.objects.store(person, CleanImage("image/png", 1, 1, b"12345"))
        assert stored_by(person) == 5

    def test_questions_count_with_what_was_answered(self, api: APIClient, person: User) -> None:
        options = [{"label": "a"}, {"label": "b"}]
        question = {"id": "q", "header": "H", "question": "潮" * 500, "options": options}
        id_ = api.post("/api/questions/", {"questions": [question]}).json()["id"]
        asked = stored_by(person)
        assert 1500 < asked < 1800
        answers = {"q": {"options": [0]}}
        api.post(
            f"/api/questions/{id_}/answer/", {"client_id": "c", "answers": answers, "comment": "x" * 900}
        )
        assert asked + 900 < stored_by(person) < asked + 1100

    def test_what_is_deleted_counts_no_more(self, api: APIClient, person: User) -> None:
        posted = ask(api, context=[PAGE]).json()
        assert stored_by(person) > 0
        api.delete(f"/api/conversations/{posted['conversation']['id']}/")
        assert stored_by(person) == 0

    def test_each_has_their_own(self, api: APIClient, person: User, other_api: APIClient) -> None:
        ask(api, messages=say("abc"))
        ask(other_api, messages=say("ab"))
        stored = stored_by_each(User.objects.all())
        assert sorted(stored.values()) == [2, 3]

    def test_what_has_not_changed_is_not_measured_again(self, api: APIClient, person: User) -> None:
        ask(api, context=[PAGE])
        before = stored_by(person)
        Message.objects.update(content="x" * 1000)  # which nothing does without raising the revision
        assert stored_by(person) == before

    def test_a_reply_that_ended_since_is(self, api: APIClient, person: User) -> None:
        run = ask(api, messages=say("a")).json()["run"]
        before = stored_by(person)
        Message.objects.filter(role="assistant").update(content="bb")
        api.post(f"/api/runs/{run['id']}/stop/")
        assert stored_by(person) == before + 2

    def test_many_take_as_many_queries_as_few(self, person: User) -> None:
        def queries(count: int) -> int:
            for _row in range(count):
                Message.objects.create(conversation=Conversation.objects.create(user=person), role="user")
            with CaptureQueriesContext(connection) as captured:
                stored_by(person)
            return len(captured)

        assert queries(50) == queries(2)


@pytest.mark.parametrize(
    ("value", "weight"),
    [("abc", 3), ("潮", 3), ({"a": ["b", {"c": "dd"}], "e": 1, "f": None}, 3), ([], 0), (("a", "b"), 0)],
)
def test_a_value_weighs_what_its_texts_do(value: object, weight: int) -> None:
    assert weight_of(value) == weight


def refused(answer: Any) -> dict[str, Any]:
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    body: dict[str, Any] = answer.json()
    assert body["error"]["code"] == "limit.storage"
    return body


class TestRefusing:
    def test_a_post_that_does_not_fit_is_refused_and_leaves_nothing(
        self, api: APIClient, person: User
    ) -> None:
        limit(person, storage=1000)
        body = refused(ask(api, context=[PAGE]))
        assert (body["used"], body["limit"]) == (0, 1000)
        assert "Delete conversations" in body["error"]["message"]
        assert "purge" in body["error"]["message"]
        assert not Conversation.objects.exists()

    def test_a_post_that_fits_is_taken(self, api: APIClient, person: User) -> None:
        limit(person, storage=1000)
        assert ask(api, messages=say("x" * 1000)).status_code == HTTPStatus.CREATED

    @pytest.mark.parametrize(
        ("path", "body"),
        [("{reply}/regenerate", {}), ("{reply}/continue", {}), ("{message}/edit", {"content": "b"})],
    )
    def test_who_is_full_gets_no_further_reply(
        self, api: APIClient, person: User, path: str, body: Any
    ) -> None:
        posted = ask(api, messages=say("a")).json()
        end()
        Message.objects.filter(role="assistant").update(state="stopped", content="So")
        limit(person, storage=1)
        ids = {kind: posted[kind]["id"] for kind in ("message", "reply")}
        refused(api.post(f"/api/messages/{path.format(**ids)}/", body))
        assert Message.objects.count() == 2

    def test_deleting_makes_room(self, api: APIClient, person: User) -> None:
        limit(person, storage=10)
        posted = ask(api, messages=say("x" * 10)).json()
        refused(ask(api, messages=say("y")))
        api.delete(f"/api/conversations/{posted['conversation']['id']}/")
        assert ask(api, messages=say("y")).status_code == HTTPStatus.CREATED

    def test_the_same_post_again_is_answered_as_before(self, api: APIClient, person: User) -> None:
        limit(person, storage=10)
        once = {"messages": say("x" * 10), "meta": {"client_id": "once"}}
        first = ask(api, **once).json()
        assert ask(api, **once).json()["message"]["id"] == first["message"]["id"]

    def test_an_image_that_does_not_fit_is_refused(self, api: APIClient, person: User) -> None:
        limit(person, storage=10)
        refused(api.post("/api/images/", {"image": BytesIO(written(drawn(), "PNG"))}, format="multipart"))
        assert not Image.objects.exists()

    def test_an_import_that_does_not_fit_is_refused(self, api: APIClient, person: User) -> None:
        posted = ask(api, messages=say("x" * 100)).json()
        file: Any = api.get(f"/api/conversations/{posted['conversation']['id']}/export.json")
        exported = b"".join(file.streaming_content)
        limit(person, storage=150)
        refused(api.post("/api/conversations/import/", exported, content_type="application/json"))
        assert Conversation.objects.count() == 1


def test_usage_tells_what_is_used_of_what(api: APIClient, person: User) -> None:
    limit(person, runs_per_day=9)
    ask(api, messages=say("abc"))
    usage = api.get("/api/usage/").json()
    assert usage["runs_at_once"] == {"used": 1, "limit": None}
    assert usage["storage"] == {"used": 3, "limit": None}
    assert usage["runs_per_day"].items() >= {"used": 1, "limit": 9}.items()


def test_usage_stands_on_the_page_of_the_account(api: APIClient, person: User, client: Any) -> None:
    limit(person, runs_per_day=9, storage=2048)
    ask(api, messages=say("abc"))
    client.force_login(person)
    page = client.get("/settings/account/").content.decode().replace("\xa0", " ")
    assert "1 of 9" in page
    assert "3 bytes of 2.0 KB" in page

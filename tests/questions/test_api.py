"""Question sets over REST: asked by scripts, listed, and found by their person alone."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import Scope, User
from askweb.conversations.models import Conversation
from questions.models import QuestionSet, RememberedAnswer, Status
from tests.conversations.conftest import Published, published
from tests.questions.conftest import AskSet, Call, let_pass, question, several

__all__ = ["published"]
pytestmark = pytest.mark.django_db

NOBODYS = "01990000-0000-7000-8000-000000000000"
SHAPE = {
    "id", "text", "conversation", "run", "source", "status", "created", "expires_at", "seconds_left",
    "questions", "draft", "answers", "unanswered", "comment", "images", "resolved_by", "reason",
}  # fmt: skip


def post(api: APIClient, **body: Any) -> Any:
    return api.post("/api/questions/", {"questions": [question()], **body})


def device(person: User, *scopes: Scope) -> APIClient:
    client = APIClient()
    client.default_format = "json"
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {person.new_device('scoped', scopes)[1]}")
    return client


class TestAsking:
    def test_a_script_gets_the_whole_set(self, api: APIClient) -> None:
        answer = post(api, timeoutSeconds=60, client_id="build-7")
        asked = answer.json()
        assert (answer.status_code, asked["source"], asked["status"]) == (201, "api", "pending")
        assert asked.keys() >= SHAPE
        assert 58 <= asked["seconds_left"] <= 60

    def test_without_a_conversation_it_gets_a_new_one_named_by_its_question(self, api: APIClient) -> None:
        words = "Which  " + "target " * 20
        asked = post(api, questions=[question(question=words)], conversation=None).json()
        conversation = api.get(f"/api/conversations/{asked['conversation']}/").json()
        assert conversation["title"] == "Which target target target target target target target targe"
        assert conversation["page"] == {"title": "", "url": "", "host": ""}

    @pytest.mark.parametrize(
        ("words", "title"),
        [
            ("Where should **this release** go?", "Where should this release go?"),
            ("Use `npm  ci` or [yarn](https://x.example)\n*now*?", "Use npm ci or yarn now?"),
            ("2 * 3 < 7 & a_b_c?", "2 * 3 < 7 & a_b_c?"),
            ("**" + "bold " * 20 + "end**?", "bold " * 11 + "bold"),
            ("![](/a.png)", "![](/a.png)"),
        ],
    )
    def test_the_name_is_in_plain_words(self, api: APIClient, words: str, title: str) -> None:
        asked = post(api, questions=[question(question=words)]).json()
        shown = api.get(f"/api/conversations/{asked['conversation']}/").json()["title"]
        assert shown == title

    def test_the_feed_hears_of_the_conversation_and_of_the_set(
        self, api: APIClient, person: User, published: Published
    ) -> None:
        with published.committed():  # type: ignore[attr-defined]
            post(api)
        assert published.events(person.pk) == ["conversation.created", "question.asked"]

    def test_it_may_be_asked_where_something_was_said_before(self, api: APIClient, person: User) -> None:
        conversation = Conversation.objects.create(user=person, title="Before")
        asked = post(api, conversation=str(conversation.pk)).json()
        conversation.refresh_from_db()
        assert (asked["conversation"], conversation.title) == (str(conversation.pk), "Before")

    def test_the_same_client_id_gives_the_same_set(self, api: APIClient) -> None:
        first = post(api, client_id="build-7")
        again = post(api, client_id="build-7", questions=several("other"))
        assert (again.status_code, again.json()["id"]) == (201, first.json()["id"])
        assert (QuestionSet.objects.count(), Conversation.objects.count()) == (1, 1)

    def test_client_ids_are_each_persons_own(self, api: APIClient, other_api: APIClient) -> None:
        assert post(api, client_id="1").json()["id"] != post(other_api, client_id="1").json()["id"]

    def test_a_second_one_in_the_conversation_is_told_of_the_first(self, api: APIClient) -> None:
        first = post(api).json()
        answer = post(api, conversation=first["conversation"])
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "question.already_pending")
        assert answer.json()["question_set"]["id"] == first["id"]
        assert QuestionSet.objects.count() == 1

    def test_one_whose_time_is_over_is_not_in_the_way(self, api: APIClient, ask_set: AskSet) -> None:
        row = ask_set()
        let_pass(row, 901)
        assert post(api, conversation=str(row.conversation_id)).status_code == 201
        row.refresh_from_db()
        assert row.status == Status.EXPIRED

    @pytest.mark.parametrize("conversation", [NOBODYS, "nonsense", ""])
    def test_a_conversation_that_is_not_there_is_not_found(self, api: APIClient, conversation: str) -> None:
        assert post(api, conversation=conversation).status_code == 404

    def test_anothers_conversation_is_not_found(self, api: APIClient, other_person: User) -> None:
        theirs = Conversation.objects.create(user=other_person)
        assert post(api, conversation=str(theirs.pk)).status_code == 404

    def test_every_fault_is_listed_by_its_path(self, api: APIClient) -> None:
        wrong = [question("Bad"), question("b", "Only one")]
        answer = post(api, questions=wrong, conversation=7, client_id="x" * 201, surprise=1)
        assert answer.status_code == 422
        assert set(answer.json()["error"]["fields"]) == {
            "questions[0].id", "questions[1].options", "conversation", "client_id", "surprise",
        }  # fmt: skip
        assert not QuestionSet.objects.exists()

    @pytest.mark.parametrize("body", [[], "text", 1])
    def test_only_objects_are_read(self, api: APIClient, body: object) -> None:
        assert api.post("/api/questions/", body).status_code == 422


class TestReading:
    def test_the_newest_come_first(self, api: APIClient, ask_set: AskSet) -> None:
        rows = [ask_set() for _each in range(3)]
        page = api.get("/api/questions/").json()
        assert [each["id"] for each in page["results"]] == [str(row.pk) for row in reversed(rows)]
        assert page["next"] is None

    def test_pages_follow_each_other(
        self, api: APIClient, ask_set: AskSet, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("questions.api.PAGE", 2)
        rows = [ask_set() for _each in range(3)]
        first = api.get("/api/questions/?status=pending").json()
        last = api.get(first["next"]).json()
        told = [each["id"] for each in first["results"] + last["results"]]
        assert (told, last["next"]) == ([str(row.pk) for row in reversed(rows)], None)

    @pytest.mark.parametrize(("status", "found"), [("pending", 1), ("expired", 1), ("answered", 0)])
    def test_they_are_found_by_status_as_it_is_now(
        self, api: APIClient, ask_set: AskSet, status: str, found: int
    ) -> None:
        ask_set()
        let_pass(ask_set(), 901)
        assert len(api.get(f"/api/questions/?status={status}").json()["results"]) == found

    def test_they_are_found_by_conversation(self, api: APIClient, ask_set: AskSet) -> None:
        row = ask_set()
        ask_set()
        page = api.get(f"/api/questions/?conversation={row.conversation_id}").json()
        assert [each["id"] for each in page["results"]] == [str(row.pk)]

    @pytest.mark.parametrize(
        ("query", "status"),
        [("status=lost", 422), ("conversation=x", 400), ("cursor=x", 400)],
    )
    def test_a_query_that_means_nothing_is_refused(self, api: APIClient, query: str, status: int) -> None:
        assert api.get(f"/api/questions/?{query}").status_code == status

    def test_03_whoever_reads_finds_it_expired(self, api: APIClient, ask_set: AskSet) -> None:
        row = ask_set()
        let_pass(row, 901)
        shown = api.get(f"/api/questions/{row.pk}/").json()
        row.refresh_from_db()
        assert (shown["status"], shown["reason"], shown["seconds_left"]) == ("expired", "expired", 0)
        assert row.status == Status.EXPIRED

    def test_03_its_end_is_told_once(
        self, api: APIClient, person: User, ask_set: AskSet, published: Published
    ) -> None:
        row = ask_set()
        let_pass(row, 901)
        with published.committed():  # type: ignore[attr-defined]
            for _again in range(2):
                api.get(f"/api/questions/{row.pk}/")
        assert published.events(person.pk).count("question.expired") == 1

    def test_09_it_is_expired_however_late_it_is_read(self, api: APIClient, ask_set: AskSet) -> None:
        let_pass(ask_set(), 900 + 600)
        assert api.get("/api/questions/").json()["results"][0]["status"] == "expired"


class TestWhoMay:
    @pytest.mark.parametrize("action", ["answer", "skip", "extend", "draft"])
    def test_anothers_set_is_not_found(
        self, other_api: APIClient, ask_set: AskSet, call: Call, action: str
    ) -> None:
        assert call(ask_set(), action, {"client_id": "1"}, other_api).status_code == 404

    def test_others_do_not_read_it(self, other_api: APIClient, ask_set: AskSet) -> None:
        assert other_api.get(f"/api/questions/{ask_set().pk}/").status_code == 404
        assert other_api.get("/api/questions/").json()["results"] == []

    @pytest.mark.parametrize(
        ("scope", "reads", "asks"), [("questions", 200, 201), ("read", 200, 403), ("ask", 403, 403)]
    )
    def test_a_device_needs_its_scope(self, person: User, scope: Scope, reads: int, asks: int) -> None:
        client = device(person, scope)
        assert client.get("/api/questions/").status_code == reads
        assert post(client).status_code == asks

    def test_strangers_are_asked_to_sign_in(self, ask_set: AskSet) -> None:
        answer = APIClient().get(f"/api/questions/{ask_set().pk}/?wait=1")
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "auth.required")

    def test_the_device_that_ended_it_is_named(self, person: User, ask_set: AskSet, call: Call) -> None:
        by = call(ask_set(), "skip", {"client_id": "1"}, device(person, "questions")).json()["resolved_by"]
        assert (by["surface"], by["device"]) == ("api", "scoped")

    def test_the_control_ui_is_no_device(self, person: User, client: Client, ask_set: AskSet) -> None:
        client.force_login(person)
        path = f"/api/questions/{ask_set().pk}/skip/"
        by = client.post(path, {"client_id": "1"}, "application/json").json()["resolved_by"]
        assert (by["surface"], by["device"]) == ("control_ui", None)

    def test_a_body_may_name_its_surface(self, ask_set: AskSet, call: Call) -> None:
        body = {"client_id": "1", "surface": "side-panel"}
        assert call(ask_set(), "skip", body).json()["resolved_by"]["surface"] == "side-panel"


class TestRememberedAnswers:
    @pytest.fixture
    def remembered(self, person: User) -> RememberedAnswer:
        values = [{"value": "French", "source": "option", "index": 1}]
        return RememberedAnswer.objects.create(
            user=person, tool="translate", question="language", values=values
        )

    def test_they_are_listed(self, api: APIClient, remembered: RememberedAnswer) -> None:
        (shown,) = api.get("/api/remembered-answers/").json()["results"]
        assert (shown["id"], shown["tool"], shown["question"]) == (
            str(remembered.pk),
            "translate",
            "language",
        )
        assert shown["values"] == remembered.values

    def test_they_can_be_forgotten(self, api: APIClient, remembered: RememberedAnswer) -> None:
        assert api.delete(f"/api/remembered-answers/{remembered.pk}/").status_code == 204
        assert not RememberedAnswer.objects.exists()

    def test_others_neither_see_nor_forget_them(
        self, other_api: APIClient, remembered: RememberedAnswer
    ) -> None:
        assert other_api.get("/api/remembered-answers/").json()["results"] == []
        assert other_api.delete(f"/api/remembered-answers/{remembered.pk}/").status_code == 404


class TestAdmin:
    def test_staff_find_a_set_and_see_no_words_of_it(self, admin_client: Client, ask_set: AskSet) -> None:
        row = ask_set(question(question="Which secret?"))
        found = admin_client.get(f"/admin/questions/questionset/?q={row.pk}").content.decode()
        page = admin_client.get(f"/admin/questions/questionset/{row.pk}/change/").content.decode()
        assert f"/admin/questions/questionset/{row.pk}/" in found
        assert "Pending" in page
        assert "secret" not in page

"""Imports: what was exported comes back whole, or not at all."""

import copy
import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Conversation, Message
from askweb.images.cleaning import clean_image
from askweb.images.models import Image
from questions.answering import answer_set, skip_set
from questions.asking import ask_person
from questions.drafting import save_draft
from questions.ending import Sender
from questions.models import QuestionSet
from questions.shapes import Option, Question
from tests.conversations.conftest import Answer, Ask
from tests.images.pictures import drawn, opened, written

pytestmark = pytest.mark.django_db

PATH = "/api/conversations/import/"
PAGE = {
    "id": "page",
    "title": "A page",
    "url": "https://a.example/x",
    "z": 10**30,
    "a": [1.5, None, {"b": "é" * 2000}],
}
SEARCH = {"id": "pageSearch", "list": [{"xpath": "/html", "digest": "It's <here>"}]}
CALL = {"id": "c1", "name": "look", "arguments": {"a": 1}, "raw": '{"a": 1}', "result": None}


QUESTIONS = (
    Question(
        "to", "Target", "Where?", (Option("Staging", "A copy"), Option("Production")), multi_select=True
    ),
    Question("checks", "Checks", "Which?", (Option("Unit (Recommended)"), Option("Lint"))),
)
FOLLOWUP = {"question": "Where?", "suggest": [{"answer": "Staging"}]}


def exported(api: APIClient, id_: str) -> Any:
    return json.loads(api.get(f"/api/conversations/{id_}/export.json").getvalue())


def imported(api: APIClient, file: Any) -> Any:
    answer = api.post(PATH, file)
    assert answer.status_code == 201, answer.content
    return answer.json()


def without_ids(file: Any) -> Any:
    """The file with each id replaced by the place of its message."""
    places = {message["id"]: place for place, message in enumerate(file["messages"])}
    named = copy.deepcopy(file)
    named["conversation"] |= {"id": None, "head": places.get(file["conversation"]["head"])}
    for message in named["messages"]:
        message |= {"id": places[message["id"]], "parent": places.get(message["parent"])}
    sets = {asked["id"]: place for place, asked in enumerate(named["question_sets"])}
    for asked in named["question_sets"]:
        asked |= {"id": None, "message": places.get(asked["message"]), "after": places.get(asked["after"])}
        asked |= {"branch_of": sets.get(asked["branch_of"])}
    return named


@pytest.fixture
def file(api: APIClient, ask: Ask, answer: Answer) -> Any:
    """Two branches, with context, a function call and a citation."""
    first = ask("One", context=[PAGE, SEARCH], tool="explain")
    answer(first, "As it says [1].")
    id_ = first["conversation"]["id"]
    answer(ask("Two", to=id_))
    answer(ask("Three", to=id_, parent=first["reply"]["id"], context=[PAGE]))
    Message.objects.filter(pk=first["reply"]["id"]).update(function_calls=[CALL], reasoning="Hm.")
    api.patch(f"/api/conversations/{id_}/", {"head": first["reply"]["id"], "pinned": True})
    return exported(api, id_)


def test_what_was_exported_comes_back_whole(api: APIClient, file: Any) -> None:
    again = exported(api, imported(api, file)["id"])
    assert without_ids(again) == without_ids(file)
    assert json.dumps(without_ids(again)) == json.dumps(without_ids(file))  # the order of keys, too


@pytest.fixture
def pictured(api: APIClient, ask: Ask, answer: Answer, person: User) -> Any:
    """With an image, how it was to be answered, and a title of the person's own."""
    image = Image.objects.store(person, clean_image(written(drawn(), "JPEG")))
    posted = ask("What is this?", images=[str(image.pk)], language="ja", temperature=0.5)
    answer(posted)
    id_ = posted["conversation"]["id"]
    api.patch(f"/api/conversations/{id_}/", {"title": "Mine"})
    return exported(api, id_)


def test_images_and_how_it_was_posted_come_back_whole(api: APIClient, pictured: Any) -> None:
    again = exported(api, imported(api, pictured)["id"])
    assert without_ids(again) == without_ids(pictured)
    assert (len(again["images"]), again["conversation"]["titled"]) == (1, True)
    assert again["messages"][0]["posted"]["language"] == "ja"


def test_another_person_gets_the_images_pixels(
    other_api: APIClient, other_person: User, pictured: Any
) -> None:
    pictured["images"][0]["data"] = b64encode(written(drawn(), "PNG")).decode()
    again = exported(other_api, imported(other_api, pictured)["id"])
    [image] = other_person.images.all()
    assert again["messages"][0]["images"] == [str(image.pk)]
    assert [each["id"] for each in again["images"]] == [str(image.pk)]
    assert opened(clean_image(image.data)).tobytes() == drawn().tobytes()


def test_images_after_everything_was_deleted(api: APIClient, person: User, pictured: Any) -> None:
    person.images.all().delete()
    again = exported(api, imported(api, pictured)["id"])
    assert again["messages"][0]["images"] == [str(person.images.get().pk)]


def test_an_image_that_is_not_in_the_file_is_left_out(other_api: APIClient, pictured: Any) -> None:
    pictured["images"] = []
    assert exported(other_api, imported(other_api, pictured)["id"])["messages"][0]["images"] == []


def test_ids_are_new_and_in_the_same_order(api: APIClient, file: Any) -> None:
    again = exported(api, imported(api, file)["id"])
    ids = [message["id"] for message in again["messages"]]
    assert not set(ids) & {message["id"] for message in file["messages"]}
    assert ids == sorted(ids)


def test_importing_twice_gives_two(api: APIClient, file: Any) -> None:
    assert imported(api, file)["id"] != imported(api, file)["id"]
    assert Conversation.objects.count() == 3


def test_html_is_made_anew(api: APIClient, file: Any) -> None:
    file["messages"][1]["html"] = "<script>alert(1)</script>"
    file["messages"][1]["content"] = "<script>alert(1)</script> **bold** [1]"
    id_ = imported(api, file)["id"]
    html = Message.objects.filter(conversation=id_).order_by("id")[1].html
    assert "<script" not in html
    assert "<strong>bold</strong>" in html
    assert 'data-digest="It&#x27;s &lt;here&gt;"' in html


def test_what_was_being_written_is_interrupted(api: APIClient, ask: Ask) -> None:
    file = exported(api, ask("Hi")["conversation"]["id"])
    states = [message["state"] for message in exported(api, imported(api, file)["id"])["messages"]]
    assert states == ["complete", "interrupted"]


def test_another_person_may_import_it(other_api: APIClient, other_person: User, file: Any) -> None:
    id_ = imported(other_api, file)["id"]
    assert Conversation.objects.get(pk=id_).user == other_person


def test_it_is_found_by_its_words_at_once(api: APIClient, file: Any) -> None:
    file["messages"][0]["content"] = "swapchain"
    file["conversation"]["updated"] = "2001-01-01T00:00:00Z"
    id_ = imported(api, file)["id"]
    assert [row["id"] for row in api.get("/api/conversations/?q=swapchain").json()["results"]] == [id_]


def test_the_smallest_file(api: APIClient) -> None:
    file = {"format": "askweb.conversation", "version": 1}
    assert imported(api, file)["title"] == ""


def test_a_text_that_cannot_be_stored_is_normalised(api: APIClient, file: Any) -> None:
    file["messages"][0]["content"] = "a\x00b"
    first, second, *_rest = exported(api, imported(api, file)["id"])["messages"]
    assert (first["content"], first["normalised"], second["normalised"]) == ("a\ufffdb", True, False)


@pytest.fixture
def asked_file(api: APIClient, person: User, file: Any) -> Any:
    """With a script's set before all messages, two of a reply, and a script's that is pending."""
    id_, first, last = file["conversation"]["id"], file["messages"][0]["id"], file["messages"][-1]["id"]
    reply = Message.objects.get(conversation=id_, parent=first, role="assistant")
    asked = {"user": person, "conversation_id": id_, "seconds": 900}
    script = ask_person(QUESTIONS, source="api", id=UUID(int=UUID(first).int - 1), **asked)
    skip_set(script, {"client_id": "1"}, sender=Sender("extension", "Laptop"))
    place = {"content": 6, "reasoning": 0, "calls": 1, "turns": 2}
    answered = ask_person(QUESTIONS, source="function", reply=reply, place=place, call_id="c1", **asked)
    save_draft(answered, {"answers": {"to": {"other": "half"}}, "revision": 0})
    body = {"client_id": "2", "answers": {"to": {"options": [1], "other": "A shelf"}}, "comment": "Now"}
    answer_set(answered, body, sender=Sender("api"))
    QuestionSet.objects.filter(pk=answered.pk).update(context=[PAGE])
    branch = ask_person(
        QUESTIONS, source="xml", reply_id=last, branch_of=answered, followup=FOLLOWUP, **asked
    )
    skip_set(branch, {"client_id": "3"}, sender=Sender("api"))
    ask_person(QUESTIONS, source="api", **asked)
    return exported(api, id_)


def test_question_sets_come_back_whole_and_none_is_pending(api: APIClient, asked_file: Any) -> None:
    again = exported(api, imported(api, asked_file)["id"])
    pending = asked_file["question_sets"][-1]
    assert pending["status"] == "pending"
    pending |= {"status": "cancelled", "resolved_at": again["question_sets"][-1]["resolved_at"]}
    assert without_ids(again) == without_ids(asked_file)
    assert len(again["question_sets"]) == 4
    ids = {asked["id"] for asked in again["question_sets"]}
    assert not ids & {asked["id"] for asked in asked_file["question_sets"]}


def test_their_summaries_stand_in_the_replys_text_and_offer_no_change(
    client: Client, person: User, api: APIClient, asked_file: Any
) -> None:
    id_ = imported(api, asked_file)["id"]
    client.force_login(person)
    page = client.get(f"/conversations/{id_}/").content.decode()
    assert page.index("Skipped by you") < page.index(">As it<") < page.index("A shelf") < page.index(">says ")
    assert "Change answer" not in page


def test_another_persons_images_are_left_out(other_api: APIClient, asked_file: Any) -> None:
    asked_file["question_sets"][0]["images"] = [str(UUID(int=1))]
    id_ = imported(other_api, asked_file)["id"]
    assert exported(other_api, id_)["question_sets"][0]["images"] == []


def test_a_file_from_before_there_were_question_sets(api: APIClient, file: Any) -> None:
    del file["question_sets"]
    assert exported(api, imported(api, file)["id"])["question_sets"] == []


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (["id"], None, "id"),
        (["message"], "lost", "message"),
        (["after"], "lost", "after"),
        (["source"], "me", "source"),
        (["status"], "open", "status"),
        (["questions"], [], "questions"),
        (["questions", 0, "id"], "A b", "questions[0].id"),
        (["questions", 0, "header"], None, "questions[0].header"),
        (["questions", 0, "options"], [{"label": "x"}] * 5, "questions[0].options"),
        (["questions", 0, "options", 0], "x", "questions[0].options[0]"),
        (["place", "content"], -1, "place.content"),
        (["revision"], "1", "revision"),
        (["answers", "lost"], [], "answers.lost"),
        (["answers", "to", 0, "index"], 7, "answers.to[0].index"),
        (["answers", "to", 1, "index"], 0, "answers.to[1].index"),
        (["answers", "to", 0, "source"], "x", "answers.to[0].source"),
        (["draft", "answers", "to", "options"], 5, "draft.answers.to"),
        (["draft", "comment"], 5, "draft.comment"),
        (["images"], ["x"], "images"),
        (["images"], 5, "images"),
        (["context"], 5, "context"),
        (["followup"], 5, "followup"),
    ],
)
def test_a_faulty_question_set_is_refused(
    api: APIClient, asked_file: Any, path: list[str | int], value: object, fault: str
) -> None:
    put("question_sets", 1, *path, value=value)(asked_file)
    answer = api.post(PATH, asked_file)
    assert answer.status_code == 422
    assert f"question_sets[1].{fault}" in answer.json()["error"]["fields"]


def put(*path: str | int, value: Any) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        place = file
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (put("format", value="other"), "format"),
        (put("version", value=2), "format"),
        (put("conversation", value=[]), "conversation"),
        (put("conversation", "title", value="x" * 201), "conversation.title"),
        (put("conversation", "created", value="yesterday"), "conversation.created"),
        (put("conversation", "updated", value="2026-01-01T00:00:00"), "conversation.updated"),
        (put("conversation", "pinned", value=1), "conversation.pinned"),
        (put("conversation", "page", value="x"), "conversation.page"),
        (put("conversation", "page", "url", value=3), "conversation.page.url"),
        (put("conversation", "head", value="nobody"), "conversation.head"),
        (put("messages", value={}), "messages"),
        (put("messages", 1, value=None), "messages[1]"),
        (put("messages", 1, "id", value=None), "messages[1].id"),
        (put("messages", 0, "parent", value="later"), "messages[0].parent"),
        (put("messages", 1, "role", value="king"), "messages[1].role"),
        (put("messages", 1, "role", value=["user"]), "messages[1].role"),
        (put("messages", 1, "state", value="odd"), "messages[1].state"),
        (put("messages", 1, "content", value=["x"]), "messages[1].content"),
        (put("messages", 1, "tool", value="x" * 101), "messages[1].tool"),
        (put("messages", 1, "created", value=-1), "messages[1].created"),
        (put("messages", 1, "function_calls", value=[{}]), "messages[1].function_calls[0].id"),
        (
            put("messages", 1, "function_calls", 0, "arguments", value=1),
            "messages[1].function_calls[0].arguments",
        ),
        (put("messages", 1, "citations", 0, "n", value=True), "messages[1].citations[0].n"),
        (put("messages", 0, "context", 1, value="x"), "messages[0].context[1]"),
        (put("messages", 0, "images", value=["x"]), "messages[0].images"),
        (put("messages", 0, "posted", value="x"), "messages[0].posted"),
        (put("messages", 0, "posted", "temperature", value="hot"), "messages[0].posted.temperature"),
        (put("conversation", "titled", value="yes"), "conversation.titled"),
        (put("images", value=[{"id": "1"}]), "images[0].data"),
        (put("images", value=[{"id": "1", "data": "?"}]), "images[0].data"),
        (put("images", value=[{"id": "1", "data": "aGVsbG8="}]), "images[0].data"),
        (put("messages", 0, "context", 1, "id", value=7), "messages[0].context[1].id"),
    ],
)
def test_a_broken_file_is_refused_by_path_and_nothing_is_stored(
    api: APIClient, file: Any, change: Callable[[Any], None], fault: str
) -> None:
    change(file)
    before = _counts()
    answer = api.post(PATH, file)
    assert answer.status_code == 422, answer.content
    assert fault in answer.json()["error"]["fields"]
    assert _counts() == before


def _counts() -> list[int]:
    return [model.objects.count() for model in (Conversation, Message, ContextItem, Content)]


def test_an_id_is_given_once(api: APIClient, file: Any) -> None:
    file["messages"][1]["id"] = file["messages"][0]["id"]
    fields = api.post(PATH, file).json()["error"]["fields"]
    assert "messages[1].id" in fields


def test_a_circle_is_refused(api: APIClient, file: Any) -> None:
    file["messages"][0]["parent"] = file["messages"][1]["id"]
    fields = api.post(PATH, file).json()["error"]["fields"]
    assert list(fields) == ["messages[0].parent"]


@pytest.mark.parametrize("body", ["[]", '"x"', "1"])
def test_only_an_object_is_a_file(api: APIClient, body: str) -> None:
    answer = api.generic("POST", PATH, body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")


def test_a_file_has_the_limit_of_posts(api: APIClient, settings: Any) -> None:
    settings.ASKWEB_BODY_LIMIT = 1000
    answer = api.post(PATH, {"format": "x" * 2000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body.too_large")


def test_importing_needs_a_device_that_may_ask(person: User) -> None:
    _device, token = person.new_device("reader", ["read"])
    client = APIClient(headers={"Authorization": f"Bearer {token}"})
    assert client.post(PATH, {}, format="json").status_code == 403


def test_the_person_is_told_on_their_feed(api: APIClient, file: Any, published: Any, person: User) -> None:
    with published.committed():
        imported(api, file)
    assert published.events(person.pk) == ["conversation.created"]

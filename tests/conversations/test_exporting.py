"""Exports: a file to read, a file from which everything can be made again, and names that are safe."""

import json
from typing import Any
from urllib.parse import unquote
from uuid import UUID

import pytest
from django.test import AsyncRequestFactory
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations import exporting
from askweb.conversations.export_json import json_pieces
from askweb.conversations.export_markdown import markdown_pieces
from askweb.conversations.exporting import export_as_json, file_name
from askweb.conversations.models import Conversation, Message
from askweb.images.cleaning import clean_image
from askweb.images.models import Image
from questions.answering import answer_set
from questions.asking import ask_person
from questions.ending import Sender
from questions.models import QuestionSet
from questions.shapes import Option, Question
from tests.conversations.conftest import Answer, Ask
from tests.images.pictures import drawn, written

pytestmark = pytest.mark.django_db

PAGE = {
    "id": "page",
    "title": "A *page*",
    "url": "https://a.example/x",
    "z": 1,
    "a": [1.5, None, {"b": "é" * 2000}],
}


WIDTHS = (4, 5)
TWO = (
    Question(
        "to", "Target", "Where *to*?", (Option("Staging", "A copy"), Option("Production")), multi_select=True
    ),
    Question("checks", "Checks", "Which?", (Option("Unit"), Option("Lint"))),
)


def file_of(api: APIClient, id_: str) -> Any:
    answer = api.get(f"/api/conversations/{id_}/export.json")
    assert answer.status_code == 200
    return json.loads(answer.getvalue())


def text_of(api: APIClient, id_: str) -> str:
    answer = api.get(f"/api/conversations/{id_}/export.md")
    assert answer.status_code == 200
    return answer.getvalue().decode()


class TestJSON:
    def test_holds_every_branch_and_the_raw_context_in_its_order(
        self, api: APIClient, ask: Ask, answer: Answer
    ) -> None:
        first = ask("One", context=[PAGE])
        answer(first, "Answer one.")
        id_ = first["conversation"]["id"]
        second = ask("Other branch", to=id_, parent=first["message"]["id"])
        file = file_of(api, id_)
        contents = [message["content"] for message in file["messages"]]
        assert contents == ["One", "Answer one.", "Other branch", ""]
        assert list(file["messages"][0]["context"][0].items()) == list(PAGE.items())
        assert file["messages"][2]["parent"] == first["message"]["id"]
        assert file["conversation"]["head"] == second["reply"]["id"]

    def test_tells_what_the_conversation_is(self, api: APIClient, ask: Ask) -> None:
        id_ = ask("One", context=[PAGE])["conversation"]["id"]
        api.patch(f"/api/conversations/{id_}/", {"title": "Renamed", "pinned": True})
        told = file_of(api, id_)["conversation"]
        assert (told["title"], told["pinned"], told["archived"]) == ("Renamed", True, False)
        assert told["page"] == {"title": "A *page*", "url": "https://a.example/x", "host": "a.example"}

    def test_times_are_whole(self, api: APIClient, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        created = file_of(api, str(conversation.pk))["conversation"]["created"]
        assert created == conversation.created.isoformat()

    def test_an_empty_conversation_is_a_file_too(self, api: APIClient, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        assert file_of(api, str(conversation.pk))["messages"] == []

    def test_parents_come_first_whatever_the_clocks_said(self, api: APIClient, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        parent = Message.objects.create(id=UUID(int=9), conversation=conversation, role="user")
        Message.objects.create(id=UUID(int=1), conversation=conversation, role="user", parent=parent)
        Message.objects.create(id=UUID(int=5), conversation=conversation, role="user")
        ids = [UUID(message["id"]).int for message in file_of(api, str(conversation.pk))["messages"]]
        assert ids == [5, 9, 1]

    def test_a_long_conversation_is_made_in_pieces(self, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        Message.objects.bulk_create(
            Message(conversation=conversation, role="user", content=str(number)) for number in range(45)
        )
        pieces = list(json_pieces(conversation))
        assert len(pieces) == 49
        assert len(json.loads("".join(pieces))["messages"]) == 45


class TestMarkdown:
    def test_counts_images_so_that_a_turn_without_words_is_not_empty(
        self, api: APIClient, ask: Ask, person: User
    ) -> None:
        images = [Image.objects.store(person, clean_image(written(drawn(width), "PNG"))) for width in WIDTHS]
        asked = ask("", images=[str(image.pk) for image in images])
        text = text_of(api, asked["conversation"]["id"])
        assert "\n\n- Image 1 of 2\n- Image 2 of 2\n\n## Answer" in text

    def test_holds_the_current_path_with_what_was_brought_along(
        self, api: APIClient, ask: Ask, answer: Answer
    ) -> None:
        first = ask("One", context=[PAGE], tool="explain")
        answer(first, "# Answer *one*.")
        id_ = first["conversation"]["id"]
        left = ask("Left out", to=id_)
        answer(left)
        api.patch(f"/api/conversations/{id_}/", {"head": first["reply"]["id"]})
        text = text_of(api, id_)
        heading, page, *_rest = text.split("\n\n")
        assert (heading, page) == ("# One", "Page: A \\*page\\* <https://a.example/x>")
        assert "\n- Page: A \\*page\\* — a.example\n" in text
        assert "\n# Answer *one*.\n" in text
        assert "· Explain\n" in text
        assert "Left out" not in text

    def test_each_turn_says_who_and_when(self, api: APIClient, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        message = Message.objects.create(conversation=conversation, role="user", content="Hi")
        Conversation.objects.update(head=message)
        turn = f"\n## You · {message.created:%Y-%m-%d %H:%M} UTC\n\nHi\n"
        assert text_of(api, str(conversation.pk)) == f"# Untitled conversation\n{turn}"

    def test_a_result_of_a_function_stays_in_its_fence(self, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        conversation.head = Message.objects.create(conversation=conversation, role="tool", content="```x")
        assert "\n````\n```x\n````\n" in "".join(markdown_pieces(conversation))

    def test_an_unfinished_answer_says_so(self, person: User) -> None:
        conversation = Conversation.objects.create(user=person)
        conversation.head = Message.objects.create(
            conversation=conversation, role="assistant", content="Half", state="stopped"
        )
        assert "\nHalf\n\n*This answer was stopped.*\n" in "".join(markdown_pieces(conversation))

    def test_questions_stand_where_they_were_asked(
        self, api: APIClient, ask: Ask, answer: Answer, person: User
    ) -> None:
        first = ask("Ship it")
        answer(first, "Before. After.")
        id_, reply = first["conversation"]["id"], first["reply"]["id"]
        call = {"id": "c1", "name": "ask_user", "arguments": {}, "raw": "{}", "result": "{}"}
        Message.objects.filter(pk=reply).update(function_calls=[call])
        asked = {"user": person, "conversation_id": id_, "seconds": 900}
        row = ask_person(TWO, source="function", reply_id=reply, place={"content": 8}, **asked)
        body = {"client_id": "1", "answers": {"to": {"options": [1], "other": "A *shelf*"}}, "comment": "Now"}
        answer_set(row, body, sender=Sender("api"))
        assert text_of(api, id_).endswith(
            "\n\nBefore. \n\n"
            "**Target:** Where \\*to\\*?\n\n- [ ] Staging — A copy\n- [x] Production\n- [x] A \\*shelf\\*\n\n"
            "**Checks:** Which?\n\n- [ ] Unit\n- [ ] Lint\n\n*not answered*\n\n"
            "Comment: Now\n\nAfter.\n"
        )

    @pytest.mark.parametrize(
        ("status", "words"),
        [
            ("skipped", "skipped"),
            ("expired", "not answered in time"),
            ("cancelled", "cancelled"),
            ("pending", "waiting for an answer"),
        ],
    )
    def test_a_scripts_questions_stand_at_their_time(
        self, api: APIClient, ask: Ask, person: User, status: str, words: str
    ) -> None:
        conversation = Conversation.objects.create(user=person, title="Asked")
        asked = {"user": person, "conversation": conversation, "source": "api", "seconds": 900}
        before = ask_person(TWO[:1], **asked)
        QuestionSet.objects.update(status="skipped")
        ask("One", to=str(conversation.pk))
        ask_person(TWO[1:], **asked)
        QuestionSet.objects.exclude(pk=before.pk).update(status=status)
        text = text_of(api, str(conversation.pk))
        assert text.startswith(f"# One\n\n## Questions · {before.created:%Y-%m-%d %H:%M} UTC\n\n**Target:**")
        assert text.index("Target") < text.index("\nOne\n") < text.index("Checks")
        assert text.endswith(f"*{words}*\n")

    def test_is_in_the_language_of_the_interface(self, person: User) -> None:
        conversation = Conversation.objects.create(
            user=person, title="<b>[x](y)</b>", page_url="javascript:x"
        )
        text = "".join(markdown_pieces(conversation))
        assert text == "# \\<b\\>\\[x\\](y)\\</b\\>\n\nPage: javascript:x\n"


@pytest.mark.parametrize("ending", ["json", "md"])
class TestBoth:
    def test_another_persons_is_not_there(self, other_api: APIClient, ask: Ask, ending: str) -> None:
        id_ = ask("Hi")["conversation"]["id"]
        answer = other_api.get(f"/api/conversations/{id_}/export.{ending}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")

    def test_whatever_the_client_accepts_the_address_decides(
        self, api: APIClient, ask: Ask, ending: str
    ) -> None:
        id_ = ask("Hi")["conversation"]["id"]
        answer = api.get(f"/api/conversations/{id_}/export.{ending}", headers={"Accept": "text/markdown"})
        kind = {"json": "application/json", "md": "text/markdown; charset=utf-8"}[ending]
        assert (answer.status_code, answer["Content-Type"]) == (200, kind)

    def test_is_a_file_to_be_saved(self, api: APIClient, person: User, ending: str) -> None:
        conversation = Conversation.objects.create(user=person, title="机器 “学习”\r\nX: y")
        name = api.get(f"/api/conversations/{conversation.pk}/export.{ending}")["Content-Disposition"]
        assert name.startswith("attachment; filename*=utf-8''")
        assert unquote(name.split("''")[1]) == f"机器 “学习” X y.{ending}"


async def test_an_asynchronous_server_sends_it_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "json_pieces", lambda _conversation: iter(["{", "}"]))
    answer = export_as_json(AsyncRequestFactory().get("/"), Conversation(title="Hi"))
    pieces = [piece async for piece in answer]
    assert (answer.is_async, pieces) == (True, [b"{", b"}"])


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("", "Untitled conversation.md"),
        ("../../etc/passwd", "etc passwd.md"),
        ('a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j.md"),
        ("...", "conversation.md"),
        ("CON", "conversation.md"),
        ("lpt1.x", "conversation.md"),
        ("console", "console.md"),
        ("x\u202egpj.exe", "xgpj.exe.md"),
        ("a\x00b\x1fc", "ab c.md"),
        ("x" * 100, "x" * 60 + ".md"),
        ("cafe\u0301", "café.md"),
    ],
)
def test_names_are_safe_on_every_system(title: str, name: str) -> None:
    assert file_name(Conversation(title=title), "md") == name

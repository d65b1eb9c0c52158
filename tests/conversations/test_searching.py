"""Search: by words, begun words and pieces of scripts without spaces; in titles, messages and pages."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations import indexing
from askweb.conversations.choosing import choose
from askweb.conversations.indexing import read_conversation, unread_conversations
from askweb.conversations.models import Conversation, Message, SearchDocument
from askweb.conversations.searchable import TEXT_LIMIT, text_of_message
from askweb.conversations.searching import terms_of
from askweb.conversations.token_index import Term
from askweb.conversations.tokens import tokens_of
from tests.conversations.conftest import Answer, Ask

pytestmark = pytest.mark.django_db

PAGE = {
    "id": "page",
    "title": "Vulkan für Anfänger",
    "url": "https://vulkan.example/secret-address",
    "selection": "The swapchain is recreated",
    "content": "机器学习模型正在改变世界",
}


def found(api: APIClient, query: str, **parameters: str) -> list[str]:
    answer = api.get("/api/conversations/", {"q": query, **parameters})
    assert answer.status_code == 200, answer.content
    return [row["title"] for row in answer.json()["results"]]


def make(person: User, *texts: str, title: str = "found", **fields: Any) -> Conversation:
    conversation = Conversation.objects.create(user=person, title=title, **fields)
    Message.objects.bulk_create(
        Message(conversation=conversation, role="user", content=text) for text in texts
    )
    return conversation


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("Hello, World!", ["hello", "world"]),
        ("read_file 3.11", ["read", "file", "3", "11"]),
        ("Ünïcödé ＡＢＣ ß", ["unicode", "abc", "ss"]),
        ("Đà Nẵng, Łódź", ["da", "nang", "lodz"]),
        ("İstanbul ılık", ["istanbul", "ilik"]),
        ("ёлка Й", ["елка", "и"]),
        ("机器学习", ["机器学", "器学习", "学习", "习"]),
        ("用GPT写", ["用", "gpt", "写"]),
        ("がっこう", ["がっこ", "っこう", "こう", "う"]),
        ("ｶﾞ", ["ガ"]),
        ("학교", ["학교", "교"]),
        ("हिन्दी", ["हिन्दी"]),
        ("ที่", ["ที่", "ี่", "่"]),
        ("\x00* OR ' \" ( ) : ^ - & | ! <-> \\", ["or"]),
        ("¤", []),
        ("x" * 100, ["x" * 64]),
        ("😀", []),
    ],
)
def test_text_becomes_tokens(text: str, tokens: list[str]) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("", []),
        ("?!", []),
        ("Blue sky", [Term(("blue",), False), Term(("sky",), True)]),
        ("sky sky", [Term(("sky",), False), Term(("sky",), True)]),
        ('"Blue sky"', [Term(("blue", "sky"), False)]),
        ('"Blue sk', [Term(("blue", "sk"), True)]),
        ("node.js", [Term(("node", "js"), True)]),
        ("机", [Term(("机",), True)]),
        ("机器 x", [Term(("机器",), True), Term(("x",), True)]),
        ("机器学习", [Term(("机器学", "器学习"), False)]),
        ("模型GPT", [Term(("模型", "型", "gpt"), True)]),
        ("GPT模型", [Term(("gpt", "模型"), True)]),
    ],
)
def test_a_query_becomes_terms(typed: str, terms: list[Term]) -> None:
    assert terms_of(typed) == terms


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("swapchain", True),
        ("SWAPCHAIN", True),
        ("swap", True),
        ("chain", False),
        ("swap recreated", False),  # only the last word may be begun
        ("recreated swap", True),
        ("anfanger", True),
        ("fur ANFÄNGER", True),
        ("机器", True),
        ("学习", True),
        ("世界", True),
        ("界", True),
        ("机", True),
        ("习", True),
        ("机器学习", True),
        ("机器模型", False),
        ("机学", False),
        ("机器 世界 swapchain", True),
        ("机器 天气", False),
        ('"swapchain is"', True),
        ('"is swapchain"', False),
        ("is swapchain", True),
        ('"swapchain is recr', True),
        ('"swapchain is recr"', False),
        ("secret-address", False),
        ("page", False),
        ("vulkan.example", True),
    ],
)
def test_pages_are_searched(api: APIClient, ask: Ask, query: str, is_found: bool) -> None:
    ask("Why?", context=[PAGE])
    assert bool(found(api, query)) is is_found


def test_words_may_be_in_different_messages(api: APIClient, ask: Ask, answer: Answer) -> None:
    first = ask("Tell me of rivers")
    answer(first, "The Danube.")
    ask("And of mountains", to=first["conversation"]["id"])
    assert found(api, "rivers danube mountains") == ["Tell me of rivers"]


def test_an_answer_is_found_once_it_is_settled(api: APIClient, ask: Ask, answer: Answer) -> None:
    posted = ask("Hi")
    before = found(api, "danube")
    answer(posted, "The Danube.")
    assert (before, found(api, "danube")) == ([], ["Hi"])


def test_a_new_title_takes_the_place_of_the_old_one(api: APIClient, person: User) -> None:
    conversation = make(person, title="Rivers")
    found(api, "rivers")
    api.patch(f"/api/conversations/{conversation.pk}/", {"title": "Mountains"})
    assert (found(api, "rivers"), found(api, "mountains")) == ([], ["Mountains"])


def test_a_text_that_goes_on_is_read_again(api: APIClient, person: User) -> None:
    conversation = make(person, "first words")
    found(api, "first")
    message = conversation.messages.get()
    message.content, message.updated = "other words", conversation.updated
    message.save()
    Conversation.objects.filter(pk=conversation.pk).touch()
    assert (found(api, "first"), found(api, "other")) == ([], ["found"])


def test_other_people_find_nothing(api: APIClient, other_api: APIClient, person: User) -> None:
    make(person, "swapchain")
    assert (found(other_api, "swapchain"), found(api, "swapchain")) == ([], ["found"])


@pytest.mark.parametrize("fields", [{"temporary": True}, {"archived": True}])
def test_temporary_and_archived_conversations_are_not_found(
    api: APIClient, person: User, fields: dict[str, bool]
) -> None:
    make(person, "swapchain", **fields)
    assert found(api, "swapchain") == []


def test_temporary_conversations_are_never_read(person: User) -> None:
    make(person, "swapchain", temporary=True)
    assert unread_conversations() == []


def test_combines_with_the_other_parameters(api: APIClient, person: User) -> None:
    make(person, "swapchain", title="a", page_host="a.example", pinned=True)
    make(person, "swapchain", title="b", page_host="b.example", archived=True)
    make(person, "swapchain", title="c", page_host="b.example", page_url="http://b.example/c")
    assert found(api, "swapchain", host="a.example") == ["a"]
    assert found(api, "swapchain", archived="true") == ["b"]
    assert found(api, "swapchain", url="http://b.example/c") == ["c"]
    assert found(api, "swapchain", pinned="true") == ["a"]
    assert found(api, "swapchain", pinned="false") == ["c"]
    assert found(api, " ", pinned="") == ["c", "a"]


def test_a_flag_is_true_or_false(api: APIClient) -> None:
    answer = api.get("/api/conversations/?pinned=1")
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["pinned"])


def test_pages_come_newest_first_and_keep_the_words(api: APIClient, person: User) -> None:
    for number in range(55):
        make(person, "swapchain", title=str(number))
    for id_ in unread_conversations():
        read_conversation(id_)
    first = api.get("/api/conversations/", {"q": "swap"}).json()
    second = api.get(first["next"]).json()
    titles = [row["title"] for row in first["results"] + second["results"]]
    assert (titles, second["next"]) == ([str(number) for number in reversed(range(55))], None)


def test_what_is_deleted_leaves_nothing_in_the_index(api: APIClient, ask: Ask) -> None:
    posted = ask("swapchain", context=[PAGE])
    found(api, "swapchain")
    api.delete(f"/api/conversations/{posted['conversation']['id']}/")
    assert (SearchDocument.objects.count(), _token_rows()) == (0, 0)


def test_a_person_who_is_deleted_leaves_nothing_in_the_index(
    other_api: APIClient, other_person: User
) -> None:
    make(other_person, "swapchain")
    found(other_api, "swapchain")
    other_person.delete()
    assert (SearchDocument.objects.count(), _token_rows()) == (0, 0)


def _token_rows() -> int:
    table = "conversations_search" if connection.vendor == "sqlite" else "conversations_searchdocument"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - ours
        return int(cursor.fetchone()[0])


def test_reading_ends_and_is_not_repeated(person: User) -> None:
    conversation = make(person, "", "one", "two")
    assert unread_conversations() == [conversation.pk]
    assert read_conversation(conversation.pk) is False
    assert unread_conversations() == []


def test_long_conversations_are_read_in_parts(person: User, api: APIClient) -> None:
    conversation = make(person, *(f"word{number}" for number in range(45)))
    parts = [read_conversation(conversation.pk) for _part in range(3)]
    assert parts == [True, True, False]
    assert found(api, "word0 word21 word44") == ["found"]


def test_a_long_text_is_found_to_its_end_side_by_side(person: User, api: APIClient) -> None:
    words = [f"w{number}" for number in range(9000)]
    make(person, " ".join(words))
    assert found(api, "w8999") == ["found"]
    assert found(api, '"w3982 w3983 w3984 w3985"') == ["found"]
    assert found(api, '"w3998 w3999 w4000 w4001"') == ["found"]
    assert found(api, '"w3998 w4000"') == []


def test_only_the_beginning_of_a_huge_page_is_read(ask: Ask) -> None:
    posted = ask("Hi", context=[{"id": "page", "content": "é" * TEXT_LIMIT}])
    message = Message.objects.get(pk=posted["message"]["id"])
    assert len(text_of_message(message).encode()) <= TEXT_LIMIT + 1


def test_posting_reads_nothing(ask: Ask) -> None:
    ask("Hi", context=[PAGE])
    assert SearchDocument.objects.count() == 0


def test_two_that_read_the_same_write_it_once(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = make(person, "swapchain")
    monkeypatch.setattr(indexing, "to_be_read", Q)
    read_conversation(conversation.pk)
    SearchDocument.objects.update(updated="2000-01-01T00:00Z")
    read_conversation(conversation.pk)
    assert SearchDocument.objects.count() == 2


def test_searching_takes_the_same_queries_for_any_number(person: User) -> None:
    counts = []
    for _more in range(2):
        for _each in range(10):
            make(person, "swapchain")
        for id_ in unread_conversations():
            read_conversation(id_)
        with CaptureQueriesContext(connection) as queries:
            list(choose(person, {"q": "swapchain"}).newest_first())
        counts.append(len(queries))
    assert counts[0] == counts[1]


@hypothesis_settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=40) | st.text("\"'*()^:-+&|!<>\\%_{}[]¤~ andorNEAR机", max_size=40))
def test_nothing_that_is_typed_breaks_a_search(person: User, typed: str) -> None:
    assert list(choose(person, {"q": typed or "x"})) == []


def test_a_text_finds_itself(api: APIClient, ask: Ask) -> None:
    ask("Naïve C++ & 'quotes' — 日本語のテスト, ภาษาไทย, Tiếng Việt, 한국어로 100%")
    for word in ("naive", "C++", "'quotes'", "日本", "本語", "のテスト", "ไทย", "tieng viet", "국어", "100%"):
        assert found(api, word), word

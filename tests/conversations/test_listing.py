"""Lists: pages by cursor, at a fixed price, and through the person alone."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient
from selectolax.lexbor import LexborHTMLParser

from askweb.accounts.models import User
from askweb.conversations.choosing import choose
from askweb.conversations.models import ContextItem, Conversation, Message
from askweb.conversations.packing import store_packed
from askweb.cursors import read_cursor, write_cursor
from askweb.errors import Problem
from askweb.ids import new_id

pytestmark = pytest.mark.django_db

BROKEN_CURSORS = (
    "x",
    "%00",
    "é",
    "eA",
    "MjAyNg",
    "MjAyNi0wMS0wMSAx",
    "MjAyNi0wMS0wMSAwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDA",  # a time without a zone
    "A" * 999,
)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def make(person: User, count: int, **fields: object) -> list[Conversation]:
    """Conversations, oldest first; every two of them share their time."""
    rows = [
        Conversation(user=person, updated=NOON + timedelta(seconds=number // 2), **fields)
        for number in range(count)
    ]
    return Conversation.objects.bulk_create(rows)


def ids(rows: Any) -> list[str]:
    return [str(getattr(row, "pk", None) or row["id"]) for row in rows]


def all_pages(api: APIClient, path: str) -> list[list[str]]:
    pages: list[list[str]] = []
    following: str | None = path
    while following:
        body = api.get(following).json()
        pages.append(ids(body["results"]))
        following = body["next"]
    return pages


class TestConversations:
    def test_come_newest_first_each_once(self, api: APIClient, person: User) -> None:
        rows = make(person, 120)
        pages = all_pages(api, "/api/conversations/")
        assert [len(page) for page in pages] == [50, 50, 20]
        assert sum(pages, []) == ids(reversed(rows))  # noqa: RUF017

    @pytest.mark.parametrize("count", [0, 1, 50])
    def test_a_page_that_holds_all_has_no_next(self, api: APIClient, person: User, count: int) -> None:
        make(person, count)
        body = api.get("/api/conversations/").json()
        assert (len(body["results"]), body["next"]) == (count, None)

    def test_a_cursor_stays_true_while_rows_are_added(self, api: APIClient, person: User) -> None:
        rows = make(person, 60)
        following = api.get("/api/conversations/").json()["next"]
        make(person, 5, title="newer")
        Conversation.objects.filter(title="newer").update(updated=NOON + timedelta(days=1))
        assert ids(api.get(following).json()["results"]) == ids(reversed(rows[:10]))

    def test_the_cursor_is_a_row_value_in_sql(self, person: User) -> None:
        rows = person.conversations.newest_first().before(NOON, new_id())
        where = str(rows.query).split("WHERE")[1]
        assert '("conversations_conversation"."updated", "conversations_conversation"."id") < (' in where
        assert " OR " not in where

    def test_any_number_takes_the_same_queries(self, api: APIClient, person: User) -> None:
        counts = []
        for _more in range(2):
            make(person, 20)
            with CaptureQueriesContext(connection) as queries:
                api.get("/api/conversations/")
            counts.append(sum("conversation" in each["sql"] for each in queries))
        assert counts == [1, 1]

    def test_archived_temporary_and_other_peoples_are_not_listed(
        self, api: APIClient, person: User, other_person: User
    ) -> None:
        make(person, 1, archived=True)
        make(person, 1, temporary=True)
        make(other_person, 1)
        assert api.get("/api/conversations/").json()["results"] == []

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("url=http://a.example/1", ["one"]),
            ("host=a.example", ["two", "one"]),
            ("host=a.example&url=http://a.example/2", ["two"]),
            ("host=", ["three", "two", "one"]),
            ("host=b", []),
            ("url=%00", []),
        ],
    )
    def test_are_found_by_address(self, api: APIClient, person: User, query: str, found: list[str]) -> None:
        for title, url, host in (
            ("one", "http://a.example/1", "a.example"),
            ("two", "http://a.example/2", "a.example"),
            ("three", "", ""),
        ):
            Conversation.objects.create(user=person, title=title, page_url=url, page_host=host)
        results = api.get(f"/api/conversations/?{query}").json()["results"]
        assert [row["title"] for row in results] == found

    def test_the_next_page_keeps_the_filter(self, api: APIClient, person: User) -> None:
        make(person, 51, page_host="a.example")
        make(person, 20)
        assert [len(page) for page in all_pages(api, "/api/conversations/?host=a.example")] == [50, 1]

    @pytest.mark.parametrize("cursor", BROKEN_CURSORS)
    def test_a_broken_cursor_is_unreadable(self, api: APIClient, cursor: str) -> None:
        answer = api.get(f"/api/conversations/?cursor={cursor}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "cursor.broken")


class TestSidebar:
    """The same on the pages, without any script."""

    @pytest.fixture
    def browser(self, person: User) -> Client:
        client = Client()
        client.force_login(person)
        return client

    def titles(self, browser: Client, address: str, within: str = "[data-main]") -> list[str]:
        page = LexborHTMLParser(browser.get(address).content.decode())
        return [each.text() for each in page.css(f"{within} .listed__title")]

    def fill(self, person: User) -> None:
        make(person, 1, title="here", page_host="a.example")
        make(person, 1, title="pinned", page_host="b.example", pinned=True)
        make(person, 1, title="archived", page_host="b.example", archived=True)
        make(person, 1, title="both", page_host="b.example", archived=True, pinned=True)

    @pytest.mark.parametrize(
        ("address", "listed", "pinned"),
        [
            ("/", ["here"], ["pinned"]),
            ("/?archived=1", ["archived", "both"], []),
            ("/?host=b.example", ["pinned"], []),
            ("/?host=nowhere.example", [], []),
            ("/?pinned=1", ["pinned"], []),
            ("/settings/privacy/?host=b.example", ["here"], ["pinned"]),
            ("/?host=%00&archived=2", [], []),
        ],
    )
    def test_shows_what_the_address_asks_for(
        self, browser: Client, person: User, address: str, listed: list[str], pinned: list[str]
    ) -> None:
        self.fill(person)
        assert sorted(self.titles(browser, address)) == listed
        assert self.titles(browser, address, "[data-part=pinned]") == pinned

    @pytest.mark.parametrize("address", ["/", "/?archived=1", "/?host=a.example", "/conversations/hosts/"])
    def test_any_number_takes_the_same_queries(
        self, browser: Client, person: User, django_assert_num_queries: DjangoAssertNumQueries, address: str
    ) -> None:
        self.fill(person)
        with CaptureQueriesContext(connection) as few:
            browser.get(address)
        make(person, 300, page_host="a.example")
        make(person, 300, pinned=True)
        make(person, 300, archived=True)
        with django_assert_num_queries(len(few)):
            browser.get(address)
        assert [each["sql"] for each in few if "OFFSET" in each["sql"]] == []

    @pytest.mark.parametrize("address", ["/", "/?host=a.example", "/?archived=1"])
    def test_the_pages_of_a_list_show_each_once(self, browser: Client, person: User, address: str) -> None:
        for number in range(60):
            make(person, 1, title=str(number), page_host="a.example", archived="archived" in address)
        first = browser.get(address)
        older = self.titles(browser, f"/{first.context['older']}")
        assert sorted(self.titles(browser, address) + older, key=int) == [str(n) for n in range(60)]

    @pytest.mark.parametrize(
        ("parameters", "index"),
        [
            ({"pinned": "false"}, "conversation_current"),
            ({"pinned": "true"}, "conversation_pinned"),
            ({"archived": "true"}, "conversation_archived"),
            ({"host": "a.example"}, "conversation_of_host"),
        ],
    )
    @pytest.mark.sqlite
    def test_each_list_has_an_index_that_sorts(
        self, person: User, parameters: dict[str, str], index: str
    ) -> None:
        plan = choose(person, parameters).newest_first().explain()
        assert index in plan
        assert "TEMP B-TREE" not in plan

    @pytest.mark.parametrize(
        ("act", "field", "before"),
        [
            ("pin", "pinned", False),
            ("unpin", "pinned", True),
            ("archive", "archived", False),
            ("unarchive", "archived", True),
        ],
    )
    def test_a_button_changes_one_and_leads_back(
        self, browser: Client, person: User, act: str, field: str, before: bool
    ) -> None:
        (row,) = make(person, 1, **{field: before})
        answer = browser.post("/conversations/list/", {act: row.pk, "next": "/tools/?archived=1"})
        assert answer.headers["Location"] == "/tools/?archived=1#conversations"
        row.refresh_from_db()
        assert getattr(row, field) is not before

    def test_deleting_the_one_that_is_shown_leads_home(self, browser: Client, person: User) -> None:
        (row,) = make(person, 1)
        answer = browser.post(
            "/conversations/list/", {"delete": row.pk, "next": f"/conversations/{row.pk}/?q=a"}
        )
        assert answer.headers["Location"] == "/?q=a#conversations"
        assert not Conversation.objects.exists()

    @pytest.mark.parametrize(
        "address", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""]
    )
    def test_it_leads_nowhere_else(self, browser: Client, person: User, address: str) -> None:
        (row,) = make(person, 1)
        answer = browser.post("/conversations/list/", {"pin": row.pk, "next": address})
        assert answer.headers["Location"] == "/#conversations"

    @pytest.mark.parametrize("posted", [{"pin": "x"}, {"explode": "x"}, {}])
    def test_what_is_no_act_is_not_there(self, browser: Client, posted: dict[str, str]) -> None:
        assert browser.post("/conversations/list/", posted).status_code == 404

    def test_anothers_is_not_there(self, browser: Client, other_person: User) -> None:
        (row,) = make(other_person, 1)
        assert browser.post("/conversations/list/", {"delete": row.pk}).status_code == 404
        assert Conversation.objects.exists()

    def test_sites_are_counted_by_the_alphabet_and_a_page_at_a_time(
        self, browser: Client, person: User, other_person: User
    ) -> None:
        self.fill(person)
        make(other_person, 1, page_host="c.example")
        for number in range(110):
            make(person, 2, page_host=f"xn--fsq-{number:03}.example")
        shown = browser.get("/conversations/hosts/").context
        assert [(each.host, each.count) for each in shown["hosts"]][:2] == [
            ("a.example", 1),
            ("b.example", 1),
        ]
        following = browser.get("/conversations/hosts/", {"after": shown["following"]}).context
        assert (len(shown["hosts"]), len(following["hosts"]), following["following"]) == (100, 12, "")

    def test_a_file_becomes_a_conversation(self, browser: Client, api: APIClient, person: User) -> None:
        (row,) = make(person, 1, title="Rivers")
        export = b"".join(api.get(f"/api/conversations/{row.pk}/export.json").streaming_content)
        answer = browser.post("/conversations/import/", {"file": SimpleUploadedFile("a.json", export)})
        copy = Conversation.objects.exclude(pk=row.pk).get()
        assert (copy.title, answer.headers["Location"]) == ("Rivers", f"/conversations/{copy.pk}/")

    @pytest.mark.parametrize(
        ("content", "status", "told"),
        [
            (b"{", 400, "it is not JSON"),
            (b"[" * 999 + b"]" * 999, 400, "it is not JSON"),
            (b"[]", 422, "Must be a file of the format askweb.conversation"),
            (b'{"format": "x"}', 422, "Must be a file of the format askweb.conversation"),
            (None, 422, "Choose a file."),
        ],
    )
    def test_a_wrong_file_is_told_on_the_page(
        self, browser: Client, content: bytes | None, status: int, told: str
    ) -> None:
        posted = {} if content is None else {"file": SimpleUploadedFile("a.json", content)}
        answer = browser.post("/conversations/import/", posted)
        assert answer.status_code == status
        [notice] = LexborHTMLParser(answer.content).css(".desk > [role=alert]")
        assert told in notice.text()
        assert "body" not in notice.text()

    def test_a_file_may_be_no_larger_than_a_body(self, browser: Client, settings: Any) -> None:
        settings.ASKWEB_BODY_LIMIT = 10
        answer = browser.post("/conversations/import/", {"file": SimpleUploadedFile("a.json", b" " * 11)})
        assert answer.status_code == 413


def test_a_cursor_reads_back() -> None:
    id_ = new_id()
    assert read_cursor(write_cursor(NOON, id_)) == (NOON, id_)


@pytest.mark.parametrize("moment", [datetime.min, datetime.max])
def test_a_moment_beyond_all_calendars_is_a_broken_cursor(moment: datetime) -> None:
    zone = timezone(timedelta(hours=14 if moment.year == 1 else -14))
    with pytest.raises(Problem, match="cursor"):
        read_cursor(write_cursor(moment.replace(tzinfo=zone), UUID(int=0)))


class TestMessages:
    @pytest.fixture
    def path(self, person: User) -> str:
        return f"/api/conversations/{Conversation.objects.create(user=person).pk}/messages/"

    def fill(self, path: str, count: int) -> list[Message]:
        conversation = Conversation.objects.get(pk=path.split("/")[3])
        rows = [
            Message(conversation=conversation, role="user", content=str(number)) for number in range(count)
        ]
        Message.objects.bulk_create(rows)
        page = {"id": "page", "content": "x" * 2000}
        store_packed((ContextItem(message=row, position=0, kind="page"), page) for row in rows)
        return rows

    def test_come_50_a_page_newest_first(self, api: APIClient, path: str) -> None:
        rows = self.fill(path, 120)
        pages = all_pages(api, path)
        assert [len(page) for page in pages] == [50, 50, 20]
        assert sum(pages, []) == ids(reversed(rows))  # noqa: RUF017

    def test_before_a_message_come_the_older_ones(self, api: APIClient, path: str) -> None:
        rows = self.fill(path, 5)
        found = api.get(f"{path}?before={rows[2].pk}").json()
        assert (ids(found["results"]), found["next"]) == (ids([rows[1], rows[0]]), None)

    def test_any_number_takes_the_same_queries(
        self, api: APIClient, path: str, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        self.fill(path, 3)
        api.get(path)
        with CaptureQueriesContext(connection) as few:
            api.get(path)
        self.fill(path, 40)
        with django_assert_num_queries(len(few)):
            assert len(api.get(path).json()["results"]) == 43

    def test_each_carries_its_context_and_siblings(self, api: APIClient, path: str) -> None:
        rows = self.fill(path, 3)
        for shape in api.get(path).json()["results"]:
            assert shape["context"] == [{"id": "page", "content": "x" * 2000}]
            assert shape["siblings"] == ids(rows)

    @pytest.mark.parametrize("before", ["x", "1", "%00"])
    def test_a_broken_id_is_unreadable(self, api: APIClient, path: str, before: str) -> None:
        answer = api.get(f"{path}?before={before}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "id.broken")

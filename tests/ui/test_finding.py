"""The sidebar's search, without any script."""

from html import unescape

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from askweb.conversations.excerpts import excerpt, mark, words_of
from tests.conversations.conftest import Ask
from tests.conversations.conftest import ask as ask

pytestmark = pytest.mark.django_db


def marked(text: str, typed: str) -> str:
    words = words_of(typed)
    assert words is not None
    return "".join(f"[{piece.text}]" if piece.is_found else piece.text for piece in mark(text, words))


@pytest.mark.parametrize(
    ("text", "typed", "shown"),
    [
        ("Swap the swapchain", "swap", "[Swap] the [swap]chain"),
        ("Swap the swapchain", "swap the", "[Swap] [the] swapchain"),
        ("unswap", "swap", "unswap"),
        ("A Naïve e\u0301tude", "naive etude", "A [Naïve] [e\u0301tude]"),
        ("机器学习模型", "学习", "机器[学习]模型"),
        ("机器学习模型", "器学习模", "机[器学习模]型"),
        ("Use node.js now", "node.js", "Use [node.js] now"),
        ("side by side", '"by side"', "side [by side]"),
        ("用GPT写", "GPT", "用[GPT]写"),
        ("Straße, ﬁne", "strasse fine", "[Straße], [ﬁne]"),
        ("a.b(c)*", "c a", "[a].b([c])*"),
    ],
)
def test_words_are_marked_where_they_are(text: str, typed: str, shown: str) -> None:
    assert marked(text, typed) == shown


def test_an_excerpt_is_short_and_around_the_place() -> None:
    words = words_of("needle")
    assert words is not None
    pieces = excerpt("hay\n stack " * 5000 + "a needle " + "hay " * 50, words)
    text = "".join(piece.text for piece in pieces)
    assert text.startswith("…")
    assert text.endswith("…")
    assert "stack a needle hay" in text
    assert len(text) < 140


def test_what_is_nowhere_has_no_excerpt() -> None:
    words = words_of("needle")
    assert words is not None
    assert excerpt("hay", words) == []


def sidebar(client: Client, address: str) -> LexborHTMLParser:
    return LexborHTMLParser(client.get(address).content.decode())


def test_shows_what_is_found_with_the_place(browser_of: Client, ask: Ask) -> None:
    ask("Rivers", context=[{"id": "page", "content": "The <b>Danube</b> & others"}])
    ask("Mountains")
    page = sidebar(browser_of, "/?q=danube")
    assert [each.text(strip=True) for each in page.css(".listed__title")][:1] == ["Rivers"]
    assert len(page.css(".listed--found")) == 1
    found = page.css_first(".listed__excerpt")
    assert unescape(found.html or "").count("<mark>Danube</mark>") == 1
    assert "The <b>Danube</b> & others" in found.text()


def test_a_title_is_marked(browser_of: Client, ask: Ask) -> None:
    ask("Rivers <i>of</i> Europe")
    title = sidebar(browser_of, "/?q=rivers").css_first(".listed--found .listed__title")
    assert title.html is not None
    assert "<mark>Rivers</mark> &lt;i&gt;of&lt;/i&gt; Europe" in title.html


def test_the_words_stay_in_the_field_and_in_the_links(browser_of: Client, ask: Ask) -> None:
    ask('Say "a&b"')
    page = sidebar(browser_of, "/?q=%22a%26b%22")
    assert page.css_first("#finder-words").attributes["value"] == '"a&b"'
    link = page.css_first(".listed--found a").attributes["href"] or ""
    assert link.endswith("?q=%22a%26b%22")
    assert len(sidebar(browser_of, link).css(".listed--found")) == 1


@pytest.mark.parametrize("typed", ["nowhere", "?!", "<script>"])
def test_nothing_found_says_so_and_leads_back(browser_of: Client, ask: Ask, typed: str) -> None:
    ask("Rivers")
    page = sidebar(browser_of, f"/?q={typed}")
    assert page.css_first(".sidebar__list .hint").text() == f"Nothing was found for “{typed}”."
    assert not page.css(".listed--found")
    assert page.css_first("a.sidebar__older").attributes["href"] == "?#conversations"


def test_more_that_was_found_is_a_page_away(browser_of: Client, ask: Ask) -> None:
    for number in range(21):
        ask(f"Rivers {number}")
    page = sidebar(browser_of, "/?q=rivers")
    assert len(page.css(".listed--found")) == 20
    following = page.css_first("a.sidebar__older").attributes["href"] or ""
    assert following.startswith("?q=rivers&cursor=")


def test_spaces_alone_search_nothing(browser_of: Client, ask: Ask) -> None:
    ask("Rivers")
    page = sidebar(browser_of, "/?q=%20")
    assert "data-live" in page.css_first("[data-main]").attributes
    assert not page.css(".listed--found")


def test_a_conversation_offers_its_exports(browser_of: Client, ask: Ask) -> None:
    id_ = ask("Rivers")["conversation"]["id"]
    page = sidebar(browser_of, f"/conversations/{id_}/")
    links = [link.attributes["href"] for link in page.css(".menu__box a[download]")]
    assert links == [f"/api/conversations/{id_}/export.{ending}" for ending in ("md", "json")]

"""Citations: `[n]` leads to the part of the page that was sent under that number, and nothing else does."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.conversations.citing import cite
from askweb.conversations.rendering import render_reply
from askweb.conversations.shapes import Citation
from askweb.runs.models import Run, State
from askweb.runs.settling import UnsavedText, settle
from tests.conversations.conftest import Answer, Ask

PARTS: dict[int, Citation] = {
    1: {"n": 1, "xpath": "HTML>body>div[id=nk]", "digest": 'The "first" <part>'},
    2: {"n": 2, "xpath": "", "digest": ""},
    12: {"n": 12, "xpath": "/p[12]", "digest": "Twelfth"},
}
LINKS = {
    1: '<a class="citation" href="#citation-1" data-n="1" data-xpath="HTML&gt;body&gt;div[id=nk]" '
    'data-digest="The &quot;first&quot; &lt;part&gt;">{}</a>',
    2: '<a class="citation" href="#citation-2" data-n="2" data-xpath="" data-digest="">{}</a>',
    12: '<a class="citation" href="#citation-12" data-n="12" data-xpath="/p[12]" data-digest="Twelfth">{}</a>',
}


def link(number: int, text: str = "") -> str:
    return LINKS[number].format(text or f"[{number}]")


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ("<p>So [1].</p>", f"<p>So {link(1)}.</p>"),
        ("<p>所以[12]。</p>", f"<p>所以{link(12)}。</p>"),
        ("<p>[1][2]</p>", f"<p>{link(1)}{link(2)}</p>"),
        ("<p>[1, 2, 3]</p>", f"<p>[{link(1, '1')}, {link(2, '2')}, 3]</p>"),
        ("<p><strong>[1]</strong></p>", f"<p><strong>{link(1)}</strong></p>"),
        ("<p>a<br>[1]</p>", f"<p>a<br>{link(1)}</p>"),
    ],
)
def test_a_number_of_a_part_becomes_a_link(html: str, linked: str) -> None:
    assert cite(html, PARTS)[0] == linked


@pytest.mark.parametrize(
    "html",
    [
        "<p>[3] [0] [01] [1.] [x] [] [999999999999]</p>",
        "<p><code>a[1]</code></p>",
        '<pre><code class="language-py"><span class="n">a</span>[1]<br>[2]</code></pre>',
        '<p><a href="https://x">[1]</a></p>',
        '<p><span class="math inline">x[1]</span></p>',
        '<p><a href="https://x/[1]" title="[1] &gt; [2]">x</a></p>',
        "<p>&#91;1&#93;</p>",
    ],
)
def test_everything_else_stays_as_it_is(html: str) -> None:
    assert cite(html, PARTS) == (html, [])


def test_after_code_citations_go_on() -> None:
    html, cited = cite("<p><code>a[1]</code> [2] <a href='x'>[1]</a> [12]</p>", PARTS)
    assert [each["n"] for each in cited] == [2, 12]
    assert html.count('class="citation"') == 2


def test_each_is_told_once_in_order() -> None:
    assert cite("<p>[12] [1] [12]</p>", PARTS)[1] == [PARTS[1], PARTS[12]]


@pytest.mark.parametrize(
    "digest", ['"><script>alert(1)</script>', "' onclick='x", "</a><img src=x>", "&amp;", "\n"]
)
def test_a_part_can_not_leave_its_attribute(digest: str) -> None:
    html, _cited = cite("<p>[1]</p>", {1: {"n": 1, "xpath": digest, "digest": digest}})
    assert html.count("<") == 4
    assert html.count('"') == 10


def test_what_markdown_makes_of_them_is_found() -> None:
    html, cited = cite(render_reply("- See [1], [2] and `a[1]`.\n\n```\n[1]\n```\n"), PARTS)
    assert [each["n"] for each in cited] == [1, 2]
    assert html.count('class="citation"') == 2


@pytest.mark.django_db
class TestAReply:
    search = {
        "id": "pageSearch",
        "list": [{"xpath": "/p[1]", "digest": "One"}, {"xpath": "/p[2]", "digest": "Two"}],
    }

    def told(self, api: APIClient, posted: Any) -> Any:
        return api.get(f"/api/messages/{posted['reply']['id']}/").json()

    def test_carries_what_it_cites(self, api: APIClient, ask: Ask, answer: Answer) -> None:
        posted = ask("two?", context=[self.search])
        answer(posted, "It is there [2], not [7].")
        reply = self.told(api, posted)
        assert reply["citations"] == [{"n": 2, "xpath": "/p[2]", "digest": "Two"}]
        assert 'data-xpath="/p[2]" data-digest="Two">[2]</a>' in reply["html"]
        assert reply["content"] == "It is there [2], not [7]."

    def test_may_cite_the_parts_of_an_earlier_message(self, api: APIClient, ask: Ask, answer: Answer) -> None:
        first = ask("two?", context=[self.search])
        answer(first)
        second = ask("And one?", to=first["conversation"]["id"])
        answer(second, "Here [1].")
        assert [each["n"] for each in self.told(api, second)["citations"]] == [1]

    def test_of_another_branch_cites_nothing(self, api: APIClient, ask: Ask, answer: Answer) -> None:
        first = ask("Hi")
        answer(first)
        to = first["conversation"]["id"]
        answer(ask("two?", to=to, context=[self.search]))
        third = ask("Otherwise", to=to, parent=first["reply"]["id"])
        answer(third, "Here [1].")
        assert self.told(api, third)["citations"] == []

    @pytest.mark.parametrize("parts", [None, "x", [1, "a", None], [{"xpath": 7, "digest": None}]])
    def test_of_broken_parts_is_no_fault(self, api: APIClient, ask: Ask, answer: Answer, parts: Any) -> None:
        posted = ask("two?", context=[{"id": "pageSearch", "list": parts}])
        answer(posted, "Here [1].")
        assert self.told(api, posted)["state"] == "complete"

    def test_that_was_stopped_keeps_its_links(self, api: APIClient, ask: Ask) -> None:
        posted = ask("two?", context=[self.search])
        settle(Run.objects.get(pk=posted["run"]["id"]), State.STOPPED, UnsavedText("So far [1]"))
        assert [each["n"] for each in self.told(api, posted)["citations"]] == [1]

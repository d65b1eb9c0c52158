"""A reply on the page while it streams: finished blocks as HTML that stays, the open end as text."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from askweb.conversations.rendering import render_reply
from tests.live.asking import OFFERED, waiting
from tests.markdown.test_harmless import ATTACKS
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Gate, Upstream

LIST = "- one 😀\n- two\n\n"
CODE = "```python\nprint(1)\n```\n"
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
BLOCKS = ".message--reply [data-part=text] > :not([data-part=open])"
MARK = "nodes => { for (const node of nodes) node.marked = true; }"
MARKED = "nodes => nodes.map(node => Boolean(node.marked))"
OBSERVE = """window.jumps = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.jumps += value;
}).observe({ type: "layout-shift", buffered: true });"""
HTML = "node => [...node.childNodes].map(each => each.outerHTML ?? each.data).join('')"


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    return live.add_provider(upstream)


@pytest.fixture
def steps(live: LiveServer, upstream: Upstream, provider: str, page: Page) -> "Steps":
    return Steps(live, upstream, provider, page)


class Steps:
    """A reply that is written a text at a time, as the test says."""

    def __init__(self, live: LiveServer, upstream: Upstream, provider: str, page: Page) -> None:
        self._live, self._upstream, self._provider, self._page = live, upstream, provider, page
        self._gates: list[Gate] = []

    def open(self, *texts: str) -> Locator:
        """Ask, and show the page; return the reply's text."""
        self._gates = [self._upstream.gate() for _text in texts] + [self._upstream.gate()]
        pieces = [each for pair in zip(self._gates, map(sse.chunk, texts), strict=False) for each in pair]
        self._upstream.will_send(*pieces, self._gates[-1], sse.finish())
        asked = self._live.ask(self._provider)
        self._page.goto(f"/conversations/{asked.conversation}/")
        expect(self._page.get_by_role("button", name="Stop")).to_be_visible()
        return self._page.locator(".message--reply [data-part=text]").last

    def next(self) -> None:
        self._gates.pop(0).open()

    def all(self) -> None:
        while self._gates:
            self.next()


def finished(page: Page) -> Locator:
    return page.locator(BLOCKS)


def the_open(text: Locator) -> Locator:
    return text.locator("[data-part=open]")


def until_ended(page: Page) -> None:
    expect(page.locator(".message--reply")).to_have_attribute("data-state", "complete")


def test_blocks_become_html_while_the_rest_is_text(page: Page, steps: Steps) -> None:
    text = steps.open(LIST, CODE, TABLE, "And **so")
    steps.next()
    steps.next()
    expect(text.locator("> ul > li")).to_have_text(["one 😀", "two"])
    expect(text.locator("> .highlight code")).to_have_text("print(1)\n")
    steps.next()
    steps.next()
    expect(text.locator("> table td")).to_have_text(["1", "2"])
    expect(the_open(text)).to_have_text("And **so")
    steps.all()
    until_ended(page)
    assert text.evaluate(HTML) == render_reply(f"{LIST}{CODE}{TABLE}And **so")


def test_open_code_is_set_as_code(page: Page, steps: Steps) -> None:
    text = steps.open("Look:\n``", "`python\nx = `1`\n", "\n# no title\n", "``", "`\nDone")
    for _step in range(3):
        steps.next()
    expect(the_open(text).locator("pre")).to_have_text("x = `1`\n\n# no title\n")
    expect(text.locator("> p")).to_have_text("Look:")
    steps.next()
    steps.next()
    expect(text.locator("> .highlight")).to_have_text("x = `1`\n\n# no title\n")
    expect(the_open(text)).to_have_text("Done")
    steps.all()


def test_nodes_of_finished_blocks_stay(page: Page, steps: Steps) -> None:
    steps.open(f"# Title\n\n{LIST}{CODE}", TABLE, "The end")
    steps.next()
    expect(finished(page)).to_have_count(3)
    finished(page).evaluate_all(MARK)
    steps.all()
    until_ended(page)
    expect(finished(page)).to_have_count(5)
    assert finished(page).evaluate_all(MARKED) == [True, True, True, False, False]


def test_focus_and_selection_survive(page: Page, steps: Steps) -> None:
    text = steps.open("[Here](https://a.example) it *is*.\n\n", CODE, "The end")
    steps.next()
    link = text.get_by_role("link", name="Here")
    link.focus()
    text.locator("em").evaluate("node => getSelection().selectAllChildren(node)")
    steps.all()
    until_ended(page)
    expect(link).to_be_focused()
    assert page.evaluate("String(getSelection())") == "is"


def test_nothing_jumps_while_a_reply_is_written(page: Page, steps: Steps) -> None:
    page.add_init_script(OBSERVE)
    words = "Words of a paragraph that goes on for some lines. " * 20
    text = steps.open(f"{words}\n\n{words}", f"\n\n{LIST}{words}", f"\n\n{CODE}{words}", "\n\nThe end")
    for blocks in (1, 2, 5):
        steps.next()
        expect(finished(page)).to_have_count(blocks)
        expect(the_open(text)).to_contain_text("Words")
    steps.all()
    until_ended(page)
    assert page.evaluate("() => new Promise((done) => setTimeout(() => done(window.jumps), 100))") < 0.01


def test_a_reload_in_the_middle_shows_the_blocks(page: Page, steps: Steps) -> None:
    text = steps.open(f"# 😀\n\n{LIST}## b\n\nOpen *end", TABLE.join(["\n\n", "x\n\n"]), "Last")
    steps.next()
    expect(the_open(text)).to_have_text("Open *end")
    page.reload()
    expect(text.locator("> h1")).to_have_text("😀")
    expect(the_open(text)).to_have_text("Open *end")
    finished(page).evaluate_all(MARK)
    steps.next()
    expect(text.locator("> table")).to_be_visible()
    steps.all()
    until_ended(page)
    assert finished(page).evaluate_all(MARKED)[:2] == [True, True]
    assert text.evaluate(HTML) == render_reply(f"# 😀\n\n{LIST}## b\n\nOpen *end\n\n{TABLE}x\n\nLast")


def test_what_a_later_part_changes_is_replaced_at_the_end(page: Page, steps: Steps) -> None:
    text = steps.open("# First\n\nSee [it][1].\n\n", "[1]: https://a.example\n")
    steps.next()
    expect(text.locator("> p")).to_have_text("See [it][1].")
    finished(page).evaluate_all(MARK)
    steps.all()
    until_ended(page)
    expect(text.get_by_role("link", name="it")).to_have_attribute("href", "https://a.example")
    assert finished(page).evaluate_all(MARKED) == [True, False]


def test_a_reply_that_waits_for_the_person_is_html(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    upstream.will_send(sse.chunk("Let **me** see"), *sse.calls(sse.call("ask_user", OFFERED)))
    asked, _row = waiting(live, provider)
    page.goto(f"/conversations/{asked.conversation}/")
    text = page.locator(".message--reply [data-part=text]")
    expect(text.locator("> p > strong")).to_have_text("me")
    expect(the_open(text)).to_have_count(0)
    expect(page.locator(".message--reply")).to_have_attribute("aria-busy", "false")


@pytest.mark.parametrize("ends", [("\n\n",), ("", "\n\n")], ids=["blocks", "open ends"])
def test_hostile_markdown_runs_nothing(page: Page, steps: Steps, ends: Sequence[str]) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a script said {dialog.message}"))
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    text = steps.open(*(f"{attack}{end}" for attack in ATTACKS[:20] for end in ends), "\n\nDone.\n\n", "x")
    for _step in range(20 * len(ends) + 2):
        steps.next()
    expect(text.locator("> p").last).to_have_text("Done.")
    steps.all()
    until_ended(page)
    assert [url for url in asked_for if "vil" in url] == []
    assert text.evaluate("node => node.querySelectorAll('script, iframe, img, svg, style, form').length") == 0

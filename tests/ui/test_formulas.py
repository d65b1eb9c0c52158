"""Formulas of answers in Chromium: set by KaTeX under the page's policy, copied as TeX, read as MathML."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import faults

# Each of these has KaTeX write a `style` attribute somewhere, or draw with SVG.
STYLED = (
    r"\sqrt{x}",
    r"\vec{v}",
    r"\fcolorbox{red}{yellow}{a}",
    r"\pmb{x}",
    r"\widehat{abc}",
    r"\overbrace{a+b}^{n}",
    r"\xrightarrow{f}",
    r"\cancel{x}",
    r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
    r"\textcolor{blue}{\int_0^\infty}",
    r"\rule{2em}{1em}",
    r"\oiint",
    r"\phase{30}",
    r"\angl{n}",
    r"\left(\dfrac{\dfrac{a}{b}}{\dfrac{c}{d}}\right)",
)
SELECTED = """element => {
  getSelection().selectAllChildren(element);
  return String(getSelection());
}"""
WIDTH = "element => element.getBoundingClientRect().width"


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    return live.add_provider(upstream)


def answer(live: LiveServer, upstream: Upstream, provider: str, text: str) -> str:
    """The address of a conversation in which this was answered."""
    upstream.will_send(sse.chunk(text), sse.finish())
    asked = live.ask(provider)
    live.ended(asked.run)
    return f"/conversations/{asked.conversation}/"


def test_formulas_are_set_and_the_policy_holds(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    page.goto(answer(live, upstream, provider, "".join(f"$$\n{tex}\n$$\n\n" for tex in STYLED)))
    expect(page.locator('.math[data-formula="set"]')).to_have_count(len(STYLED))
    expect(page.locator("mtext, mi").first).to_be_attached()
    root = page.locator(".katex .sqrt svg").first
    assert root.evaluate("element => element.parentElement.style.height || element.style.width") != ""


def test_money_is_no_formula_and_loads_nothing(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    loaded: list[Request] = []
    page.on("request", lambda request: loaded.append(request) if "katex" in request.url else None)
    place = answer(live, upstream, provider, "From R$ 12 and R$ 15 to $5 and $10.")
    page.goto(place, wait_until="networkidle")
    expect(page.locator(".message--reply .prose").first).to_have_text("From R$ 12 and R$ 15 to $5 and $10.")
    assert (page.locator(".math").count(), loaded) == (0, [])


def test_a_formula_of_a_live_block_is_set_and_stays(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    gates = [upstream.gate() for _each in range(2)]
    upstream.will_send(gates[0], sse.chunk("Euler: $e^{i\\pi}$.\n\n"), gates[1], sse.chunk("x"), sse.finish())
    page.goto(f"/conversations/{live.ask(provider).conversation}/")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    gates[0].open()
    formula = page.locator('.math[data-formula="set"]')
    expect(formula.locator("annotation")).to_have_text(r"e^{i\pi}")
    formula.evaluate("element => element.marked = true")
    gates[1].open()
    expect(page.locator(".message--reply")).to_have_attribute("data-state", "complete")
    assert formula.evaluate("element => element.marked")


def test_a_broken_formula_stays_as_it_is_written_and_says_why(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    page.goto(answer(live, upstream, provider, r"So $\frac{1$ and $\href{https://a.example}{x}$, $y$."))
    broken = page.locator('.math[data-formula="broken"]').first
    expect(broken).to_have_text(r"\frac{1")
    expect(broken).to_have_attribute("title", re.compile("^This formula can't be set: Unexpected end"))
    expect(page.locator('.math[data-formula="set"]').last).to_be_visible()
    expect(page.locator(".math a")).to_have_count(0)


def test_what_is_copied_is_tex_in_its_line(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    page.goto(answer(live, upstream, provider, "As $x^2$ grows.\n\n$$\\frac{a}{b}$$\n\nDone."))
    expect(page.locator('.math[data-formula="set"]')).to_have_count(2)
    text = page.locator(".message--reply [data-part=text]").evaluate(SELECTED)
    assert re.split(r"\n+", text) == ["As $x^2$ grows.", r"$$\frac{a}{b}$$", "Done."]
    assert page.locator(".math__source").first.evaluate(WIDTH) == 0


def test_screen_readers_get_mathml_alone(
    inspected: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    inspected.goto(answer(live, upstream, provider, "As $x^2$ grows.\n\n$$\\frac{a}{b}$$"))
    expect(inspected.locator('.math[data-formula="set"]')).to_have_count(2)
    expect(inspected.locator(".message--reply p").first).to_match_aria_snapshot(
        "- paragraph:\n  - text: As\n  - math: x 2\n  - text: grows."
    )
    assert faults(inspected, ".message--reply") == []


def test_a_wide_formula_scrolls_in_itself(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(answer(live, upstream, provider, f"$$\n{' + '.join('abcdefgh' * 6)}\n$$"))
    formula = page.locator('.math[data-formula="set"]')
    expect(formula).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert formula.evaluate("element => element.scrollWidth > element.clientWidth")

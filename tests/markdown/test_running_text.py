"""Running text: emphasis, code, math, links, tags."""

import pytest

from askweb.conversations.rendering import render_reply
from tests.markdown.written import written

EMPHASIS = {
    "nested": ("***a*** and **b *c* d**", "<em><strong>a</strong></em> and <strong>b <em>c</em> d</strong>"),
    "ends with a CJK sign": ("**中文：**说明", "<strong>中文：</strong>说明"),
    "ends with a quote": ("**“引用”**文字", "<strong>“引用”</strong>文字"),
    "between CJK letters": ("这是**（重要）**的", "这是<strong>（重要）</strong>的"),
    "struck out beside CJK": ("~~删除。~~然后", "<del>删除。</del>然后"),
    "underscores within words": ("a_b_c and _d_", "a_b_c and <em>d</em>"),
    "spaced signs": ("2 * 3 * 4 and 5 ** 2 ** 1", "2 * 3 * 4 and 5 ** 2 ** 1"),
    "single tildes": ("~5 to ~10", "~5 to ~10"),
    "not closed": ("a **b", "a **b"),
    "escaped": ("\\*a\\* 1\\. \\`b\\`", "*a* 1. `b`"),
}
CODE = {
    "is literal": ("`**a** <b> $c$ &amp;`", "<code>**a** &lt;b&gt; $c$ &amp;amp;</code>"),
    "with ticks inside": ("`` a`b ``", "<code>a`b</code>"),
    "not closed": ("`a", "`a"),
    "as a tag": ("<code>**a**</code>", "<code>**a**</code>"),
}
NO_MATH = (
    "R$ 12 and R$ 15, or R$12 and R$15.",
    "It costs $5 and $10, from $5-$10, US$20–US$30.",
    "It costs $5 … R$ 12, or $1,000 vs. NT$ 30,000.",
    "$5–US$ 6, $5/C$ 7, in $) and A$ 8, $5 和R$ 9",
    "a $ b $ c",
    "$HOME and $PATH",
    "from $ to $$$",
)
MATH = {
    "dollars": ("a $x_1$ and $y_2$", ["x_1", "y_2"]),
    "between CJK letters": ("设$x$为", ["x"]),
    "money before it": ("$5 and $x$", ["x"]),
    "a number behind it": ("$x \\in R$ 12 and $R$ 3 and $2 n$ 4", ["x \\in R", "R", "2 n"]),
    "parentheses": ("\\(x*y*z\\)", ["x*y*z"]),
    "less and more": ("$a<b>c$", ["a&lt;b&gt;c"]),
}
DISPLAYED = ("$$\na\n= b\n- c\n\n# d\n$$", "\\[\na\n= b\n- c\n\n# d\n\\]")
LINKS = {
    "with parentheses": ("[a](https://b.c/d_(e))", '<a href="https://b.c/d_(e)">a</a>'),
    "with a title": ('[a](https://b.c "d")', '<a href="https://b.c" title="d">a</a>'),
    "with quotes in its title": (
        '[a](https://b.c "say \\"d\\"") ![e](https://f.g \'h\\\'s\') [i](https://j.k (l\\) "m"))',
        '<a href="https://b.c" title="say &quot;d&quot;">a</a> <a href="https://f.g" title="h\'s" class="image">e</a>'
        ' <a href="https://j.k" title="l) &quot;m&quot;">i</a>',
    ),
    "in brackets": (
        "<https://a.b/?c=1&d=2>",
        '<a href="https://a.b/?c=1&amp;d=2">https://a.b/?c=1&amp;d=2</a>',
    ),
    "mail": ("<a@b.c>", '<a href="mailto:a@b.c">a@b.c</a>'),
    "relative": ("[a](b/c.md)", "a"),
    "without a scheme": ("[a](//b.c)", "a"),
    "an image": ("![a](https://b.c/d.png)", '<a href="https://b.c/d.png" class="image">a</a>'),
    "an image in a link": ("[![a](https://b.c)](https://d.e)", '<a href="https://d.e">a</a>'),
    "a link in a link": ("[a [b](https://c.d)](/e)", '[a <a href="https://c.d">b</a>](/e)'),
}
BARE = {
    "https://a.b/c. D": ("https://a.b/c", ". D"),
    "https://a.b/c_(d))": ("https://a.b/c_(d)", ")"),
    "https://a.b/c。更多": ("https://a.b/c", "。更多"),
    "https://a.b/c，谢": ("https://a.b/c", "，谢"),
    "https://a.b/_c_d_/e": ("https://a.b/_c_d_/e", ""),
}
TAGS = {
    "harmless": ("H<sub>2</sub>O <kbd>*a*</kbd>", "H<sub>2</sub>O <kbd><em>a</em></kbd>"),
    "line breaks": ("a<br>b<br/>c", "a<br>b<br>c"),
    "generics": ("List<String> and Map<K, List<T>>", "List&lt;String&gt; and Map&lt;K, List&lt;T&gt;&gt;"),
    "without an end": ("a <b>c", "a &lt;b&gt;c"),
    "with attributes": ('<b id="a">c</b>', '&lt;b id="a"&gt;c&lt;/b&gt;'),
    "crossing emphasis": ("*a <b>c* d</b>", "*a <b>c* d</b>"),
    "comparisons": ("a<b and c>d, 1<2", "a&lt;b and c&gt;d, 1&lt;2"),
    "comments": ("a<!-- b\n\nc -->d", "ad"),
    "a comment without an end": ("a <!-- b", "a &lt;!-- b"),
    "entities": ("AT&T &lt;b&gt; &copy; &nosuch;", "AT&amp;T &lt;b&gt; © &amp;nosuch;"),
}


@pytest.mark.parametrize(("markdown", "html"), EMPHASIS.values(), ids=EMPHASIS.keys())
def test_emphasis(markdown, html):
    assert written(markdown) == f"<p>{html}</p>"


@pytest.mark.parametrize(("markdown", "html"), CODE.values(), ids=CODE.keys())
def test_code(markdown, html):
    assert written(markdown) == f"<p>{html}</p>"


@pytest.mark.parametrize("text", NO_MATH)
def test_money_is_not_math(text):
    assert written(text) == f"<p>{text}</p>"


@pytest.mark.parametrize(("markdown", "formulas"), MATH.values(), ids=MATH.keys())
def test_math(markdown, formulas):
    html = written(markdown)
    assert [part.split("</span>")[0] for part in html.split('<span class="math inline">')[1:]] == formulas


@pytest.mark.parametrize("markdown", DISPLAYED)
def test_nothing_in_a_display_formula_is_markdown(markdown):
    assert written(markdown) == '<div class="math display">a\n= b\n- c\n\n# d</div>'


def test_a_formula_that_does_not_end_hides_nothing():
    assert written("$$\na\n\n# b") == "<p>$$<br>a</p><h1>b</h1>"


@pytest.mark.parametrize(("markdown", "html"), LINKS.values(), ids=LINKS.keys())
def test_a_link(markdown, html):
    assert written(markdown) == f"<p>{html}</p>"


def test_links_open_in_a_tab_of_their_own_and_tell_nothing():
    assert 'rel="noopener noreferrer" target="_blank"' in render_reply("[a](https://b.c)")


@pytest.mark.parametrize(("markdown", "parts"), BARE.items(), ids=BARE.keys())
def test_a_bare_link_ends_where_its_sentence_goes_on(markdown, parts):
    address, rest = parts
    assert written(markdown) == f'<p><a href="{address}">{address}</a>{rest}</p>'


def test_a_reference_link():
    html = written('See [the manual][m] and [M].\n\n[m]: https://a.b "\\"C\\""')
    link = '<a href="https://a.b" title="&quot;C&quot;">'
    assert html == f"<p>See {link}the manual</a> and {link}M</a>.</p>"


def test_a_footnote():
    html = written("Old.[^1]\n\n[^1]: Very.")
    mark = html.split('href="#')[1].split('"')[0]
    assert f'<li id="{mark}"><p>Very.</p></li>' in html


def test_footnotes_of_two_texts_have_ids_of_their_own():
    first, second = (written(f"{text}[^1]\n\n[^1]: b").split('href="#')[1].split('"')[0] for text in "ac")
    assert first != second


def test_a_mark_without_a_note_stays():
    assert written("a[^1]") == "<p>a[^1]</p>"


@pytest.mark.parametrize(("markdown", "html"), TAGS.values(), ids=TAGS.keys())
def test_a_tag(markdown, html):
    assert written(markdown) == f"<p>{html}</p>"

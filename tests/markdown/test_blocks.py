"""Blocks as models write them."""

import re

import pytest

from askweb.conversations.rendering import render_reply
from tests.markdown.written import written

LISTS = {
    "right after a paragraph": ("You need:\n- a\n- b", "<p>You need:</p><ul><li>a</li><li>b</li></ul>"),
    "nested by two spaces": ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    "nested by four spaces": ("* a\n    * b", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
    "nested by a tab": ("- a\n\t- b\n\t\t- c", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>"),
    "two spaces under a number": (
        "1. a\n  - b\n    - c\n2. d",
        "<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ol>",
    ),
    "a bullet per number": (
        "1. a\n- b\n2. c",
        '<ol><li>a</li></ol><ul><li>b</li></ul><ol start="2"><li>c</li></ol>',
    ),
    "blank lines make paragraphs": ("- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
    "a year is no list": ("Finished in\n2019. Opened later.", "<p>Finished in<br>2019. Opened later.</p>"),
    "signs without a space": ("-5 degrees\n\n1.5 times", "<p>-5 degrees</p><p>1.5 times</p>"),
    "a rule ends a list": ("- a\n---\nb", "<ul><li>a</li></ul><hr><p>b</p>"),
    "a line that lost its indentation": ("- a\nb", "<ul><li>a<br>b</li></ul>"),
    "parentheses": ("2) a\n3) b", '<ol start="2"><li>a</li><li>b</li></ol>'),
    "tasks": (
        "- [ ] a\n- [x] b",
        '<ul><li class="task"><label><input type="checkbox" disabled=""> a</label></li>'
        '<li class="task"><label><input type="checkbox" disabled="" checked=""> b</label></li></ul>',
    ),
}
FENCES = {
    "no blank lines around": ("a\n```\nb\n```\nc", "<p>a</p>", "b\n", "<p>c</p>"),
    "a longer one around": ("````\n```\na\n```\n````", "", "```\na\n```\n", ""),
    "tildes": ("~~~\n```\n~~~", "", "```\n", ""),
    "not closed": ("```\na\n\n# b", "", "a\n\n# b\n", ""),
    "nothing inside is Markdown": ("```\n**a** &amp;\n```", "", "**a** &amp;amp;\n", ""),
    "indented code": ("a\n\n    b\n\n    c\n\nd", "<p>a</p>", "b\n\nc\n", "<p>d</p>"),
    "tabs are kept": ("```\n\ta  \n```", "", "\ta  \n", ""),
    "in an item": ("- a\n  ```\n    b\n  ```\n- c", "<ul><li>a", "  b\n", "</li><li>c</li></ul>"),
    "in an item, unindented inside": (
        "- a\n  ```\nb\n  ```\n- c",
        "<ul><li>a",
        "b\n",
        "</li><li>c</li></ul>",
    ),
}
CELLS = ("<th>a</th><th>b</th>", "<td>1</td><td>2</td>")
TABLES = {
    "after a paragraph": ("p\n|a|b|\n|-|-|\n|1|2|", "<p>p</p>", *CELLS),
    "right behind a list": ("- p\n|a|b|\n|-|-|\n|1|2|", "<ul><li>p</li></ul>", *CELLS),
    "right behind a nested list": (
        "1. p\n   - q\n     r\na | b\n- | -\n1 | 2",
        "<ol><li>p<ul><li>q<br>r</li></ul></li></ol>",
        *CELLS,
    ),
    "right behind a quote": ("> p\n|a|b|\n|-|-|\n|1|2|", "<blockquote><p>p</p></blockquote>", *CELLS),
    "bars in math": (
        "|$|a|$|b|\n|-|-|\n|x|\\(|y|\\)|",
        "",
        '<th><span class="math inline">|a|</span></th><th>b</th>',
        '<td>x</td><td><span class="math inline">|y|</span></td>',
    ),
    "bars between prices": ("|a|b|\n|-|-|\n|$5|$6|", "", "<th>a</th><th>b</th>", "<td>$5</td><td>$6</td>"),
    "no outer bars": ("a | b\n- | -\n1 | 2", "", "<th>a</th><th>b</th>", "<td>1</td><td>2</td>"),
    "line breaks": ("|a|\n|-|\n|1<br/>2|", "", "<th>a</th>", "<td>1<br>2</td>"),
    "escaped bars": ("|a|\n|-|\n|`1\\|2`|", "", "<th>a</th>", "<td><code>1|2</code></td>"),
    "bars in code": (
        "|a|b|\n|-|-|\n|`x||y`|z|",
        "",
        "<th>a</th><th>b</th>",
        "<td><code>x||y</code></td><td>z</td>",
    ),
    "a short row": ("|a|b|\n|-|-|\n|1|", "", "<th>a</th><th>b</th>", "<td>1</td><td></td>"),
    "alignment": ("|a|\n|-:|\n|1|", "", '<th align="right">a</th>', '<td align="right">1</td>'),
}
OTHERS = {
    "a newline is a line break": ("a\nb", "<p>a<br>b</p>"),
    "a heading between lines": ("a\n## b ##\nc", "<p>a</p><h2>b</h2><p>c</p>"),
    "a hashtag": ("#a", "<p>#a</p>"),
    "underlined headings": ("a\n===\n\nb\n---", "<h1>a</h1><h2>b</h2>"),
    "a quote with a list": (
        "> a\n> - b\n\nc",
        "<blockquote><p>a</p><ul><li>b</li></ul></blockquote><p>c</p>",
    ),
    "details": (
        "<details>\n<summary>a *b*</summary>\n\n- c\n</details>\nd",
        "<details><summary>a <em>b</em></summary><ul><li>c</li></ul></details><p>d</p>",
    ),
    "details in details": (
        "<details><summary>a</summary>\n<details>b</details></details>c",
        "<details><summary>a</summary><details><p>b</p></details></details><p>c</p>",
    ),
    "details that don't end": ("<details>\na\n\nb", "<p>&lt;details&gt;<br>a</p><p>b</p>"),
    "Windows line ends": ("a\r\n\r\nb\rc", "<p>a</p><p>b<br>c</p>"),
    "control characters vanish": ("a\x00b\x1b[1m\x02", "<p>ab[1m</p>"),
    "lone surrogates are replaced": ("a\ud800", "<p>a\ufffd</p>"),
}


@pytest.mark.parametrize(("markdown", "html"), LISTS.values(), ids=LISTS.keys())
def test_a_list(markdown, html):
    assert written(markdown) == html


@pytest.mark.parametrize(("markdown", "before", "code", "after"), FENCES.values(), ids=FENCES.keys())
def test_a_code_block(markdown, before, code, after):
    block = f'<div class="highlight"><pre><code>{code}</code></pre></div>'
    assert written(markdown) == f"{before}{block}{after}"


@pytest.mark.parametrize(("markdown", "before", "head", "row"), TABLES.values(), ids=TABLES.keys())
def test_a_table(markdown, before, head, row):
    table = f"<table><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>"
    assert written(markdown) == f"{before}{table}"


@pytest.mark.parametrize(("markdown", "html"), OTHERS.values(), ids=OTHERS.keys())
def test_a_block(markdown, html):
    assert written(markdown) == html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("> - a\n> |b|\n> |-|\nc", "<blockquote><ul><li>a</li></ul>{}</blockquote><p>c</p>"),
        ("- a\n  - b\n  |b|\n  |-|\n- c", "<ul><li>a<ul><li>b</li></ul>{}</li><li>c</li></ul>"),
    ],
)
def test_a_table_behind_a_list_stands_where_its_lines_do(markdown, html):
    assert written(markdown) == html.format("<table><thead><tr><th>b</th></tr></thead></table>")


def test_a_dashed_line_of_an_item_itself_makes_no_table():
    assert written("- a | b\n|-|-|") == "<ul><li>a | b<br>|-|-|</li></ul>"


def test_code_has_its_language_and_coloured_words():
    html = written('```Python title="a.py"\nimport os\n```')
    assert '<pre><code class="language-python"><span class="kn">import</span>' in html


@pytest.mark.parametrize("language", ["python", "json", "sh", "html", "java", "c++", "diff", "yaml"])
def test_colours_leave_the_text_alone(language):
    code = "  if a:\n\n\t<b> &amp; {\"c\": 'd'} \\n  \n"
    html = written(f"```{language}\n{code}```")
    shown = re.sub(r"<[^>]*>", "", html)
    assert shown == code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.parametrize("block", ["p", "h1", "li", "td", "th", "blockquote", "summary"])
def test_each_block_finds_its_own_direction(block):
    text = "a\n\n# a\n\n- a\n\n> a\n\n|a|\n|-|\n|a|\n\n<details><summary>a</summary>a</details>"
    assert f'<{block} dir="auto">' in render_reply(text)


def test_code_is_left_to_right():
    assert "dir" not in render_reply("```\na\n```")

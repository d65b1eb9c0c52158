"""Blocks of code: to the space as they are shown, with their language."""

import pytest

from tests.extension.reading.conftest import Opening

SHOWN = {
    "plain": ("python", "def halves(n):\n    while n > 1:\n        yield n\n\n        n //= 2"),
    "github": ("shell", "make run\nmake test\tARGS=-x"),
    "hljs": ("javascript", "const halves = function* (n) {\n  while (n > 1) yield n;\n};"),
    "lines": ("ts", "interface Halves {\n  from: number;\n\n}"),
    "grid": ("css", "a {\n  color: red;\n}"),
    "sphinx": ("", "one\n  two"),
    "fences": ("md", "```\nfenced\n```"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_code_is_read_as_it_is_shown(opened: Opening, name: str) -> None:
    quote = opened("/documentation.html").item("quote", code={"xpath": f"pre[id={name}]", "digest": ""})
    assert (quote["codeLanguage"], quote["code"]) == SHOWN[name]


def test_the_content_holds_the_code_with_its_indentation(opened: Opening) -> None:
    content = opened("/documentation.html").item("page")["content"]
    for _, code in SHOWN.values():
        assert code in content
    assert "Halves of halves\n    of halves of   halves" in content


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<pre class='language-rust'>x</pre>", "rust"),
        ("<pre><code class='lang-c++'>x</code></pre>", "c++"),
        ("<pre class='hljs go'>x</pre>", "go"),
        ("<pre><code class='hljs'>x</code></pre>", ""),
        (
            "<div class='highlight-python3 notranslate'><div class='highlight'><pre>x</pre></div></div>",
            "python",
        ),
        ("<div class='highlight highlight-text-html-basic'><pre>x</pre></div>", "html"),
        ("<pre class='sourceCode haskell'><code class='sourceCode haskell'>x</code></pre>", "haskell"),
        ("<figure data-language='toml'><pre><code>x</code></pre></figure>", "toml"),
        ("<pre><code class='language-plaintext'>x</code></pre>", ""),
        ("<pre class='notes'>x</pre>", ""),
        (
            "<div class='language-ruby highlighter-rouge'><div class='highlight'><pre><code>x</code></pre></div></div>",
            "ruby",
        ),
    ],
)
def test_class_names_tell_the_language(opened: Opening, html: str, language: str) -> None:
    quote = opened.html(f"<body>{html}").item("quote", code={"xpath": "pre", "digest": "x"})
    assert quote["codeLanguage"] == language


def test_code_set_in_lines_without_pre_is_a_block_too(opened: Opening) -> None:
    reader = opened.html("<body><code style='display: block; white-space: pre'>a:\n  b</code>")
    assert reader.item("quote", code={"xpath": "HTML>body>code", "digest": "a: b"})["code"] == "a:\n  b"


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<b>a</b>\n\n<b>b</b>", "a\n\nb"),
        ("  a<br>\tb<br><br>c", "  a\n\tb\n\nc"),
        ("<div>a</div><div>  b</div>", "a\n  b"),
        ("<div>a\n</div><div>\n</div><div>b</div>", "a\n\nb"),
        ("a\n<!-- note -->  b   \n", "a\n  b   "),
        ("<span style='display: none'>SECRET</span>a", "a"),
        ("<span style='white-space: normal'>a   b</span>", "a b"),
        ("👩‍👩‍👧\u200d\u00a0x", "👩‍👩‍👧\u200d\u00a0x"),
    ],
)
def test_lines_of_code_are_made_in_many_ways(opened: Opening, html: str, code: str) -> None:
    reader = opened.html(f"<body><p>Text</p><pre>{html}</pre>")
    assert reader.item("quote", code={"xpath": "HTML>body>pre", "digest": ""})["code"] == code


def test_code_that_is_not_there_is_no_item(opened: Opening) -> None:
    assert (
        opened("/documentation.html").items("quote", code={"xpath": "pre[id=gone]", "digest": "gone()"}) == []
    )

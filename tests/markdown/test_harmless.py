"""Nothing that a text can say runs, loads or breaks anything."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from askweb.conversations.rendering import render, render_plain, render_reply
from askweb.markdown import rendering
from askweb.markdown.sanitising import sanitised
from askweb.markdown.sharing import Shared

ATTACKS = (
    "<script>alert(1)</script>",
    "<ScRiPt >alert(1)</sCrIpT>",
    "<scr<script>ipt>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    "<b onmouseover=alert(1)>x</b>",
    '<b\nonclick="alert(1)">x</b>',
    "<details ontoggle=alert(1) open>x</details>",
    "<form action=javascript:alert(1)><button>x",
    "<style>@import 'https://e.vil'</style>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;&#x61;vascript&colon;alert(1))",
    "[x](\\javascript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](\x01javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "[x](file:///etc/passwd)",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "![x](javascript:alert(1))",
    "![x](https://e.vil/pixel.png)",
    '![x](x"onerror="alert(1))',
    '[x](https://a.b "\\" onclick=alert(1) x=\\"")',
    "[x](https://a.b'onclick=alert(1)//)",
    'https://a.b/"onclick="alert(1)',
    "<javascript:alert(1)>",
    '<https://a.b/"onclick=alert(1)>',
    '```"onclick=alert(1)\nx\n```',
    "```x onclick=alert(1)><script>\nx\n```",
    "```html\n<script>alert(1)</script>\n```",
    "`<script>alert(1)</script>`",
    "$<script>alert(1)</script>$",
    "$$\n</div><script>alert(1)</script>\n$$",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script>alert(1)</script>",
    "|<script>|\n|-|\n|<img src=x onerror=alert(1)>|",
    "a[^<script>]\n\n[^<script>]: <img src=x onerror=alert(1)>",
    "<!--><script>alert(1)</script>-->",
    "<code><img src=x onerror=alert(1)></code>",
    "<sub><script>alert(1)</script></sub>",
    "\x02wzxhzdk:0\x03 <script>",
    "klzzwxh:0000 <script>",
)
LIVE = "script, style, img, svg, math, iframe, form, button, object, embed, meta, link, base, [style], [src]"
ADDRESS = re.compile(r"https?://|mailto:|#note-")
SIGNS = "\n\n\t  >-+*_~`$\\[]()<>!|:#&;.1=^x中“。\r\x00\x02"
PIECES = st.sampled_from(
    (*ATTACKS, *SIGNS, "```", "$$", "\\[", "\\]", "<details>", "</details>", "<b>", "<!--")
)
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join)


def assert_harmless(html):
    tree = LexborHTMLParser(html)
    assert tree.css(LIVE) == []
    assert [name for node in tree.css("*") for name in node.attributes if name.startswith("on")] == []
    assert [node for node in tree.css("[href]") if not ADDRESS.match(node.attributes["href"])] == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_executable_survives(attack):
    assert_harmless(render_reply(attack))


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_persons_words_are_shown_as_written(attack):
    assert LexborHTMLParser(render_plain(attack)).css("body *:not(p, br)") == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_sanitiser_alone_would_do(attack):
    assert_harmless(sanitised(attack).replace(' href="x"', ""))


@given(TEXTS)
def test_whatever_the_text_it_is_rendered_and_harmless(text):
    assert_harmless(rendering._Renderer().convert(text, Shared()))


@given(TEXTS)
def test_no_control_character_passes(text):
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", render_reply(text))


def test_a_text_that_breaks_the_renderer_is_shown_as_written(monkeypatch, caplog):
    monkeypatch.setattr(rendering, "sanitised", lambda html: 1 / 0)
    assert render_reply("<b>\n*c*\n\nd") == '<p dir="auto">&lt;b&gt;<br>*c*</p>\n\n<p dir="auto">d</p>'
    assert "*c*" not in caplog.messages[0]


def test_after_an_error_texts_are_rendered_again(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(rendering._Renderer, "convert", lambda *_: 1 / 0)
        render_reply("*a*")
    assert render_reply("*a*") == '<p dir="auto"><em>a</em></p>'


def test_only_replies_are_markdown():
    assert render("user", "*a*") == '<p dir="auto">*a*</p>'


@pytest.mark.parametrize("sign", ["> ", "- ", "1. ", "[", "*a **b ", "<b>", "<sub>*", "[^1]", "- > "])
def test_whatever_lies_too_deep_is_shown_literally(sign):
    assert "After." in rendering._Renderer().convert(f"{sign * 2_000}x\n\nAfter.", Shared())

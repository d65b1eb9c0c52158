"""The language beyond the handed cases."""

import pytest

from prompts import handlebars

CONTEXT = {
    "page": {"title": "Tea", "content": "a < b & c", "tags": ["green", "black"]},
    "chat": {"input": "hi"},
    "quotes": [{"text": "one"}, {"text": "two"}],
    "date": "field",
    "zero": 0,
    "yes": True,
    "no": False,
    "template": "{{page.title}} ${page.title}",
}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{page.content}}|{{{page.content}}}|{{&page.content}}", "a < b & c|a < b & c|a < b & c"),
        ("${page.title}|${page/title}|${ page.tags.0 }", "Tea|Tea|green"),
        (r"\${page.title}", "${page.title}"),
        (r"\\${page.title}", r"\Tea"),
        ("${x + 1} ${} ${a..b} ${", "${x + 1} ${} ${a..b} ${"),
        (r"\${x + 1}", r"\${x + 1}"),
        ("$${page.title}{", "$Tea{"),
        ("{{template}}", "{{page.title}} ${page.title}"),
        ("{{page.tags.0}} {{page.tags.[1]}} {{page.tags.length}}", "green black 2"),
        ("{{this.date}}", "field"),
        ("{{#each quotes as |date|}}{{date.text}}{{/each}}", "onetwo"),
        ("{{#each quotes as |q i|}}{{i}}{{q.text}}{{../chat.input}} {{/each}}", "0onehi 1twohi "),
        ("{{#each quotes}}{{#each ../page.tags}}{{@../index}}{{@index}} {{/each}}{{/each}}", "00 01 10 11 "),
        ("{{#if zero includeZero=true}}zero{{/if}}", "zero"),
        ("{{#with zero}}[{{this}}]{{/with}}", "[0]"),
        ("{{#yes}}{{chat.input}}{{/yes}}{{#no}}x{{/no}}{{^no}}y{{/no}}", "hiy"),
        ("{{zero}}{{yes}}{{zero}}", "0true0"),
        ("{{#if no}}1{{else if zero}}2{{else unless no}}3{{else}}4{{/if}}", "3"),
        ("a\r\n{{#if yes}}\r\nb\r\n{{/if}}\r\nc", "a\r\nb\r\nc"),
        (r"\{{page.title}} {{{{yes}}}}{{raw}}{{{{/yes}}}}", "{{page.title}} {{raw}}"),
    ],
)
def test_renders(source, expected):
    assert handlebars.compile(source).render(CONTEXT) == expected


@pytest.mark.parametrize(
    ("source", "partials", "expected"),
    [
        ("{{> p name=page.title}}", {"p": "{{name}}{{chat.input}}"}, "Teahi"),
        ("{{> p page}}", {"p": "{{title}}{{@root.chat.input}}"}, "Teahi"),
        ('{{> (lookup this "date")}}', {"field": "found"}, "found"),
        ("{{#> no}}instead{{/no}}", {}, "instead"),
        ("{{#> p}}{{page.title}}{{/p}}", {"p": "<{{> @partial-block}}>"}, "<Tea>"),
        ("  {{> p}}\nend", {"p": "a\nb\n"}, "  a\n  b\nend"),
        ('{{#*inline "p"}}inner{{/inline}}{{> p}}', {"p": "outer"}, "inner"),
        ("{{> a}}", {"a": "{{> b}}{{> b}}", "b": "b", "broken": "{{#if"}, "bb"),
    ],
)
def test_renders_partials(source, partials, expected):
    assert handlebars.compile(source, partials).render(CONTEXT) == expected


def test_a_chain_of_a_hundred_else_ifs_is_no_deep_nesting():
    source = "{{#if no}}no" + "{{else if no}}no" * 99 + "{{else if (eq n 99)}}found{{/if}}"

    assert handlebars.compile(source).render({"n": 99, "no": False}) == "found"


def test_a_long_template_keeps_its_order():
    source = "".join(f"{{{{#if yes}}}}{index},{{{{/if}}}}" for index in range(1000))

    assert handlebars.compile(source).render(CONTEXT) == "".join(f"{index}," for index in range(1000))

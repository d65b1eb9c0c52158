"""Which variables a template reads, and warnings about unknown ones."""

import pytest

from prompts import handlebars


@pytest.mark.parametrize(
    ("source", "variables"),
    [
        ("{{page.title}} {{chat.input}} {{page.title}}", ("page.title", "chat.input")),
        ("${page.title}{{{quotes.0.text}}}", ("page.title", "quotes.text")),
        ("{{#if page.selection}}{{this.now}}{{/if}}", ("page.selection", "now")),
        (
            "{{#with page}}{{title}}{{../chat.input}}{{@root.now}}{{/with}}",
            ("page", "page.title", "chat.input", "now"),
        ),
        ("{{#each quotes}}{{text}}{{@index}}{{/each}}", ("quotes", "quotes.text")),
        ("{{#each quotes as |q|}}{{q.text}}{{/each}}", ("quotes", "quotes.text")),
        ("{{#quotes}}{{text}}{{else}}{{now}}{{/quotes}}", ("quotes", "quotes.text", "now")),
        ("{{^page}}{{chat.input}}{{/page}}", ("page", "chat.input")),
        (
            "{{#with (lookup stackoverflow.answers 0)}}{{body}}{{/with}}",
            ("stackoverflow.answers", "stackoverflow.answers.body"),
        ),
        ('{{fence page.content "content"}}', ("page.content",)),
        ('{{lookup page "title"}}{{lookup page key}}', ("page", "page.title", "key")),
        ("{{#with page}}{{> name}}{{/with}}", ("page", "page.title")),
        ("{{> name page}}{{> named who=user.name}}", ("page", "page.title", "user.name")),
        ("{{#> named who=user}}{{chat.input}}{{/named}}", ("user", "chat.input")),
        ("{{! {{no}} }}plain", ()),
    ],
)
def test_lists_the_variables_read_in_order(source, variables):
    assert handlebars.compile(source, {"name": "{{title}}", "named": "{{who}}"}).variables == variables


def test_roots_are_the_first_parts():
    assert handlebars.compile("{{page.title}}{{#each quotes}}{{text}}{{/each}}{{page.url}}").roots == (
        "page",
        "quotes",
    )


def test_an_unknown_root_is_a_warning_with_a_suggestion():
    template = handlebars.compile("{{chat.input}}\n {{pgae.title}}", known=frozenset({"page", "chat"}))

    [warning] = template.warnings
    assert (warning.code, warning.line, warning.column) == ("unknown-variable", 2, 4)
    assert warning.hint == "did you mean `page`?"


def test_without_known_roots_there_are_no_warnings():
    assert handlebars.compile("{{pgae.title}}").warnings == ()

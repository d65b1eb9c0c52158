"""What a person is told about a broken template."""

import pytest

from prompts import handlebars
from prompts.handlebars import TemplateError


@pytest.mark.parametrize(
    ("source", "code", "line", "column", "hint"),
    [
        (
            "a\n {{#if t}}\nx",
            "unclosed-block",
            2,
            2,
            "`{{#if` opened in line 2 is never closed: add `{{/if}}`",
        ),
        (
            "{{#a}}{{#each b}}{{/a}}",
            "unclosed-block",
            1,
            7,
            "`{{#each` opened in line 1 is never closed: add `{{/each}}`",
        ),
        ("{{^a}}x", "unclosed-block", 1, 1, "`{{^a` opened in line 1 is never closed: add `{{/a}}`"),
        ("x\n{{/if}}", "unexpected-close", 2, 1, "remove it"),
        ("{{#if t}}x{{/each}}", "mismatched-close", 1, 11, "write `{{/if}}`: it was opened in line 1"),
        ("a {{name", "unclosed-tag", 1, 3, "add the closing braces `}}`"),
        ("a {{b {{c}}", "unclosed-tag", 1, 3, "add the closing braces `}}`"),
        ("{{!-- a }}", "unclosed-comment", 1, 1, "a comment that begins with `{{!--` ends with `--}}`"),
        ("{{{{r}}}} x", "unclosed-raw-block", 1, 1, "a raw block looks like `{{{{r}}}} … {{{{/r}}}}`"),
        ("{{{{r}}}}{{{{/q}}}}", "mismatched-close", 1, 10, "use the same name"),
        ("{{a 'b}}", "unclosed-string", 1, 5, "add the closing '"),
        ("{{a}}}", "mismatched-braces", 1, 4, "begin with `{{{` and end with `}}}`, or `{{` and `}}`"),
        ("{{{a}}", "mismatched-braces", 1, 5, "begin with `{{{` and end with `}}}`, or `{{` and `}}`"),
        ("{{page..title}}", "bad-path", 1, 3, "remove the dot"),
        ("{{page.title.}}", "bad-path", 1, 3, "remove the dot"),
        (
            "{{a/../b}}",
            "bad-path",
            1,
            3,
            "`..` can only begin a path; a field of that name is written `[..]`",
        ),
        (
            "{{a%b}}",
            "unexpected-character",
            1,
            4,
            "a name with special characters is written in brackets: `[like this]`",
        ),
        ("{{}}", "unexpected-end", 1, 3, "a path looks like `page.title`"),
        (
            "{{#each a as |x}}{{/each}}",
            "unexpected-end",
            1,
            16,
            "block parameters look like `as |item index|`",
        ),
        ("{{#if (eq a b}}{{/if}}", "unexpected-end", 1, 14, "close the parenthesis: `)`"),
        ("{{trunkate a 3}}", "unknown-helper", 1, 3, "did you mean `truncate`?"),
        ("{{a.b c}}", "unknown-helper", 1, 3, ""),
        ("{{log a}}", "unknown-helper", 1, 3, ""),
        ("{{if a}}", "needs-block", 1, 3, "`{{#if …}}…{{/if}}`"),
        ("{{#eq a b}}{{/eq}}", "not-a-block", 1, 4, "use its value: `{{#if (eq …)}}`"),
        ("{{date}}", "wrong-arguments", 1, 3, 'write `{{date now "%Y-%m-%d"}}`; the field is `this.date`'),
        ("{{#if a b}}{{/if}}", "wrong-arguments", 1, 4, "write `{{#if page.selection}}`"),
        ("{{#if a b=1}}{{/if}}", "unknown-option", 1, 11, "remove it"),
        ("{{else}}", "unexpected-else", 1, 1, "it belongs between `{{#if …}}` and `{{/if}}`"),
        (
            "{{#if a}}{{else}}{{else}}{{/if}}",
            "unexpected-else",
            1,
            18,
            "only the last part of a block is a plain `else`",
        ),
        ("{{^a}}{{else if b}}{{/a}}", "unexpected-else", 1, 7, "begin with `{{#unless …}}`"),
        ("{{> nme}}", "unknown-partial", 1, 1, "did you mean `name`?"),
        (
            "{{> @partial-block}}",
            "unknown-partial",
            1,
            1,
            "it stands for the text of `{{#> name}}…{{/name}}` inside that partial",
        ),
        ("{{> name a b}}", "wrong-arguments", 1, 12, "name further values: `{{> name title=page.title}}`"),
        ("{{* x}}", "unknown-decorator", 1, 1, 'partials are defined by `{{#*inline "name"}}…{{/inline}}`'),
    ],
)
def test_says_what_is_wrong_and_where(source, code, line, column, hint):
    with pytest.raises(TemplateError) as caught:
        handlebars.compile(source, {"name": ""})

    error = caught.value
    assert (error.code, error.line, error.column, error.hint) == (code, line, column, hint)


def test_all_faults_are_reported_in_order():
    with pytest.raises(TemplateError) as caught:
        handlebars.compile("{{foo a}}\n{{#if}}{{/if}}\n{{a%b}}\n{{#each x}}")

    found = [(fault.code, fault.line) for fault in caught.value.errors]
    assert found == [
        ("unknown-helper", 1),
        ("wrong-arguments", 2),
        ("unexpected-character", 3),
        ("unclosed-block", 4),
    ]


def test_the_error_mirrors_its_first_fault():
    with pytest.raises(TemplateError) as caught:
        handlebars.compile("first line\nsecond {{foo a}} line\r\nthird {{bar b}}")

    error, first = caught.value, caught.value.errors[0]
    assert error.snippet == first.snippet == "second {{foo a}} line"
    assert str(error) == "There is no helper `foo` (line 2, column 10)"


def test_a_fault_in_a_partial_names_the_partial():
    with pytest.raises(TemplateError) as caught:
        handlebars.compile("{{> greeting}}", {"greeting": "hello\n{{#if name}}"})

    assert (caught.value.unit, caught.value.line) == ("greeting", 2)


@pytest.mark.parametrize(
    ("source", "partials"),
    [
        ("{{> a}}", {"a": "{{> a}}"}),
        ("{{> a}}", {"a": "{{> b}}", "b": "{{#if x}}{{> a}}{{/if}}"}),
        ('{{#*inline "a"}}{{> a}}{{/inline}}', {}),
    ],
)
def test_a_partial_that_calls_itself_is_refused(source, partials):
    with pytest.raises(TemplateError) as caught:
        handlebars.compile(source, partials)

    assert caught.value.code == "recursive-partial"


def test_a_partial_unknown_until_rendering_is_an_error_then():
    template = handlebars.compile("\n{{> (lookup this 'name')}}", {"a": "A"})

    with pytest.raises(TemplateError) as caught:
        template.render({"name": "b"})

    assert (caught.value.code, caught.value.line) == ("unknown-partial", 2)

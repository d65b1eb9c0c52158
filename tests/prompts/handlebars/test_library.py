"""The helpers' contracts."""

import datetime as dt
import json
from decimal import Decimal

import pytest

from prompts import handlebars
from prompts.handlebars import HELPERS, TemplateError

CONTEXT = {
    "text": "one\ntwo",
    "empty": "",
    "none": None,
    "zero": 0,
    "one": 1,
    "float": 1.0,
    "list": ["a", "b", 3],
    "nothing": [],
    "page": {"title": "Tea ☕", "n": 1.5},
    "evil": "a </content> b < / CONTENT x> <content> </contents> c",
    "hidden": "<\u200b/content>",
    "family": "ab👩‍👩‍👧",
    "flags": "🇩🇪🇫🇷",
    "accent": "ae\u0301",
    "now": "2026-03-04T15:06:07+02:00",
    "utc": "2026-03-04T15:06:07Z",
    "day": dt.date(2026, 3, 4),
    "moment": dt.datetime(2026, 3, 4, 0, 5, tzinfo=dt.UTC),
}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '{{eq one 1}} {{eq one "1"}} {{eq one float}} {{eq none missing}} {{eq one true}}',
            "true false true true false",
        ),
        ("{{ne one 1}} {{ne text empty}}", "false true"),
        ("{{and one text}}|{{and one empty text}}", "one\ntwo||".removesuffix("|")),
        ("{{or empty zero text}}|{{or empty zero}}", "one\ntwo|0"),
        ("{{not nothing}} {{not one}}", "true false"),
        ('{{default empty "x"}}{{default nothing "y"}}{{default zero "z"}}{{default missing 5}}', "xy05"),
        ('{{join list}}|{{join list "/"}}|{{join text "/"}}|{{join missing}}', "a, b, 3|a/b/3|one\ntwo|"),
        ('{{truncate text 3}}|{{truncate text 7}}|{{truncate text 0 "."}}', "one…|one\ntwo|."),
        ('{{truncate family 3 ""}}|{{truncate flags 3 ""}}|{{truncate accent 2 ""}}', "ab|🇩🇪|a"),
        ("{{quote text}}|{{quote empty}}|{{quote zero}}", "> one\n> two||> 0"),
        ('{{fence text "content"}}', "<content>one\ntwo</content>"),
        (
            '{{fence evil "content"}}',
            "<content>a &lt;/content> b &lt; / CONTENT x> &lt;content> </contents> c</content>",
        ),
        ('{{fence hidden "content"}}', "<content>&lt;\u200b/content></content>"),
        ("{{date now}}|{{date day}}|{{date missing}}|{{date text}}", "2026-03-04|2026-03-04||one\ntwo"),
        ('{{date now "%e %B %Y, %H:%M %z"}}', "4 March 2026, 15:06 +02:00"),
        (
            '{{date utc "%a %A %b %y %m %d %I %M %S %p %j %%"}}',
            "Wed Wednesday Mar 26 03 04 03 06 07 PM 063 %",
        ),
        ('{{date moment "%I %p"}}', "12 AM"),
        ('{{plural one "quote" "quotes"}} {{plural list.length "quote" "quotes"}}', "quote quotes"),
        ('{{plural list "item" "items"}} {{plural float "item" "items"}}', "items item"),
        ('{{lookup page "title"}} {{lookup list 1}} {{lookup list 9}}', "Tea ☕ b "),
        ('{{truncate (join list (default empty "-")) 3}}', "a-b…"),
    ],
)
def test_helpers(source, expected):
    assert handlebars.compile(source).render(CONTEXT) == expected


def test_json_keeps_characters_and_says_null_for_what_is_no_data():
    value = {
        "t": "☕",
        "list": [1, 1.0, 1.5, True, None, float("nan")],
        "call": print,
        "day": dt.date(2026, 3, 4),
    }

    rendered = handlebars.compile("{{json value}}").render({"value": value})

    assert rendered == '{"t": "☕", "list": [1, 1, 1.5, true, null, null], "call": null, "day": "2026-03-04"}'


def test_json_can_be_indented():
    rendered = handlebars.compile("{{json page 2}}").render(CONTEXT)

    assert rendered == json.dumps(CONTEXT["page"], indent=2, ensure_ascii=False)


@pytest.mark.parametrize(
    "source",
    [
        '{{truncate text "x"}}',
        "{{truncate text -1}}",
        "{{truncate text 1.5}}",
        "{{json page 9}}",
        '{{fence text "a b"}}',
        '{{fence text "><"}}',
        "{{fence text missing}}",
        '{{date now "%Q"}}',
        '{{date now "%"}}',
    ],
)
def test_helpers_refuse_arguments_they_cannot_use(source):
    with pytest.raises(TemplateError) as caught:
        handlebars.compile("\n " + source).render(CONTEXT)

    assert (caught.value.code, caught.value.line, caught.value.column) == ("bad-argument", 2, 2)


@pytest.mark.parametrize("name", HELPERS)
def test_every_helper_counts_its_arguments_when_compiled(name):
    too_many = " ".join(["a"] * 9) if HELPERS[name].most else ""

    with pytest.raises(TemplateError) as caught:
        handlebars.compile(f"{{{{{name} {too_many}}}}}")

    assert caught.value.code == "wrong-arguments"


@pytest.mark.parametrize("name", HELPERS)
def test_every_helper_documents_its_contract(name):
    assert (HELPERS[name].function.__doc__ or "").startswith(f"`{name} ")


@pytest.mark.parametrize("number", [float("nan"), Decimal("NaN"), Decimal("sNaN")])
@pytest.mark.parametrize(
    "template", ["{{#if x}}yes{{else}}no{{/if}}", "{{#with x}}yes{{else}}no{{/with}}", '{{default x "no"}}']
)
def test_what_is_no_number_is_no(template: str, number: object) -> None:
    assert handlebars.compile(template).render({"x": number}) == "no"

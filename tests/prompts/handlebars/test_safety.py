"""No template and no data runs code, reads attributes, hangs, or raises anything but TemplateError."""

import gc
import linecache
import re
import sys
import threading
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts import handlebars
from prompts.handlebars import TemplateError
from prompts.handlebars.emitting import Table, python_source
from prompts.handlebars.units import read_units


class Secret:
    """Something that should not be in data; every way of reading it is noticed."""

    touched = False

    def __call__(self, *args):
        type(self).touched = True
        return "SECRET"

    def __str__(self):
        return self()

    def __getitem__(self, name):
        return self()

    def __len__(self):
        self()
        return 1

    password = "SECRET"


CONTEXT = {
    "secret": Secret(),
    "call": print,
    "text": "text",
    "list": list(range(150_000)),
    "big": "x" * 100_000,
    "dict": {"__class__": "a field", "keys": "K"},
    "nested": [Secret(), {"s": Secret()}],
}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{text.__class__}}{{__class__}}{{__proto__}}{{constructor.name}}", ""),
        ("{{dict.__class__}}|{{dict.keys}}|{{dict.items}}|{{list.append}}", "a field|K||"),
        ("{{text.upper}}{{text.format}}{{lookup text 'format'}}", ""),
        ("{{secret}}{{secret.password}}{{secret.[0]}}{{secret.length}}", ""),
        ("{{#if secret}}yes{{else}}no{{/if}}{{#if call}}yes{{else}}no{{/if}}", "nono"),
        ("{{#secret}}yes{{/secret}}{{#each secret}}yes{{/each}}{{#with secret}}yes{{/with}}", ""),
        ("{{call}}{{#call}}yes{{/call}}", ""),
        (
            "{{nested}}|{{join nested}}|{{json nested}}",
            ',[object Object]|, [object Object]|[null, {"s": null}]',
        ),
        ("{{#each nested}}[{{this}}{{s}}]{{/each}}", "[][[object Object]]"),
        ('{{#with "{0.__class__}"}}{{format}}{{/with}}', ""),
        ("{{[')or __import__('os').abort()or(']}}", ""),
        ("{{'\\n__import__(\"os\").abort()'}}", ""),
        ("{{#if true}}\"\"\"'''\\n\\x00{{/if}}", "\"\"\"'''\\n\\x00"),
        ("{{@root.__init__.__globals__}}{{@_parent}}{{@index.real}}{{this.__dict__}}", ""),
        ("{{../../../../x}}{{@../../index}}", ""),
    ],
)
def test_sees_data_only(source, expected):
    rendered = handlebars.compile(source).render(CONTEXT)

    assert (rendered, Secret.touched) == (expected, False)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("{{__import__ 'os'}}", "unknown-helper"),
        ("{{__lookupGetter__ this}}", "unknown-helper"),
        ("{{helperMissing}}", "unknown-helper"),
        ("{{#blockHelperMissing}}{{/blockHelperMissing}}", "unknown-helper"),
        ("{{resolve text}}", "unknown-helper"),
        ("{{show 0 1}}", "unknown-helper"),
        ("{{#*log}}{{/log}}", "unknown-decorator"),
        ("{{#if a}} {{/if}} " * 100_000, "too-large"),
        ("{{#if a}}" * 51 + "{{/if}}" * 51, "too-deep"),
        ("{{#if a}}" + "{{else if a}}" * 200 + "{{/if}}", "too-deep"),
        ("{{#if " + "(not " * 60 + "a" + ")" * 60 + "}}{{/if}}", "too-deep"),
        ("{{" + "a." * 60 + "a}}", "too-deep"),
        ("{{a " + "(" * 60_000, "unclosed-tag"),
        ("{{" + " " * 60_000, "unclosed-tag"),
        ('{{a "' + '\\"' * 30_000, "unclosed-tag"),
        ("{{!--" * 10_000, "unclosed-comment"),
        ("{{{{a}}}}" + "{{{{b" * 10_000, "unclosed-raw-block"),
    ],
)
def test_refuses_attacks_when_compiling(source, code):
    with pytest.raises(TemplateError) as caught:
        handlebars.compile(source)

    assert code in {fault.code for fault in caught.value.errors}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("{{#each list}}{{this}}{{/each}}", "too-many-steps"),
        ("{{#each list}}{{#each ../list}}x{{/each}}{{/each}}", "too-many-steps"),
        ("{{#each list}}{{#if (fence ../big 'a')}}{{/if}}{{/each}}", "too-many-steps"),
        ("{{#each list}}{{../big}}{{/each}}", "too-much-output"),
        ("{{join list big}}", "too-much-output"),
        ("{{> (lookup this 'again')}}", "too-deep"),
        ('{{#*inline "a"}}{{> b}}{{/inline}}{{#*inline "b"}}{{> a}}{{/inline}}{{> a}}', "too-deep"),
        ("{{loop}}", "too-deep"),
        ("{{json loop}}", "too-deep"),
        ("{{json bomb}}", "too-many-steps"),
        ("{{bomb}}", "too-many-steps"),
    ],
)
def test_stops_attacks_when_rendering(source, code):
    loop: list[object] = []
    loop.append(loop)
    bomb: list[object] = ["x"]
    for _ in range(40):
        bomb = [bomb, bomb]
    template = handlebars.compile(source, {"again": "{{> (lookup this 'again')}}"})

    with pytest.raises(TemplateError) as caught:
        template.render({**CONTEXT, "again": "again", "loop": loop, "bomb": bomb})

    assert caught.value.code == code


def test_the_largest_output_is_allowed():
    text = "x" * (8 * 1024 * 1024)

    assert handlebars.compile("{{text}}").render({"text": text}) == text


def test_output_is_measured_in_bytes():
    with pytest.raises(TemplateError) as caught:
        handlebars.compile("{{text}}").render({"text": "汉" * (3 * 1024 * 1024)})

    assert caught.value.code == "too-much-output"


def test_generated_python_holds_no_word_of_the_template():
    source = (
        '{{#if zebra}}yak {{zebra.gnu "no"}}{{/if}}'.replace(' "no"', "")
        + '{{> okapi a="eland"}}{{lookup zebra "ibex"}}'
    )
    units = read_units(source, {"okapi": "lemur {{tapir}}"})[1]

    code = "".join(python_source(unit, Table()) for unit in units)

    assert not re.search("zebra|yak|gnu|okapi|eland|ibex|lemur|tapir", code)


def test_compiling_leaves_nothing_behind():
    handlebars.compile("{{a}}")
    before = len(sys.modules), len(linecache.cache)
    gone = weakref.ref(handlebars.compile("{{#if a}}b{{/if}}")._programs[""])
    gc.collect()

    assert (len(sys.modules), len(linecache.cache), gone()) == (*before, None)


def test_eight_threads_compile_at_once_and_get_their_own_programs():
    results: dict[int, set[str]] = {}

    def work(number: int) -> None:
        source = f"{number}{{{{#each list}}}}{{{{this}}}}{number}{{{{/each}}}}"
        results[number] = {handlebars.compile(source).render({"list": ["a", "b"]}) for _ in range(20)}

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == {number: {f"{number}a{number}b{number}"} for number in range(8)}


FRAGMENTS = (
    *("{{", "}}", "{{{", "}}}", "{{{{", "}}}}", "{{#", "{{/", "{{^", "{{>", "{{#>", "{{~", "~}}"),
    *("{{else", "{{else}}", "{{^}}", "{{!", "{{!--", "--}}", "${", "}", "\\", '"', "'", "[", "]"),
    *("(", ")", "|", "as |x|", "=", ".", "..", "/", "@", " ", "\n", "a", "list", "this", "true", "1"),
    *("if", "each", "with", "unless", "eq", "join", "json", "fence", "date", "p", "-1.5"),
    *("{{#if a}}", "{{/if}}", "{{#each list}}", "{{/each}}", '{{#*inline "q"}}', "{{/inline}}"),
    *("{{> p}}", "{{> @partial-block}}"),
)
TEXTS = st.text() | st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(source=TEXTS, partial=TEXTS, value=VALUES)
def test_any_text_renders_or_is_a_template_error(source, partial, value):
    assert type(outcome(source, partial, {"a": value, "list": [value]})) in {str, TemplateError}


def outcome(source, partial, context):
    try:
        return handlebars.compile(source, {"p": partial}).render(context)
    except TemplateError as error:
        return error

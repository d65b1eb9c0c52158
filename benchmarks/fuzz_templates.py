"""Feeds the template engine random, grown and mutated templates with random data; stops at the first broken promise.

    python benchmarks/fuzz_templates.py --seconds 300 --seed 7

Promises: nothing but text or a TemplateError comes out, whatever the template and the data; the same comes out
twice; an error says where; text is at most 8 MiB; no compile takes over 5 s of CPU. A rendering may take 30 s: its own
limit is in steps. A failure prints the seed, and template, partials and data as Python.
"""

import argparse
import math
import random
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from prompts.handlebars import HELPERS, Template, TemplateError, load_engine
from prompts.handlebars import compile as compile_template

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"


def _words(text: str) -> list[str]:
    return text.split()


SHIPPED: Sequence[str] = (
    *(tool["hbs"] for tool in tomllib.loads((PROMPTS / "default-tools.toml").read_text("utf-8")).values()),
    (PROMPTS / "system.hbs").read_text("utf-8"),
)
NAMES = ("page", "title", "content", "quotes", "chat", "input", "list", "number", "odd", "x", "length", "0")
PATHS: Sequence[str] = (
    *_words("this . .. ../x ../../page ./title this.x @root.page @index @key @../index @first @last @x"),
    *_words("page.[0] quotes.0.text quotes.[1] page/title x.y.z 数"),
    "[a b]",
    *NAMES,
)
LITERALS: Sequence[str] = (
    *_words(""""text" 'it' "" 0 -1 1.5 99999999999 true false null undefined"""),
    '"%Y %q"',
)
BLOCKS = ("if", "unless", "each", "with")
TAILS = ("",) * 20 + (" as |a|", " as |x y|", " includeZero=true", " x=1", " page")
SPLICES: Sequence[str] = (
    *_words(
        "{{ }} {{{ }}} {{{{ }}}} {{# {{/ {{^ {{else}} {{> {{#> {{& {{~ ~}} {{! {{!-- --}} {{* ${ ${x} $ }"
    ),
    *_words("{{{{raw}}}} {{{{/raw}}}} {{/inline}} {{/if}} {{/each}} {{> a}} \\ \\\\ \\{{ ( ) | = @ .. / [ ]"),
    *("{{else if x}}", "{{#if x}}", "{{#each list}}", "{{#with page}}", '{{#*inline "a"}}', "{{> b x}}"),
    *("{{> @partial-block}}", "{{> (lookup x 0)}}", " as |", '"', "'", "\n", "\r\n", " ", "\t", "\x00"),
    *("\u2028", "\ufeff", "\ud83d", "é", "数", "😀", "[" * 500, "x." * 99, "(not " * 60, "../" * 60),
    *("{{#if x}}" * 60, "{{else if x}}" * 99),
)
FAMILIES = ("soup", "grown", "repeated", "shipped", "grown, mutated", "shipped, mutated")
DATA: Sequence[object] = (
    *("", "text", "a\nb", "</content>", "{{x}}", "\ud83d", "e\u0301👩‍💻" * 9, "2026-01-02", "w " * 50_000),
    *(
        0,
        1,
        -1,
        1.0,
        1e300,
        1e-7,
        10**400,
        math.nan,
        math.inf,
        Decimal("1e-40"),
        Decimal("NaN"),
        Decimal("sNaN"),
    ),
    *(None, True, False, date(1, 1, 1), datetime(2026, 1, 2, tzinfo=UTC), object(), len, b"b", [], {}, ()),
)
LONGEST, LONGEST_COMPILE, LONGEST_RENDER = 65_000, 5, 30
MOST_OUTPUT = 8 * 1024 * 1024
STOPPED = "\x00stopped: "

Data = dict[str, object]


class Broken(AssertionError):
    """A promise that the engine didn't keep."""


@dataclass
class Tally:
    """What came out: `texts`, `refused` by compiling and `stopped` while rendering, by the first fault's code."""

    tried: Counter[str] = field(default_factory=Counter)
    texts: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    stopped: Counter[str] = field(default_factory=Counter)
    slowest_compile: float = 0
    slowest_render: float = 0


def fuzz(seconds: float, seed: int) -> Tally:
    """Try templates until the time is over; raises `Broken` at the first broken promise."""
    chance, tally = random.Random(seed), Tally()  # noqa: S311 - it has to be repeatable
    load_engine()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        family = chance.choice(FAMILIES)
        source = _source(family, chance)
        partials = {name: _body(chance, 4) for name in ("a", "b", "page")[: chance.choice((0, 1, 3, 3, 3))]}
        data = _data(chance)
        try:
            _check(source, partials, data, tally)
        except Exception as error:
            count = tally.tried.total()
            shown = f"{source!r}\n{partials!r}\n{data!r}"
            raise Broken(f"seed {seed}, template {count} ({family}): {error!r}\n{shown}") from error
        tally.tried[family] += 1
    return tally


def _source(family: str, chance: random.Random) -> str:
    if family == "soup":
        return "".join(chance.choice((*SPLICES, *PATHS, *LITERALS)) for _ in range(chance.randrange(40)))
    if family == "repeated":
        piece = _piece(chance, 2)
        return (piece * chance.choice((9, 99, 999, 9999)))[:LONGEST]
    text = chance.choice(SHIPPED) if family.startswith("shipped") else _body(chance, 4)
    if family.endswith("mutated"):
        for _ in range(chance.choice((1, 1, 2, 3, 5, 9))):
            text = _mutated(text, chance)
    return text


def _mutated(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    end = at + chance.choice((0, 1, 1, 2, 5, 20))
    match chance.randrange(4):
        case 0:
            return text[:at] + text[end:]
        case 1:
            return text[:at] + chance.choice((*SPLICES, *PATHS, *LITERALS)) + text[end:]
        case 2:
            return text[:at] + _piece(chance, 2) + text[at:]
        case _:
            other = chance.choice(SHIPPED)
            start = chance.randrange(len(other))
            return text[:at] + other[start : start + chance.randrange(200)] + text[at:]


def _body(chance: random.Random, depth: int) -> str:
    return "".join(_piece(chance, depth) for _ in range(chance.randrange(6)))


def _piece(chance: random.Random, depth: int) -> str:
    kind = chance.randrange(12) if depth else chance.randrange(5)
    match kind:
        case 0 | 1:
            return chance.choice((" ", "\n", "word ", "\n  \n", "{ }", "$x", "<b>&</b>", "数😀", "\\"))
        case 2:
            return "${" + chance.choice(PATHS) + "}"
        case 3 | 4 | 5:
            return _output(chance)
        case 6 | 7 | 8 | 9:
            return _block(chance, depth - 1)
        case _:
            return _partial(chance, depth - 1)


def _output(chance: random.Random) -> str:
    opening, close = chance.choice(
        (("{{", "}}"), ("{{", "}}"), ("{{{", "}}}"), ("{{&", "}}"), ("{{~", "~}}"))
    )
    return opening + chance.choice((_value, _call))(chance, 2) + close


def _block(chance: random.Random, depth: int) -> str:
    name, sign = chance.choice(BLOCKS), chance.choice("####^")
    left, right = chance.choice(("", "", "~")), chance.choice(("", "", "~"))
    head = f"{{{{{left}{sign}{name} {_value(chance, 2)}{chance.choice(TAILS)}{right}}}}}"
    chains = "".join(
        f"{{{{else if {_value(chance, 1)}}}}}{_body(chance, depth)}"
        for _ in range(chance.choice((0, 0, 1, 3)))
    )
    other = (
        f"{{{{{chance.choice(('else', '^', '~else~'))}}}}}{_body(chance, depth)}"
        if chance.random() < 0.4
        else ""
    )
    return f"{head}{_body(chance, depth)}{chains}{other}{{{{/{name}}}}}"


def _partial(chance: random.Random, depth: int) -> str:
    name = chance.choice(("a", "b", "page", '"a"', "@partial-block", "(lookup x 0)"))
    match chance.randrange(5):
        case 0:
            return f'{{{{#*inline "{chance.choice("abc")}"}}}}{_body(chance, depth)}{{{{/inline}}}}'
        case 1:
            return f"{{{{#> {name}}}}}{_body(chance, depth)}{{{{/{name}}}}}"
        case 2:
            return f"{{{{!-- {_body(chance, depth)} --}}}}"
        case _:
            return f"{{{{> {name} {chance.choice(('', '', 'page', 'x=1'))}}}}}"


def _value(chance: random.Random, depth: int) -> str:
    if depth and chance.random() < 0.3:
        return f"({_call(chance, depth - 1)})"
    return chance.choice(LITERALS if chance.random() < 0.2 else PATHS)


def _call(chance: random.Random, depth: int) -> str:
    name, helper = chance.choice(list(HELPERS.items()))
    count = chance.randint(helper.least, helper.most or helper.least + 2)
    return " ".join([name, *(_value(chance, depth) for _ in range(count))])


def _data(chance: random.Random) -> Data:
    keys = (*NAMES, "a b", "数", "y", "text", 0, None)
    return {key: _datum(chance, 3) for key in keys if chance.random() < 0.7}  # type: ignore[misc]


def _datum(chance: random.Random, depth: int) -> object:
    match chance.randrange(7 if depth else 4):
        case 0 | 1 | 2:
            return chance.choice(DATA)
        case 3:
            return chance.choice((_nested(60), _cyclic(), list(range(300))))
        case 4 | 5:
            return [_datum(chance, depth - 1) for _ in range(chance.randrange(5))]
        case _:
            names = chance.sample((*NAMES, "text"), chance.randrange(6))
            return {name: _datum(chance, depth - 1) for name in names}


def _nested(depth: int) -> object:
    value: object = "deep"
    for _ in range(depth):
        value = [value]
    return value


def _cyclic() -> object:
    value: list[object] = [1]
    value.append({"x": value})
    return value


def _check(source: str, partials: Mapping[str, str], data: Data, tally: Tally) -> None:
    try:
        template = _compiled(source, partials, tally)
    except TemplateError as error:
        tally.refused[_code(error)] += 1
        return
    first, again = _rendered(template, data, tally), _rendered(template, data, tally)
    if first != again:
        raise Broken(f"first {first!r:.500}, then {again!r:.500}")
    if first.startswith(STOPPED):
        tally.stopped[first.removeprefix(STOPPED)] += 1
    else:
        tally.texts += 1


def _compiled(source: str, partials: Mapping[str, str], tally: Tally) -> Template:
    start = time.process_time()
    with _at_most(LONGEST_COMPILE, "compiling"):
        try:
            return compile_template(source, partials, frozenset(NAMES))
        finally:
            tally.slowest_compile = max(tally.slowest_compile, time.process_time() - start)


def _rendered(template: Template, data: Data, tally: Tally) -> str:
    start = time.process_time()
    try:
        with _at_most(LONGEST_RENDER, "rendering"):
            text = template.render(data)
    except TemplateError as error:
        return STOPPED + _code(error)
    finally:
        tally.slowest_render = max(tally.slowest_render, time.process_time() - start)
    if type(text) is not str or len(text.encode("utf-8", "surrogatepass")) > MOST_OUTPUT:
        raise Broken(f"{type(text)} of {len(text)} characters came out")
    return text


def _code(error: TemplateError) -> str:
    for fault in error.errors:
        if not (
            fault.code
            and fault.message
            and fault.line >= 1
            and fault.column >= 1
            and len(fault.snippet) <= 80
        ):
            raise Broken(f"an error that doesn't say where: {fault!r}")
    return error.code


@contextmanager
def _at_most(seconds: float, what: str) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Broken(f"{what} took over {seconds:g} s of CPU")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="default: a new one each time, and printed")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(1_000_000) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    tally = fuzz(arguments.seconds, seed)
    print(
        f"{tally.tried.total()} templates in {arguments.seconds:g} s, every promise kept: {dict(tally.tried)}"
    )
    print(f"{tally.texts} rendered; stopped: {dict(tally.stopped)}; refused: {dict(tally.refused)}")
    print(
        f"slowest compile {tally.slowest_compile:.2f} s, slowest rendering {tally.slowest_render:.2f} s of CPU"
    )


if __name__ == "__main__":
    main()

"""CPU for compiling a template and for rendering it, beside handlebars.js under node with the same templates.

Everything is warm, but each assembled post has a page that was never seen before. handlebars.js (precompiled and
evaluated, not escaping, the text flattened as sending it would do) is installed into a temporary directory, and left
out where that can't be done; both have to make the same text. node's CPU is that of all its threads. The assembly of
a post has no counterpart. It measures and judges nothing.

    python benchmarks/prompts.py --rounds 5

Another script imports `measure` from `benchmarks.prompts`, with the directory above first in `sys.path`: the name
`prompts` alone is the package's.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")

import django

django.setup()

from askweb.conversations.envelope import Item  # noqa: E402
from prompts.assembling import Building, assemble_within  # noqa: E402
from prompts.budgeting import Budget  # noqa: E402
from prompts.handlebars import compile as compile_template  # noqa: E402
from prompts.models import TemplateVersion, Tool  # noqa: E402
from prompts.system import render_system  # noqa: E402
from prompts.variables import Asking  # noqa: E402

TOOLS = Path(__file__).resolve().parent.parent / "prompts/default-tools.toml"
HANDLEBARS = "4.7.8"
SIZES = {"0.2 KB": 200, "2 KB": 2_000, "20 KB": 20_000}
PLAIN, DENSE = "of the page tool", "2 KB"
PAGES = {"10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000}
FITS = 1_000_000
"""Tokens of a window that all of the page goes into."""
HEAD = (
    "{{#if page.content}}\n<content>{{page.content}}</content>\n{{else}}\nNo page.\n{{/if}}\n{{chat.input}}\n"
)
SECTION = (
    "{{#if page.title}}\nIt stands on the page “{{page.title}}”.\n{{else if page.url}}\n{{page.url}}\n{{/if}}\n"
    "{{#each quotes}}\n{{@index}}. {{text}} <{{../page.url}}>\n{{/each}}\nAnswer in {{chat.language}}, in few words.\n"
)
PARAGRAPH = "The quick brown fox & the lazy dog are <b>not</b> escaped here, “whatever” it says: 上.\n"
LEAST = 0.02
"""Seconds of CPU that a round takes: what is quicker is done again and again."""
POSTS = 20
"""Assembled in a round."""
SCRIPT = """
const Handlebars = require("handlebars"), {createHash} = require("crypto");
const {rounds, least, templates, data} = JSON.parse(require("fs").readFileSync(0, "utf8"));
Handlebars.registerHelper({
  eq: (left, right) => left === right,
  or: (left, right) => left || right,
  default: (value, fallback) => value || fallback,
  fence: (text, tag) => {
    const unseen = String.raw`[\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff]*`;
    const inner = new RegExp(`<(?=${unseen}(?:/${unseen})?${tag}(?![A-Za-z0-9_-]))`, "gi");
    return `<${tag}>${text.replace(inner, "&lt;")}</${tag}>`;
  },
});
const compile = source => Handlebars.template(eval("(" + Handlebars.precompile(source, {noEscape: true}) + ")"));
const render = (template, values) => { const text = template(values); text.charCodeAt(0); return text; };
const batch = (work, count) => {
  const start = process.cpuUsage();
  for (let number = 0; number < count; number++) work();
  const {user, system} = process.cpuUsage(start);
  return (user + system) / 1e6;
};
const measure = work => {
  let count = 1;
  while (batch(work, count) < least) count *= 2;
  return Array.from({length: rounds}, () => batch(work, count) / count);
};
const taken = {}, texts = {};
for (const [size, source] of Object.entries(templates)) {
  taken["compile " + size] = measure(() => compile(source));
  const template = compile(source);
  for (const [page, values] of Object.entries(data)) {
    const name = `render ${size}, page of ${page}`;
    taken[name] = measure(() => render(template, values));
    texts[name] = createHash("sha256").update(template(values)).digest("hex");
  }
}
console.log(JSON.stringify({node: process.version, taken, texts}));
"""

Data = dict[str, object]


@dataclass
class Results:
    """Seconds of CPU each time took, by what was done, and the hash of each text that came out."""

    taken: dict[str, Sequence[float]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    node: str = ""


@dataclass(frozen=True)
class Times:
    """Of the template that ships for pages, and of one of 2 KB that is dense with tags."""

    plain: float
    dense: float


@dataclass(frozen=True)
class Assembly:
    """Medians of CPU with a page of 100 KB that fits; those of handlebars.js, for rendering, where it can be run."""

    milliseconds_assembly: Times
    milliseconds_rendering: Times
    milliseconds_handlebars_js: Times | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each kind (5)")
    rounds = parser.parse_args().rounds
    print(_machine())
    ours, theirs = _measure_rendering(_templates(), PAGES, rounds)
    if theirs.node:
        print(f"handlebars.js {HANDLEBARS}, node {theirs.node}")
    _show(ours.taken | _measure_assembly(rounds), theirs.taken, rounds)


def measure(runs: int) -> Assembly:
    """Take some ten seconds, most of them for installing handlebars.js; `runs` are measurements of each kind.

    Where handlebars.js can't be run, that is said on standard error.
    """
    templates = {name: source for name, source in _templates().items() if name in (PLAIN, DENSE)}
    ours, theirs = _measure_rendering(templates, {"100 KB": PAGES["100 KB"]}, runs)
    return Assembly(
        _times({name: _assembling(source, FITS, runs) for name, source in templates.items()}),
        _times(ours.taken, "render {}, page of 100 KB"),
        _times(theirs.taken, "render {}, page of 100 KB") if theirs.taken else None,
    )


def _times(taken: dict[str, Sequence[float]], name: str = "{}") -> Times:
    return Times(*(median(taken[name.format(each)]) * 1e3 for each in (PLAIN, DENSE)))


def _templates() -> dict[str, str]:
    shipped = tomllib.loads(TOOLS.read_text("utf-8"))["page"]["hbs"]
    return {name: _template(size) for name, size in SIZES.items()} | {PLAIN: shipped}


def _template(size: int) -> str:
    """At most so many bytes: the page once, then sections that use the rest, then words."""
    sections = SECTION * ((size - _bytes(HEAD)) // _bytes(SECTION))
    return HEAD + sections + "x" * (size - _bytes(HEAD + sections))


def _data(size: int) -> Data:
    page = {"title": "A & B", "url": "https://example.org/?a=1&b=2", "content": _page(size)}
    quotes = [{"text": f"quote <{number}>"} for number in range(3)]
    return {"page": page, "quotes": quotes, "chat": {"input": "Why?", "language": "中文"}}


def _page(size: int) -> str:
    return PARAGRAPH * (size // _bytes(PARAGRAPH))


def _bytes(text: str) -> int:
    return len(text.encode())


def _measure_rendering(
    templates: dict[str, str], pages: dict[str, int], rounds: int
) -> tuple[Results, Results]:
    """Ours, and those of handlebars.js, which makes the same texts."""
    data = {name: _data(size) for name, size in pages.items()}
    ours = _measure_ours(templates, data, rounds)
    theirs = _measure_theirs(templates, data, rounds)
    for name, text in theirs.texts.items():
        assert text == ours.texts[name], f"{name}: not the same text"
    return ours, theirs


def _measure_ours(templates: dict[str, str], data: dict[str, Data], rounds: int) -> Results:
    results = Results()
    for size, source in templates.items():
        results.taken[f"compile {size}"] = _measure(lambda source=source: compile_template(source), rounds)
        template = compile_template(source)
        for page, values in data.items():
            name = f"render {size}, page of {page}"
            results.taken[name] = _measure(lambda values=values, it=template: it.render(values), rounds)
            results.texts[name] = hashlib.sha256(template.render(values).encode()).hexdigest()
    return results


def _measure_assembly(rounds: int) -> dict[str, Sequence[float]]:
    templates = _templates()
    return {
        "assemble a post, 100 KB, it fits": _assembling(templates[PLAIN], FITS, rounds),
        "assemble a post, 100 KB, cut to 16K tokens": _assembling(templates[PLAIN], 16_384, rounds),
        "the same with the template of 2 KB, it fits": _assembling(templates[DENSE], FITS, rounds),
    }


def _assembling(source: str, window: int, rounds: int) -> list[float]:
    """A post's first turn by this template, with its system message; nothing is stored."""
    tool = Tool(slug="page", name="Page", published=TemplateVersion(pk=1, number=1, source=source))
    asking = Asking("Why?", "English", True, "Ada", "English", datetime(2026, 1, 2, tzinfo=UTC))

    def assemble() -> float:
        items = _items()
        start = time.process_time()
        budget = Budget(window)
        make = Building(tool, asking, items, budget.estimator).turn
        assemble_within(budget, render_system(asking), [], make)
        return time.process_time() - start

    assemble()
    return [sum(assemble() for _ in range(POSTS)) / POSTS for _ in range(rounds)]


def _items() -> list[Item]:
    """With a page that is new to what is remembered of texts."""
    content = f"{uuid4()} {_page(100_000)}"
    return [Item("page", {"title": "A & B", "url": "https://example.org/", "content": content})]


def _measure(work: Callable[[], object], rounds: int) -> list[float]:
    count = 1
    while _batch(work, count) < LEAST:  # which warms up, too
        count *= 2
    return [_batch(work, count) / count for _ in range(rounds)]


def _batch(work: Callable[[], object], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - start


def _measure_theirs(templates: dict[str, str], data: dict[str, Data], rounds: int) -> Results:
    """Nothing where there is no node, no npm or no network, and says so."""
    order = json.dumps({"rounds": rounds, "least": LEAST, "templates": templates, "data": data})
    with tempfile.TemporaryDirectory() as directory:
        install = ["npm", "install", "--silent", "--prefix", directory, f"handlebars@{HANDLEBARS}"]
        modules = os.environ | {"NODE_PATH": f"{directory}/node_modules"}
        try:
            subprocess.run(install, check=True, capture_output=True, timeout=20)
            run = ["node", "-e", SCRIPT]
            done = subprocess.run(
                run, check=True, capture_output=True, timeout=30, input=order, text=True, env=modules
            )
        except (OSError, subprocess.SubprocessError) as error:
            message = f"handlebars.js is left out, it could not be installed or run: {error!s:.200}"
            print(message, file=sys.stderr)
            return Results()
    found = json.loads(done.stdout)
    return Results(found["taken"], found["texts"], found["node"])


def _show(ours: dict[str, Sequence[float]], theirs: dict[str, Sequence[float]], rounds: int) -> None:
    print(f"Milliseconds of CPU: median of {rounds} rounds (lowest to highest).\n")
    print(f"{'':<44}{'AskWeb':>28}" + (f"{'handlebars.js':>28}{'ratio':>8}" if theirs else ""))
    for name, taken in ours.items():
        other = theirs.get(name)
        beside = f"{_spread(other):>28}{median(taken) / median(other):>8.2f}" if other else ""
        print(f"{name:<44}{_spread(taken):>28}{beside}")


def _spread(taken: Sequence[float]) -> str:
    low, middle, high = (f"{seconds * 1e3:.3f}" for seconds in (min(taken), median(taken), max(taken)))
    return f"{middle} ({low} – {high})"


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    load = f"load average {os.getloadavg()[0]:.1f} before"
    packages = ", ".join(f"{package} {version(package)}" for package in ("pybars3", "Django"))
    return f"{names[0] if names else platform.machine()} × {os.cpu_count()}, {system}, {load}\n{packages}"


if __name__ == "__main__":
    main()

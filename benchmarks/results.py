"""Measures everything that has a goal, and writes what came out to benchmarks/RESULTS.md.

Each part is a process of its own. What has to do with time is compared with a plain relay, or with itself, in the
same run; of a machine that does something else at the same time it says little.

    python benchmarks/results.py --runs 5
    python benchmarks/results.py --only relay turns      (shows these parts, and writes nothing)
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from machine import told  # noqa: E402 - beside this file
from processes import database  # noqa: E402

RESULTS = HERE / "RESULTS.md"
SECONDS = 5
"""How long paced streams run."""

TURNS = 20
CONVERSATIONS = 60
LEFT = 4
"""Megabytes; a process's memory comes and goes by as much."""

MEGABYTE = 1000
"""In kilobytes."""


@dataclass(frozen=True)
class Row:
    """What was measured, of what it is compared with and of AskWeb, its goal, and whether that is met."""

    what: str
    beside: str
    askweb: str
    goal: str
    is_met: bool

    def __str__(self) -> str:
        return f"| {self.what} | {self.beside} | {self.askweb} | {self.goal} | {'yes' if self.is_met else '**no**'} |"


def at_most(what: str, most: float, beside: float, askweb: float, unit: str, other: str = "reference") -> Row:
    """The goal is so many times what it is compared with."""
    times = askweb / beside
    goal = f"≤ {most} × the {other}"
    return Row(what, _number(beside, unit), f"{_number(askweb, unit)}: {times:.2f} ×", goal, times <= most)


def within(what: str, most: float, askweb: float, unit: str, beside: str = "–") -> Row:
    """The goal is a number."""
    return Row(what, beside, _number(askweb, unit), f"≤ {_number(most, unit)}", askweb <= most)


def _number(value: float, unit: str) -> str:
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def relay(runs: int) -> list[Row]:
    from relay import CPU, FIRST, LATER, LATEST, SPEED, Column, measure, scenarios

    wanted = scenarios(SECONDS)
    results = {}
    for names in (("paced", "watched", "one", "many"), ("hundred",), ("crowd",)):
        results |= measure([wanted[name] for name in names], runs)

    def of(name: str, column: Column, subject: str = "product") -> float:
        scenario = wanted[name]
        return median(column.of(scenario.load, done) for done in results[scenario.name, subject])

    def faster(what: str, name: str) -> Row:
        reference, askweb = of(name, SPEED, "reference"), of(name, SPEED)
        told = f"{askweb:,.0f}/s: {askweb / reference:.2f} ×"
        return Row(what, f"{reference:,.0f}/s", told, "≥ 0.6 × the reference", askweb >= 0.6 * reference)

    def late(what: str, name: str, column: Column, most: float) -> Row:
        return within(what, most, of(name, column), "ms", f"{of(name, column, 'reference'):.1f} ms")

    paced, watched = of("paced", CPU), of("watched", CPU)
    return [
        at_most("CPU per delta, 20 × 50/s", 1.3, of("paced", CPU, "reference"), paced, "µs"),
        at_most("the same with five viewers of each reply", 1.5, paced, watched, "µs", "one viewer's"),
        faster("flat out, 1 × 2,000 deltas", "one"),
        faster("flat out, 20 × 300 deltas", "many"),
        late("100 × 50/s: the first delta comes later by, p50", "hundred", FIRST, 3),
        late("later deltas, p50", "hundred", LATER, 20),
        late("later deltas, p99", "hundred", LATEST, 45),
        late("500 × 50/s, every delta delivered: p99", "crowd", LATEST, 250),
    ]


def turns(runs: int) -> list[Row]:
    from turns import measure_both

    taken = {subject: median(each) * 1e3 for subject, each in measure_both(runs * TURNS).items()}
    return [at_most("from a question to its first delta", 3, taken["reference"], taken["product"], "ms")]


def several(runs: int) -> list[Row]:
    from relay import CPU, scenarios
    from relay_several import measure

    scenario = scenarios(SECONDS)["paced"]
    results = measure(scenario, runs)
    reference, askweb = (median(CPU.of(scenario.load, each) for each in results[name]) for name in results)
    what = "2 web, 2 workers, PostgreSQL and Redis: CPU per delta, all added up"
    return [at_most(what, 3, reference, askweb, "µs")]


def memory(runs: int) -> list[Row]:
    from memory import measure

    taken = measure(sockets=300, streams=100)
    return [
        within("memory at rest, without the local model", 160, taken.at_rest, "MB"),
        within("memory of an idle socket", 40, taken.idle_socket, "KB"),
        within("memory of a conversation that streams, with its viewer", 80, taken.streaming, "KB"),
    ]


def stalled(runs: int) -> list[Row]:
    from stalled import measure

    alone, deployed = measure(60), measure(60, processes=True)
    what = "memory of a viewer that reads nothing for 60 s, flat out"
    return [
        within(f"{what}, one process", MEGABYTE, max(alone.one, alone.many), "KB"),
        within(f"{what}, several", MEGABYTE, max(deployed.one, deployed.many), "KB"),
    ]


def assembly(runs: int) -> list[Row]:
    from benchmarks.prompts import measure

    taken = measure(runs)
    theirs = taken.milliseconds_handlebars_js
    beside = f"handlebars.js {theirs.plain:.2f} and {theirs.dense:.2f} ms" if theirs else "–"
    rendering = taken.milliseconds_rendering
    return [
        within("assembly with a page of 100 KB", 2, taken.milliseconds_assembly.plain, "ms"),
        within("rendering in it, the page tool's template", 0.5, rendering.plain, "ms", beside),
        within("rendering in it, a dense template of 2 KB", 0.5, rendering.dense, "ms", beside),
    ]


def blocks(runs: int) -> list[Row]:
    from benchmarks.rendering import SPEEDS, WHOLE, measure

    taken = {way: median(each) for way, each in measure(60, runs).items()}
    return [
        at_most(f"rendering a streamed reply of 60 KB, {way}", 2, taken[WHOLE], taken[way], "ms", "whole's")
        for way in SPEEDS
    ]


def reading(runs: int) -> list[Row]:
    from benchmarks.reader import measure

    taken = {name: median(each) for name, each in measure(runs, deltas=5000).items()}
    what = "reading a provider's stream, CPU per delta, beside the openai client"
    return [at_most(what, 0.5, taken["openai"], taken["askweb"], "µs", "client")]


def stored(runs: int) -> list[Row]:
    """On SQLite and on PostgreSQL."""
    from benchmarks import listing, opening, searching

    with database() as url:
        os.environ["DATABASE_URL"] = url
        listed = listing.measure(1_000, 100_000).rows
        opened = opening.measure(100, 10_000).rows
        searched = searching.measure(100_000).slowest
    what = f"the slowest search in 100,000 messages: {searched.what} ({searched.database})"
    return [
        _worst("listing 100,000 conversations beside 1,000", 1.3, listed),
        _worst("opening 10,000 messages beside 100", 1.5, opened),
        within(what, 200, searched.api, "ms"),
    ]


def _worst(what: str, most: float, rows: Sequence[Any]) -> Row:
    worst = max(rows, key=lambda row: row.times)
    return at_most(f"{what}: {worst.what} ({worst.database})", most, worst.few, worst.many, "ms", "few's")


def leaking(runs: int) -> list[Row]:
    from leaking import measure

    taken = measure(CONVERSATIONS)
    what = f"memory that {CONVERSATIONS} conversations of 50 messages leave behind"
    return [within(what, LEFT, taken.grown / 1e3, "MB")]


def starting(runs: int) -> list[Row]:
    from starting import measure

    first, again = (median(each) for each in measure(runs))
    return [within("a first start", 3, first, "s"), within("another start", 3, again, "s")]


def page(runs: int) -> list[Row]:
    from first_page import measure

    taken = measure(runs)
    return [
        within(f"the first page, in {taken.requests:.0f} requests", 150, taken.kilobytes, "KB"),
        within("the first page can be used after", 1000, taken.milliseconds, "ms"),
    ]


PARTS: dict[str, Callable[[int], list[Row]]] = {
    part.__name__: part
    for part in (
        relay,
        turns,
        several,
        memory,
        stalled,
        assembly,
        blocks,
        stored,
        leaking,
        starting,
        page,
        reading,
    )
}


def main() -> None:
    arguments = _arguments()
    if arguments.part:
        print(json.dumps([asdict(row) for row in PARTS[arguments.part](arguments.runs)]))
        return
    machine = told()
    rows = [row for part in arguments.only or PARTS for row in _measured(part, arguments.runs)]
    if not arguments.only:
        _write(machine, rows, arguments.runs)
    missed = [row.what for row in rows if not row.is_met]
    print(f"{len(rows) - len(missed)} of {len(rows)} goals are met; missed: {', '.join(missed) or 'none'}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="measurements of each kind (5)")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(part: str, runs: int) -> list[Row]:
    start = time.monotonic()
    words = [sys.executable, __file__, "--part", part, "--runs", str(runs)]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE)
    rows = [Row(**each) for each in json.loads(done.stdout.splitlines()[-1])]
    print(f"{part}, {time.monotonic() - start:.0f} s", *rows, sep="\n", flush=True)
    return rows


def _write(machine: str, rows: Sequence[Row], runs: int) -> None:
    day = datetime.now(UTC).date()
    head = f"""# Results

Written by `make bench` on {day}; medians of {runs} runs. The reference is a plain relay (daphne, a Channels consumer and a
raw reader) that stores nothing, measured by turns with AskWeb under the same load.

{machine}

| measure | beside | AskWeb | goal | met |
|---|---|---|---|---|
"""
    RESULTS.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()

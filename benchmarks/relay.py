"""What AskWeb takes and how fast it is for what it passes on, beside a plain relay.

Everything runs on this machine as processes of their own: a mock provider, a load client, the reference
(daphne, a Channels consumer and a raw reader; nothing is stored) and AskWeb (`manage.py up`). Both servers get
the same load in turn; the table shows the median of all runs, and the range. It measures and judges nothing.

    python benchmarks/relay.py --runs 3 --seconds 5

Needs Linux.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from client import CPUClock
from load import Load, Measurement, Order, Server
from machine import told
from processes import product, provider, reference, run_client

RATE = 50
BOTH = ("reference", "product")
WARM = Load(20, 50, 0)
REST_SECONDS = 60
IDLE = 0.05
"""Of a core."""


@dataclass(frozen=True)
class Column:
    """A number to show of a measurement; `digits` after the point."""

    name: str
    of: Callable[[Load, Measurement], float]
    digits: int


@dataclass(frozen=True)
class Scenario:
    name: str
    load: Load
    columns: tuple[Column, ...]
    subjects: tuple[str, ...] = ()
    """Those that it is for; all by default."""


def percentile(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


CPU = Column("CPU per delta, µs", lambda load, done: done.cpu / load.total * 1e6, 1)
SPEED = Column("deltas/s", lambda load, done: load.total / done.elapsed, 0)
AROUND = Column("CPU per stream before and after, ms", lambda load, done: done.around / load.streams * 1e3, 1)
FRAMES = Column("frames per delta", lambda load, done: done.frames / load.total, 3)
CLIENT = Column(
    "load client's share of a core, %", lambda load, done: done.client_cpu / done.elapsed * 100, 0
)
FIRST = Column("first delta later by, ms, p50", lambda load, done: median(done.firsts) * 1e3, 1)
LATER = Column("later ones, ms, p50", lambda load, done: median(done.laters) * 1e3, 1)
LATEST = Column("later ones, ms, p99", lambda load, done: percentile(done.laters, 99) * 1e3, 1)
PACED, LATE = (CPU, AROUND, FRAMES, CLIENT), (FIRST, LATER, LATEST, CPU, CLIENT)

Results = dict[tuple[str, str], list[Measurement]]


def scenarios(seconds: int) -> dict[str, Scenario]:
    """Those of one process, by the names that other scripts know them by."""
    deltas = RATE * seconds
    return {
        "paced": Scenario(f"20 × {RATE}/s", Load(20, deltas, RATE), PACED),
        "watched": Scenario(f"20 × {RATE}/s, five viewers each", Load(20, deltas, RATE, 5), PACED, BOTH[1:]),
        "one": Scenario("flat out, 1 × 2000", Load(1, 2000, 0), (SPEED, CPU, FRAMES, CLIENT)),
        "many": Scenario("flat out, 20 × 300", Load(20, 300, 0), (SPEED, CPU, FRAMES, CLIENT)),
        "hundred": Scenario(f"100 × {RATE}/s", Load(100, deltas, RATE), LATE),
        "crowd": Scenario(f"500 × {RATE}/s", Load(500, deltas, RATE), LATE),
    }


def main() -> None:
    arguments = _arguments()
    print(told())
    wanted = scenarios(arguments.seconds)
    _show(list(wanted.values()), measure(list(wanted.values()), arguments.runs), arguments.runs)


def measure(wanted: Sequence[Scenario], runs: int) -> Results:
    """Every scenario so many times, the servers by turns; the load client checks that no text lacks anything."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(provider())
        servers = (stack.enter_context(reference()), stack.enter_context(product(data, port)))
        return by_turns(wanted, servers, port, runs)


def by_turns(wanted: Sequence[Scenario], servers: Sequence[Server], port: int, runs: int) -> Results:
    for server in servers:
        run_client(Order(server, WARM, port))  # so that neither is measured cold
    results: Results = {}
    for _run in range(runs):
        for scenario in wanted:
            for server in servers:
                if not scenario.subjects or server.subject in scenario.subjects:
                    _await_rest(server)
                    done = run_client(Order(server, scenario.load, port))
                    results.setdefault((scenario.name, server.subject), []).append(done)
    return results


def _await_rest(server: Server) -> None:
    """What the load before left to be done afterwards, such as reading for search, is not this one's."""
    clock = CPUClock(server.pids)
    for _second in range(REST_SECONDS):
        before = clock.read()
        time.sleep(1)
        if clock.read() - before < IDLE:
            return


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3, help="measurements of each kind (3)")
    parser.add_argument("--seconds", type=int, default=5, help="how long paced streams run (5)")
    return parser.parse_args()


def _show(wanted: Sequence[Scenario], results: Results, runs: int) -> None:
    print(f"Median of {runs} runs (lowest to highest).\n")
    print(f"{'':<40}{'reference':>28}{'product':>28}{'ratio':>8}")
    for scenario in wanted:
        print(scenario.name)
        for column in scenario.columns:
            values = [
                [column.of(scenario.load, done) for done in results.get((scenario.name, subject), ())]
                for subject in BOTH
            ]
            cells = "".join(f"{spread(each, column.digits):>28}" for each in values)
            print(f"  {column.name:<38}{cells}{_ratio(*values):>8}")


def spread(values: Sequence[float], digits: int) -> str:
    if not values:
        return "–"
    low, middle, high = (f"{value:,.{digits}f}" for value in (min(values), median(values), max(values)))
    return f"{middle} ({low} – {high})"


def _ratio(reference_values: Sequence[float], product_values: Sequence[float]) -> str:
    return f"{median(product_values) / median(reference_values):.2f}" if reference_values else "–"


if __name__ == "__main__":
    main()

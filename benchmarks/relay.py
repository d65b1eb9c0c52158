"""How much CPU AskWeb takes for each delta it passes on, and how many it passes on, beside a plain relay.

Everything runs on this machine as processes of their own: a mock provider, a load client, the reference
(daphne, a Channels consumer and a raw reader; nothing is stored) and AskWeb (`manage.py up`). Both servers get
the same load in turn; the table shows the median of all runs, and the range. It measures and judges nothing.

    python benchmarks/relay.py --runs 3 --seconds 5

Needs Linux.
"""

import argparse
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median

from load import Load, Measurement, Order, Server
from processes import product, provider, reference, run_client

PACED_STREAMS, PACED_RATE = 20, 50
PACKAGES = ("Django", "channels", "daphne", "Twisted", "autobahn", "aiohttp", "orjson")


@dataclass(frozen=True)
class Column:
    """A number to show of a measurement; `digits` after the point."""

    name: str
    of: Callable[[Load, Measurement], float]
    digits: int


CPU = Column("CPU per delta, µs", lambda load, done: done.cpu / load.total * 1e6, 1)
SPEED = Column("deltas/s", lambda load, done: load.total / done.elapsed, 0)
AROUND = Column("CPU per stream before and after, ms", lambda load, done: done.around / load.streams * 1e3, 1)
FRAMES = Column("frames per delta", lambda load, done: done.frames / load.total, 3)
CLIENT = Column(
    "load client's share of a core, %", lambda load, done: done.client_cpu / done.elapsed * 100, 0
)


@dataclass(frozen=True)
class Scenario:
    name: str
    load: Load
    columns: tuple[Column, ...]


def main() -> None:
    arguments = _arguments()
    scenarios = _scenarios(arguments.seconds)
    print(_machine())
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(provider())
        servers = (stack.enter_context(reference()), stack.enter_context(product(data, port)))
        for server in servers:
            run_client(Order(server, Load(PACED_STREAMS, 50, 0), port))  # so that neither is measured cold
        results = _measure(scenarios, servers, port, arguments.runs)
    _show(scenarios, results, arguments.runs)


Results = dict[tuple[str, str], list[Measurement]]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3, help="measurements of each kind (3)")
    parser.add_argument("--seconds", type=int, default=5, help="how long paced streams run (5)")
    return parser.parse_args()


def _scenarios(seconds: int) -> tuple[Scenario, ...]:
    paced = Load(PACED_STREAMS, PACED_RATE * seconds, PACED_RATE)
    return (
        Scenario(f"{PACED_STREAMS} streams × {PACED_RATE}/s", paced, (CPU, AROUND, FRAMES, CLIENT)),
        Scenario("flat out, 1 stream × 2000", Load(1, 2000, 0), (SPEED, CPU, FRAMES, CLIENT)),
        Scenario("flat out, 20 streams × 300", Load(20, 300, 0), (SPEED, CPU, FRAMES, CLIENT)),
    )


def _measure(scenarios: Sequence[Scenario], servers: Sequence[Server], port: int, runs: int) -> Results:
    results: Results = {}
    for _run in range(runs):
        for scenario in scenarios:
            for server in servers:
                done = run_client(Order(server, scenario.load, port))
                results.setdefault((scenario.name, server.subject), []).append(done)
    return results


def _show(scenarios: Sequence[Scenario], results: Results, runs: int) -> None:
    print(f"Median of {runs} runs (lowest to highest).\n")
    print(f"{'':<40}{'reference':>28}{'product':>28}{'ratio':>8}")
    for scenario in scenarios:
        print(scenario.name)
        for column in scenario.columns:
            values = [
                [column.of(scenario.load, done) for done in results[scenario.name, subject]]
                for subject in ("reference", "product")
            ]
            cells = "".join(f"{_spread(each, column.digits):>28}" for each in values)
            print(f"  {column.name:<38}{cells}{_ratio(*values):>8}")


def _spread(values: Sequence[float], digits: int) -> str:
    low, middle, high = (f"{value:,.{digits}f}" for value in (min(values), median(values), max(values)))
    return f"{middle} ({low} – {high})"


def _ratio(reference_values: Sequence[float], product_values: Sequence[float]) -> str:
    return f"{median(product_values) / median(reference_values):.2f}"


def _machine() -> str:
    names = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    load = f"load average {os.getloadavg()[0]:.1f} before"
    return f"{names[0] if names else platform.machine()} × {os.cpu_count()}, {system}, {load}\n{packages}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()

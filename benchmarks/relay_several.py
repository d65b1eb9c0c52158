"""The CPU of all processes of a deployment for each delta, beside the plain relay: two web processes and two workers, with
a PostgreSQL and a Redis of their own. It measures and judges nothing.

    python benchmarks/relay_several.py --runs 3 --seconds 5

Needs Linux, PostgreSQL and Redis.
"""

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

from load import Measurement
from processes import provider, reference, several
from relay import Scenario, by_turns, scenarios, spread

SUBJECTS = ("reference", "several")


def measure(scenario: Scenario, runs: int) -> dict[str, list[Measurement]]:
    """By the server."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(provider())
        servers = (stack.enter_context(reference()), stack.enter_context(several(data, port)))
        results = by_turns([scenario], servers, port, runs)
        return {subject: results[scenario.name, subject] for subject in SUBJECTS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="measurements of each (3)")
    parser.add_argument("--seconds", type=int, default=5, help="how long streams run (5)")
    arguments = parser.parse_args()
    scenario = scenarios(arguments.seconds)["paced"]
    for subject, each_run in measure(scenario, arguments.runs).items():
        for column in scenario.columns:
            values = [column.of(scenario.load, done) for done in each_run]
            print(f"{subject:12} {column.name:40} {spread(values, column.digits)}")


if __name__ == "__main__":
    main()

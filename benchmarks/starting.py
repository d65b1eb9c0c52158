"""How long `manage.py up` takes until it answers: with a fresh folder, and when it is started again.

python benchmarks/starting.py --runs 5
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

from processes import started


def measure(runs: int) -> tuple[list[float], list[float]]:
    """Seconds until the first answer, of first starts and of second ones."""
    first, again = [], []
    for _run in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            for taken in (first, again):
                start = time.perf_counter()
                with started(Path(folder)):
                    taken.append(time.perf_counter() - start)
    return first, again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    for name, taken in zip(("fresh", "again"), measure(parser.parse_args().runs), strict=True):
        print(f"{name:6} {median(taken):.1f} s ({min(taken):.1f} to {max(taken):.1f})")


if __name__ == "__main__":
    main()

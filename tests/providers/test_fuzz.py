"""Three seconds of what `benchmarks/fuzz_reader.py` does for a minute."""

import random
import runpy
from pathlib import Path

FUZZ = Path(__file__).resolve().parents[2] / "benchmarks" / "fuzz_reader.py"


def test_random_and_mutated_bytes_break_no_promise():
    seed = random.SystemRandom().randrange(1_000_000)  # not the tests' own seed: new bytes each time
    assert runpy.run_path(str(FUZZ))["fuzz"](3, seed) > 0

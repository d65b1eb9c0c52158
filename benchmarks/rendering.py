"""What live blocks cost beside one rendering of the whole: processor time, and how far the cost is linear.

An answer of ordinary Markdown is rendered at once, as at its end, and block by block as it would come at so many
characters a tenth of a second (`askweb/runs/blocks.py`). They take turns; the table shows medians and ranges.
It measures and judges nothing.

    python benchmarks/rendering.py --rounds 5 --kilobytes 25 50 100
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")

import django

django.setup()

from askweb.conversations.rendering import render_reply  # noqa: E402
from askweb.markdown.streaming import BlockSplitter  # noqa: E402
from askweb.runs.blocks import PIECE, _Reader  # noqa: E402
from askweb.runs.settling import Around  # noqa: E402

SECTION = """## Step {number}: prepare the data

First install what you need, *then* run it: `pip install example` takes about **{number} s**. See the
[manual](https://docs.example/{number}) for $x_{number}$ and why it matters 找到 [1].

- Read the file, line by line
- Skip what is empty
  1. blank lines
  2. comments

```python
def step_{number}(lines: list[str]) -> dict[str, int]:
    \"\"\"Count the words.\"\"\"
    return {{word: len(word) for word in lines if word != "{number}"}}
```

| name | value | unit |
|------|------:|------|
| a    | {number} | ms |
| b    | 2     | ms   |

> Note: nothing here is final.

"""
WHOLE = "whole"
SPEEDS = {"blocks, 20 characters each": 20, "blocks, 200": 200, f"blocks, {PIECE} (catching up)": PIECE}


def main() -> None:
    arguments = _arguments()
    print("CPU, ms: median (range); times one rendering of the whole")
    for kilobytes in arguments.kilobytes:
        _show(kilobytes, measure(kilobytes, arguments.rounds))


def measure(kilobytes: int, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of CPU of each round, for each way to render a text of so many thousand characters."""
    text = _text(kilobytes * 1000)
    ways: dict[str, Callable[[], object]] = {WHOLE: lambda: render_reply(text)}
    for name, size in SPEEDS.items():
        ways[name] = partial(_in_blocks, text, size)
    ways["splitting alone"] = partial(_split, text)
    return _measured(ways, rounds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kilobytes", type=int, nargs="+", default=[25, 50, 100])
    return parser.parse_args()


def _text(size: int) -> str:
    sections: list[str] = []
    while sum(map(len, sections)) < size:
        sections.append(SECTION.format(number=len(sections)))
    return "".join(sections)


def _in_blocks(text: str, size: int) -> None:
    reader = _Reader(Around(), "", "")
    for at in range(0, len(text), size):
        reader.read(text[at : at + size])
    reader.end_with("")


def _split(text: str) -> None:
    splitter = BlockSplitter()
    for at in range(0, len(text), 20):
        splitter.feed(text[at : at + 20])


def _measured(ways: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, way in ways.items():
            before = time.process_time()
            way()
            if number:  # the first round warms up
                taken[name].append((time.process_time() - before) * 1e3)
    return taken


def _show(kilobytes: int, taken: dict[str, list[float]]) -> None:
    print(f"{kilobytes} KB")
    for name, numbers in taken.items():
        ratio = median(numbers) / median(taken[WHOLE])
        print(f"  {name:30} {median(numbers):7.0f} ({min(numbers):.0f} to {max(numbers):.0f})  {ratio:.2f} ×")


if __name__ == "__main__":
    main()

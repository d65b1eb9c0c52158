"""Finding out what a template shows: each large text is replaced by a mark, and the marks are counted.

That holds for whatever the template does, its conditions and loops included, and costs next to nothing.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from askweb.conversations.envelope import Item
from askweb.conversations.packing import JSONValue

Path: TypeAlias = tuple[str | int, ...]
Name: TypeAlias = tuple[str, ...]
"""A path without the places in lists: all texts of one name are shown alike."""
Render: TypeAlias = Callable[[Sequence[Item]], str]

LARGE, LARGE_TOGETHER, NO_WORD = 100, 200, 12
"""Characters from which texts are marked: one alone, or all of one name if they are no mere labels."""
KIND_KEYS = frozenset({"id", "agentId"})
MARK = re.compile("\ue000([0-9]{1,9})\ue001")
EACH = "*"
PROBED_PARTS = 200
"""Of one list; the others are shown as these are."""
PROBED_NAMES = 300
"""Of small texts, which are looked for in the turn; what else an item holds is taken to be shown."""


@dataclass(frozen=True)
class Probe:
    """`times`: how often the texts of an item and a name are shown, on average. `rest`: all else in the turn.
    `small`: the names of texts that were not marked and stand in the rest.
    """

    times: Mapping[tuple[int, Name], float]
    rest: str
    small: frozenset[tuple[int, Name]]

    @classmethod
    def of(cls, items: Sequence[Item], render: Render) -> "Probe":
        groups: list[tuple[int, Name]] = []
        marked: list[Item] = []
        for index, item in enumerate(items):
            changes: dict[Path, JSONValue] = {}
            for path in _large_texts(item):
                changes[path] = f"\ue000{len(groups)}\ue001"
                groups.append((index, name_of(path)))
            marked.append(Item(item.kind, changed(item.value, changes, most=PROBED_PARTS)))
        turn = render(marked)
        shown = Counter(groups[int(number)] for number in MARK.findall(turn) if int(number) < len(groups))
        times = {group: shown[group] / count for group, count in Counter(groups).items()}
        rest = MARK.sub("", turn)
        return cls(times, rest, frozenset(_small_shown(items, times, rest)))


def texts_in(value: JSONValue, path: Path = (), most: int | None = None) -> Iterator[tuple[Path, str]]:
    """Every text that is not empty, with its path; of each list at most so many parts."""
    if isinstance(value, str) and value:
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if path or key not in KIND_KEYS:
                yield from texts_in(inner, (*path, key), most)
    elif isinstance(value, list):
        for index, inner in enumerate(value[:most]):
            yield from texts_in(inner, (*path, index), most)


def figures_in(value: JSONValue, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every number and truth value as JSON, with its path."""
    if isinstance(value, bool | int | float):
        yield path, json.dumps(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if path or key not in KIND_KEYS:
                yield from figures_in(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from figures_in(inner, (*path, index))


def name_of(path: Path) -> Name:
    return tuple([EACH if isinstance(step, int) else step for step in path])


def changed(
    value: dict[str, JSONValue], changes: Mapping[Path, JSONValue], most: int | None = None
) -> dict[str, JSONValue]:
    """A copy with other values at these paths."""
    return {key: _changed(inner, changes, (key,), most) for key, inner in value.items()}


def _changed(value: JSONValue, changes: Mapping[Path, JSONValue], path: Path, most: int | None) -> JSONValue:
    if path in changes:
        return changes[path]
    if isinstance(value, dict):
        return {key: _changed(inner, changes, (*path, key), most) for key, inner in value.items()}
    if isinstance(value, list):
        return [_changed(inner, changes, (*path, at), most) for at, inner in enumerate(value[:most])]
    return value


def _small_shown(
    items: Sequence[Item], times: Mapping[tuple[int, Name], float], rest: str
) -> Iterator[tuple[int, Name]]:
    for index, item in enumerate(items):
        looked_at: set[Name] = set()
        for path, text in texts_in(item.value, most=PROBED_PARTS):
            name = name_of(path)
            if (index, name) in times or name in looked_at:
                continue
            looked_at.add(name)
            if len(looked_at) > PROBED_NAMES or text.strip("\n") in rest:
                yield index, name


def _large_texts(item: Item) -> Iterator[Path]:
    named: dict[Name, list[tuple[Path, int]]] = defaultdict(list)
    for path, text in texts_in(item.value, most=PROBED_PARTS):
        named[name_of(path)].append((path, len(text)))
    for found in named.values():
        sizes = [size for _path, size in found]
        together = sum(sizes)
        if max(sizes) >= LARGE or (together >= LARGE_TOGETHER and together / len(sizes) >= NO_WORD):
            yield from (path for path, _size in found)

"""Making the context of a turn fit: what is large is cut in proportion, before anything is rendered.

So the template's own words stay whole, and whatever it does with a text it does with what is left of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from askweb.conversations.envelope import Item
from askweb.conversations.packing import JSONValue
from prompts.cutting import Cutter, mark
from prompts.probing import PROBED_PARTS, Path, Probe, Render, changed, name_of, texts_in
from prompts.ranking import ranked

TRIES = 6
MOST_PARTS = 5000
"""Of one list. More would take a template more steps than it has."""
LEAST_PART = 60
"""Tokens below which it is not worth showing the beginning of a part."""
SAMPLE = 64 * 1024
"""Characters by which the tokens of a longer text are estimated; how many of them fit is measured exactly."""
NUMBERED = ("pageSearch", ("list",))
"""Parts that are cited by number: they are always ranked, and those that are missing keep their places."""


@dataclass(frozen=True)
class Shrunk:
    """The turn as it is now. `left_out`: for each item, how many characters are missing."""

    text: str
    items: Sequence[Item]
    left_out: Sequence[int]


@dataclass(frozen=True)
class Unit:
    """What gives way as one, a text or a list of parts: by part, the tokens it takes in the turn."""

    item: int
    path: Path
    costs: Sequence[float]

    @property
    def cost(self) -> float:
        return sum(self.costs)


@dataclass(frozen=True)
class Smaller:
    value: JSONValue
    left_out: int


class Shrinking:
    """The items of one turn on their way into as many tokens as there is room for."""

    def __init__(self, items: Sequence[Item], render: Render, cutter: Cutter) -> None:
        self.probe = Probe.of(items, render)
        self._items = items
        self._render = render
        self._cutter = cutter
        self._estimator = cutter.estimator
        self._costs: dict[tuple[int, Path], float] = {}
        self._rest, self._units = self._found()
        self._orders: dict[int, list[int]] = {}

    def whole(self) -> Shrunk:
        return Shrunk(self._render(self._items), self._items, [0] * len(self._items))

    def shrink(self, room: int) -> Shrunk:
        """Cut until the turn fits. Where even all else is too long, whatever could give way is gone."""
        if self._may_fit(room):
            whole = self.whole()
            if self._estimator.tokens(whole.text) <= room:
                return whole
        target = room - self._rest
        for _attempt in range(TRIES):
            allowed = allowances([unit.cost for unit in self._units], max(target, 0.0))
            shrunk = self._shrunk(allowed)
            excess = self._estimator.tokens(shrunk.text) - room
            if excess <= 0 or target <= 0:
                return shrunk
            target -= excess * 1.1 + 8
        return self._shrunk([0.0] * len(self._units))

    def shown(self, item: int) -> int:
        """How many characters of the item's own the turn shows, or would show if there were room for them."""
        return sum(len(text) for path, text in texts_in(self._items[item].value) if self._shows(item, path))

    def tokens(self, item: int, share: float) -> int:
        """The tokens of that share of the item's own text in the turn."""
        texts = [*texts_in(self._items[item].value)]
        size = sum(
            self._cost(item, path, text) or self._estimator.tokens(text)
            for path, text in texts
            if self._shows(item, path)
        )
        return round(size * share)

    def _may_fit(self, room: int) -> bool:
        """Whether it is worth rendering all of it. Templates have few steps for lists and little room for output."""
        lists = max((len(unit.costs) for unit in self._units), default=0)
        return lists <= MOST_PARTS and self._rest + sum(unit.cost for unit in self._units) <= 1.2 * room + 100

    def _shows(self, item: int, path: Path) -> bool:
        group = item, name_of(path)
        return self.probe.times.get(group, 0) > 0 or group in self.probe.small

    def _found(self) -> tuple[float, list[Unit]]:
        """The tokens of all that can't give way, and what can."""
        rest = self._estimator.tokens(self.probe.rest)
        lists = [(index, path) for index, item in enumerate(self._items) for path in _lists(item.value)]
        units = [self._text(index, path) for index, path in self._texts()]
        if not lists:
            return rest, units
        bare = self._estimator.tokens(Probe.of(self._without(lists), self._render).rest)
        parts = sum(min(len(self._list(*place)), PROBED_PARTS) for place in lists)
        frame = max(rest - bare, 0) / parts
        return bare, units + [self._parts(index, path, frame) for index, path in lists]

    def _without(self, lists: Sequence[tuple[int, Path]]) -> list[Item]:
        return [
            Item(item.kind, changed(item.value, {path: [] for at, path in lists if at == index}))
            for index, item in enumerate(self._items)
        ]

    def _texts(self) -> list[tuple[int, Path]]:
        names = [(index, name) for (index, name), times in self.probe.times.items() if times > 0]
        return [(index, name) for index, name in names if "*" not in name]

    def _text(self, item: int, path: Path) -> Unit:
        return Unit(item, path, [self._cost(item, path, str(_at(self._items[item].value, path)))])

    def _parts(self, item: int, path: Path, frame: float) -> Unit:
        """`frame` is what stands around a part: its number, a tag, small fields."""
        costs = []
        for at, part in enumerate(self._list(item, path)):
            texts = texts_in(part, (*path, at))
            costs.append(frame + sum(self._cost(item, place, text) for place, text in texts))
        return Unit(item, path, costs)

    def _cost(self, item: int, path: Path, text: str) -> float:
        place = item, path
        if place not in self._costs:
            times = self.probe.times.get((item, name_of(path)), 0)
            share = max(1.0, len(text) / SAMPLE)
            self._costs[place] = times * self._estimator.tokens(text[:SAMPLE]) * share if times else 0.0
        return self._costs[place]

    def _shrunk(self, allowed: Sequence[float]) -> Shrunk:
        changes: list[dict[Path, JSONValue]] = [{} for _item in self._items]
        left_out = [0] * len(self._items)
        for number, (unit, tokens) in enumerate(zip(self._units, allowed, strict=True)):
            if tokens < unit.cost or len(unit.costs) > MOST_PARTS:
                value = _at(self._items[unit.item].value, unit.path)
                smaller = self._smaller(number, unit, value, tokens)
                changes[unit.item][unit.path] = smaller.value
                left_out[unit.item] += smaller.left_out
        items = [
            Item(item.kind, changed(item.value, each))
            for item, each in zip(self._items, changes, strict=True)
        ]
        return Shrunk(self._render(items), items, left_out)

    def _smaller(self, number: int, unit: Unit, value: JSONValue, tokens: float) -> Smaller:
        if isinstance(value, list):
            return self._fewer(unit, value, self._order(number, unit, value), tokens)
        times = self.probe.times[unit.item, name_of(unit.path)]
        cut = self._cutter.cut(str(value), tokens / times)
        return Smaller(cut.text, cut.left_out)

    def _order(self, number: int, unit: Unit, parts: Sequence[JSONValue]) -> list[int]:
        """Which parts are kept first."""
        if number not in self._orders:
            texts = [
                " ".join(text for _path, text in self._shown_in(unit, at, part))
                for at, part in enumerate(parts)
            ]
            by_rank = self._cutter.policy == "relevant" or self._is_numbered(unit)
            self._orders[number] = (
                ranked(self._cutter.question, texts) if by_rank else list(range(len(parts)))
            )
        return self._orders[number]

    def _fewer(self, unit: Unit, parts: Sequence[JSONValue], order: Sequence[int], tokens: float) -> Smaller:
        """The parts that come first in the order while they fit, the next one cut, and a mark for the others."""
        kept: dict[int, Smaller] = {}
        left = tokens - self._cutter.mark_tokens
        for at in order[:MOST_PARTS]:
            if unit.costs[at] <= left:
                kept[at] = Smaller(parts[at], 0)
            elif left >= LEAST_PART:
                kept[at] = self._shorter(unit, at, parts[at], left)
                break
            else:
                break
            left -= unit.costs[at]
        gone = sum(
            len(text)
            for at, part in enumerate(parts)
            if at not in kept
            for _path, text in self._shown_in(unit, at, part)
        )
        values = {at: each.value for at, each in kept.items()}
        if kept and gone:
            values[max(kept)] = self._with_mark(unit, max(kept), values[max(kept)], gone)
        smaller: list[JSONValue] = [
            values.get(at) for at in range(len(parts)) if at in kept or self._is_numbered(unit)
        ]
        return Smaller(smaller, gone + sum(each.left_out for each in kept.values()))

    def _shorter(self, unit: Unit, at: int, part: JSONValue, tokens: float) -> Smaller:
        longest = self._longest(unit, at, part)
        if longest is None:
            return Smaller(part, 0)
        path, text = longest
        times = self.probe.times[unit.item, name_of(path)]
        others = unit.costs[at] - self._cost(unit.item, path, text)
        cut = self._cutter.cut(text, max(tokens - others, 0) / times, "head")
        return Smaller(_within(part, path[len(unit.path) + 1 :], cut.text), cut.left_out)

    def _with_mark(self, unit: Unit, at: int, part: JSONValue, gone: int) -> JSONValue:
        longest = self._longest(unit, at, part)
        if longest is None:
            return part
        path, text = longest
        return _within(part, path[len(unit.path) + 1 :], f"{text}\n{mark(gone)}")

    def _longest(self, unit: Unit, at: int, part: JSONValue) -> tuple[Path, str] | None:
        return max(self._shown_in(unit, at, part), key=lambda each: len(each[1]), default=None)

    def _shown_in(self, unit: Unit, at: int, part: JSONValue) -> list[tuple[Path, str]]:
        texts = texts_in(part, (*unit.path, at))
        return [
            (path, text) for path, text in texts if self.probe.times.get((unit.item, name_of(path)), 0) > 0
        ]

    def _is_numbered(self, unit: Unit) -> bool:
        return (self._items[unit.item].kind, unit.path) == NUMBERED

    def _list(self, item: int, path: Path) -> list[JSONValue]:
        value = _at(self._items[item].value, path)
        return value if isinstance(value, list) else []


def allowances(costs: Sequence[float], target: float) -> list[float]:
    """How much each may take of the target. What asks for no more than an equal share gets it; of the rest,
    one half is shared equally and the other in proportion, so that a page leaves room for a selection.
    """
    allowed = dict(enumerate(costs))
    large = sorted(allowed, key=lambda at: costs[at])
    left = target
    while large and costs[large[0]] <= left / len(large):
        left -= costs[large.pop(0)]
    total = sum(costs[at] for at in large)
    for at in large:
        allowed[at] = left / 2 / len(large) + left / 2 * costs[at] / total
    return list(allowed.values())


def _lists(value: JSONValue, path: Path = ()) -> list[Path]:
    """The outermost lists that hold anything."""
    if isinstance(value, list):
        return [path] if value else []
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in _lists(inner, (*path, key))]
    return []


def _at(value: JSONValue, path: Path) -> JSONValue:
    for step in path:
        value = value[step]  # type: ignore[index]
    return value


def _within(part: JSONValue, path: Path, text: str) -> JSONValue:
    """The part with another text at that path below it."""
    return changed({"part": part}, {("part", *path): text})["part"]

"""The helpers a template may call. Each takes data and gives data; its docstring is its contract."""

from __future__ import annotations

import json as json_module
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date as day
from datetime import datetime

from prompts.handlebars.budget import Budget
from prompts.handlebars.errors import ProblemError
from prompts.handlebars.values import (
    check_depth,
    field,
    is_blank,
    is_empty,
    joined,
    number_text,
    seen,
    text_of,
)

Values = Sequence[object]
Function = Callable[[Values, Budget], object]


@dataclass(frozen=True, slots=True)
class Helper:
    """`least` and `most` count the arguments (None: any number); `usage` is shown when they don't fit."""

    function: Function
    least: int
    most: int | None
    usage: str

    def accepts(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)


def lookup(values: Values, budget: Budget) -> object:
    """`lookup object key`: the field of that name, or the list's item with that index; else missing."""
    return field(values[0], text_of(values[1], budget), budget)


def eq(values: Values, budget: Budget) -> bool:
    """`eq a b`: whether both are the same text, number, truth value or missing; `1` is not `"1"`."""
    return _same(values[0], values[1])


def ne(values: Values, budget: Budget) -> bool:
    """`ne a b`: the opposite of `eq`."""
    return not _same(values[0], values[1])


def and_(values: Values, budget: Budget) -> object:
    """`and a b …`: the first value that `if` takes for no, else the last."""
    return next((value for value in values if is_empty(value)), values[-1])


def or_(values: Values, budget: Budget) -> object:
    """`or a b …`: the first value that `if` takes for yes, else the last."""
    return next((value for value in values if not is_empty(value)), values[-1])


def not_(values: Values, budget: Budget) -> bool:
    """`not a`: true if `if a` would take the else."""
    return is_empty(values[0])


def default(values: Values, budget: Budget) -> object:
    """`default value fallback`: the fallback for a missing value, false, "" and an empty list; not for 0."""
    return values[1] if is_blank(values[0]) else values[0]


def join(values: Values, budget: Budget) -> str:
    """`join list [separator]`: the items' texts with ", " or the separator between; else the value's text."""
    items, separator = values[0], text_of(values[1], budget) if len(values) > 1 else ", "
    if not isinstance(items, (list, tuple)):
        return text_of(items, budget)
    budget.spend(len(items))
    return joined((text_of(seen(item), budget) for item in items), separator, budget)


def truncate(values: Values, budget: Budget) -> str:
    """`truncate text length [end]`: the first `length` characters (code points), fewer rather than cutting
    an emoji or an accented letter in two; `end` ("…") follows if anything was cut. A length that is no
    whole number ≥ 0 is an error.
    """
    text, length = text_of(values[0], budget), values[1]
    end = text_of(values[2], budget) if len(values) > 2 else "…"
    if (
        isinstance(length, bool)
        or not isinstance(length, (int, float))
        or length < 0
        or length != length // 1
    ):
        raise ProblemError(
            "bad-argument", "`truncate` needs a whole number as its length", "`{{truncate text 100}}`"
        )
    if len(text) <= length:
        return text
    cut = int(length)
    while cut > 0 and _is_inside_a_character(text, cut):
        cut -= 1
    return text[:cut] + end


def json(values: Values, budget: Budget) -> str:
    """`json value [indent]`: the value as JSON, not escaped to ASCII; what is no data, or NaN, is null."""
    indent = values[1] if len(values) > 1 else None
    if indent is not None and not (isinstance(indent, int) and 0 <= indent <= 8):
        raise ProblemError("bad-argument", "`json` takes an indent from 0 to 8", "`{{json page 2}}`")
    left = budget.output
    plain = _plain(values[0], budget, 0)
    budget.output = left
    return json_module.dumps(plain, ensure_ascii=False, indent=indent, check_circular=False)


def quote(values: Values, budget: Budget) -> str:
    """`quote text`: every line with `> ` in front, as Markdown quotes; "" stays ""."""
    text = text_of(values[0], budget)
    if not text:
        return ""
    budget.check_size(len(text) + 2 * text.count("\n") + 2)
    last = "\n" if text.endswith("\n") else ""
    return "> " + text.removesuffix("\n").replace("\n", "\n> ") + last


def fence(values: Values, budget: Budget) -> str:
    """`fence text "tag"`: `<tag>text</tag>`, where the `<` of every `<tag` or `</tag` inside the text,
    whatever its case and inner spaces, becomes `&lt;`, so the text cannot end its own fence. Nothing else
    is changed. A tag is a letter, then letters, digits, `-` or `_`; anything else is an error.
    """
    text, tag = text_of(values[0], budget), text_of(values[1], budget)
    if not _TAG.fullmatch(tag):
        raise ProblemError(
            "bad-argument", "`fence` needs a plain tag name", '`{{fence page.content "content"}}`'
        )
    inner = re.compile(rf"<(?={_UNSEEN}*(?:/{_UNSEEN}*)?{tag}(?![A-Za-z0-9_-]))", re.IGNORECASE)
    return f"<{tag}>{inner.sub('&lt;', text)}</{tag}>"


def date(values: Values, budget: Budget) -> str:
    """`date when [format]`: an ISO date or time, written as "%Y-%m-%d" or by the format, which knows
    `%Y %y %m %d %e %H %I %M %S %p %j %A %a %B %b %z %%`; names in English, in the time zone it came with.
    Missing is "", a text that is no ISO time stays as it is, an unknown `%` is an error.
    """
    when = _moment(values[0])
    if when is None:
        return text_of(values[0], budget)
    pattern = text_of(values[1], budget) if len(values) > 1 else "%Y-%m-%d"
    return _DIRECTIVE.sub(lambda match: _written(when, match.group(1)), pattern)


def plural(values: Values, budget: Budget) -> object:
    """`plural count one many`: `one` if the count (a number or a list's length) is 1, else `many`."""
    count = len(values[0]) if isinstance(values[0], (list, tuple)) else values[0]
    return values[1] if text_of(count, budget).strip() == "1" else values[2]


HELPERS: dict[str, Helper] = {
    "lookup": Helper(lookup, 2, 2, "{{lookup list 0}}"),
    "eq": Helper(eq, 2, 2, "{{#if (eq a b)}}"),
    "ne": Helper(ne, 2, 2, "{{#if (ne a b)}}"),
    "and": Helper(and_, 2, None, "{{#if (and a b)}}"),
    "or": Helper(or_, 2, None, "{{#if (or a b)}}"),
    "not": Helper(not_, 1, 1, "{{#if (not a)}}"),
    "default": Helper(default, 2, 2, '{{default chat.language "English"}}'),
    "join": Helper(join, 1, 2, '{{join list ", "}}'),
    "truncate": Helper(truncate, 2, 3, "{{truncate page.content 1000}}"),
    "json": Helper(json, 1, 2, "{{json page}}"),
    "quote": Helper(quote, 1, 1, "{{quote page.selection}}"),
    "fence": Helper(fence, 2, 2, '{{fence page.content "content"}}'),
    "date": Helper(date, 1, 2, '{{date now "%Y-%m-%d"}}'),
    "plural": Helper(plural, 3, 3, '{{plural quotes.length "quote" "quotes"}}'),
}

_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
# White space and characters that take no room, so that `<\u200b/tag>` is seen for what it looks like.
_UNSEEN = r"[\s\u00ad\u200b-\u200f\u2060\ufeff]"
_DIRECTIVE = re.compile(r"%(.?)", re.DOTALL)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_ZERO_WIDTH_JOINER = "\u200d"


def _same(left: object, right: object) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if isinstance(left, str) and isinstance(right, str):
        return str.__eq__(left, right)
    return left is right


def _is_inside_a_character(text: str, cut: int) -> bool:
    """Whether a cut would part what is drawn as one: accents, joined emoji, skin tones, flags, CR LF."""
    before, after = text[cut - 1], text[cut]
    if after == _ZERO_WIDTH_JOINER or before == _ZERO_WIDTH_JOINER or before + after == "\r\n":
        return True
    if unicodedata.category(after) in {"Mn", "Me", "Mc"} or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    return _is_flag_half(after) and _flag_halves_before(text, cut) % 2 == 1


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves_before(text: str, cut: int) -> int:
    start = cut
    while start > 0 and _is_flag_half(text[start - 1]):
        start -= 1
    return cut - start


def _plain(value: object, budget: Budget, depth: int) -> object:
    """A copy of what JSON can say; every value and text counts, so shared parts cannot grow endlessly."""
    check_depth(depth)
    budget.spend()
    if isinstance(value, dict):
        pairs = dict.items(value)
        return {text_of(seen(key), budget): _plain(item, budget, depth + 1) for key, item in pairs}
    if isinstance(value, (list, tuple)):
        return [_plain(item, budget, depth + 1) for item in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _plain_number(value)
    seen_value = seen(value)
    if seen_value is None:
        return None
    text = text_of(seen_value, budget)
    budget.spend_on(text)
    budget.write(text)
    return text


def _plain_number(value: float) -> int | float | None:
    text = number_text(value)
    if "N" in text or "I" in text:
        return None
    return int(text) if text.lstrip("-").isdigit() else float(value)


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, day):
        return datetime(value.year, value.month, value.day)
    try:
        return datetime.fromisoformat(value.strip()) if isinstance(value, str) else None
    except ValueError:
        return None


def _written(when: datetime, letter: str) -> str:
    hour = when.hour % 12 or 12
    written = {
        "Y": f"{when.year:04}",
        "y": f"{when.year % 100:02}",
        "m": f"{when.month:02}",
        "d": f"{when.day:02}",
        "e": str(when.day),
        "H": f"{when.hour:02}",
        "I": f"{hour:02}",
        "M": f"{when.minute:02}",
        "S": f"{when.second:02}",
        "p": "AM" if when.hour < 12 else "PM",
        "j": f"{when.timetuple().tm_yday:03}",
        "A": _DAYS[when.weekday()],
        "a": _DAYS[when.weekday()][:3],
        "B": _MONTHS[when.month - 1],
        "b": _MONTHS[when.month - 1][:3],
        "z": datetime.isoformat(when)[-6:] if when.tzinfo else "",
        "%": "%",
    }
    if letter not in written:
        raise ProblemError("bad-argument", f"`date` does not know `%{letter}`", '`{{date now "%Y-%m-%d"}}`')
    return written[letter]

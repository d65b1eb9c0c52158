"""What data means to a template: fields, truth, text. Nothing here reads an attribute of data or calls it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite, isnan

from prompts.handlebars.budget import Budget
from prompts.handlebars.errors import ProblemError

# What a template can see. Anything else, a callable or a model instance, is as good as missing.
_SEEN = (str, bool, int, float, dict, list, tuple, datetime, date, time, Decimal)
MOST_NESTED_DATA = 50
_BITS_OF_A_LARGEST_FLOAT = 1024


def seen(value: object) -> object:
    """The value, or None for what is no data."""
    return value if isinstance(value, _SEEN) else None


def field(value: object, name: str, budget: Budget) -> object:
    """One step of a path: a dict's key, a list's or text's index or `length`; None if there is none."""
    if isinstance(value, dict):
        return seen(dict.get(value, name))
    if isinstance(value, (list, tuple)):
        if name == "length":
            return len(value)
        return seen(value[int(name)]) if _is_index(name, len(value)) else None
    if isinstance(value, str):
        if name == "length":
            return _utf16_length(value, budget)
        return value[int(name)] if _is_index(name, len(value)) else None
    return None


def is_empty(value: object) -> bool:
    """What `if` takes for no: missing, false, "", an empty list, NaN and 0; an empty object is a yes."""
    if isinstance(value, (int, float, Decimal)):
        return _is_nan(value) or value == 0
    return _is_nothing(value)


def is_blank(value: object) -> bool:
    """What `with` and `default` take for no value: as for `if`, but 0 is a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float, Decimal)):
        return _is_nan(value)
    return _is_nothing(value)


def _is_nan(value: int | float | Decimal) -> bool:
    """A signalling NaN of Decimal can't even be compared."""
    return value.is_nan() if isinstance(value, Decimal) else value != value


def text_of(value: object, budget: Budget, depth: int = 0) -> str:
    """The text printed for a value, as JavaScript does: `1.0` is `1`, a list its items and commas."""
    if isinstance(value, str):
        return str.__str__(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, (list, tuple)):
        return _list_text(value, budget, depth)
    return _other_text(value)


def number_text(value: float) -> str:
    if isinstance(value, int):
        return _infinity(value) if value.bit_length() > _BITS_OF_A_LARGEST_FLOAT else int.__str__(value)
    if not isfinite(value):
        return "NaN" if isnan(value) else _infinity(value)
    if value.is_integer() and abs(value) < 1e21:
        return int.__str__(int(value))
    digits, _, exponent = float.__repr__(value).partition("e")
    if not exponent:
        return digits
    if -7 < int(exponent) < 0:
        return format(Decimal(float.__repr__(value)), "f")
    return f"{digits.removesuffix('.0')}e{int(exponent):+d}"


def joined(texts: Iterable[str], separator: str, budget: Budget) -> str:
    """Joins after making sure that the result is within the limit of output."""
    parts = list(texts)
    size = sum(map(len, parts)) + len(separator) * max(len(parts) - 1, 0)
    budget.check_size(size)
    return separator.join(parts)


def check_depth(depth: int) -> None:
    if depth > MOST_NESTED_DATA:
        raise ProblemError("too-deep", f"The data is nested more than {MOST_NESTED_DATA} deep")


def _is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, (str, list, tuple)) and len(value) == 0)


def _is_index(name: str, length: int) -> bool:
    return (
        len(name) < 10 and name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < length
    )


def _utf16_length(value: str, budget: Budget) -> int:
    """JavaScript counts a character outside the basic plane twice, and templates compare against that."""
    if value.isascii():
        return len(value)
    budget.spend_on(value)
    return len(value.encode("utf-16-le", "surrogatepass")) // 2


def _list_text(value: list[object] | tuple[object, ...], budget: Budget, depth: int) -> str:
    check_depth(depth)
    budget.spend(len(value))
    return joined((text_of(seen(item), budget, depth + 1) for item in value), ",", budget)


def _infinity(value: float) -> str:
    return "Infinity" if value > 0 else "-Infinity"


def _other_text(value: object) -> str:
    if isinstance(value, Decimal):
        return Decimal.__format__(value, "f") if abs(value.adjusted()) < 30 else Decimal.__str__(value)
    if isinstance(value, datetime):
        return datetime.isoformat(value)
    if isinstance(value, date):
        return date.isoformat(value)
    return time.isoformat(value) if isinstance(value, time) else ""

"""Limits as the form of a person has them: empty is the server's, and storage is in MiB."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from askweb.accounts.models import User
from askweb.limits.deciding import limits_of, own_limits

MIB = 1024**2
WHOLE = ("runs_at_once", "runs_per_day")
STORAGE = "storage"


def shown_limits(person: User, posted: Mapping[str, str] | None) -> dict[str, str]:
    """What stands in the form: what was typed, else what is set."""
    if posted is not None:
        return {name: posted.get(name, "") for name in (*WHOLE, STORAGE)}
    return _in_words(asdict(own_limits(person)))


def server_limits(person: User) -> dict[str, str]:
    """What holds where nothing is typed."""
    return _in_words(asdict(limits_of(User(pk=person.pk))))


def chosen_limits(posted: Mapping[str, str]) -> dict[str, Any]:
    """As the API takes them; what is no number is left to be refused by its reader."""
    chosen: dict[str, Any] = {name: _number(posted.get(name, "")) for name in (*WHOLE, STORAGE)}
    for name in WHOLE:
        if isinstance(chosen[name], float) and chosen[name].is_integer():
            chosen[name] = int(chosen[name])
    if isinstance(chosen[STORAGE], float):
        chosen[STORAGE] = round(chosen[STORAGE] * MIB)
    return chosen


def _in_words(limits: Mapping[str, int | None]) -> dict[str, str]:
    words = {name: "" if limit is None else str(limit) for name, limit in limits.items()}
    storage = limits[STORAGE]
    return {**words, STORAGE: "" if storage is None else f"{storage / MIB:.12g}"}


def _number(text: str) -> float | str | None:
    try:
        number = float(text) if text.strip() else None
    except ValueError:
        return text
    return text if number in (float("inf"), float("-inf")) or number != number else number

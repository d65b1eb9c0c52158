"""Rows of any table as two databases must agree on them: what PostgreSQL would refuse, and a checksum of the rest."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Context, Decimal
from ipaddress import ip_address
from typing import Any

from django.db import connections
from django.db.models import BinaryField, Field, GenericIPAddressField, IntegerField, JSONField, Model

from askweb.runs.text_json import TextJSON

AT_ONCE = 20
"""Rows that are in memory at the same time; one may have an image of 5 MB."""
EXACT = Context(prec=10_000)

Row = Sequence[Any]


@dataclass
class Checksum:
    """Of all rows, in whichever order: databases don't sort text alike."""

    count: int = 0
    total: int = 0

    def add(self, fields: Sequence["Field[Any, Any]"], row: Row) -> None:
        values = [_canonical(field, value) for field, value in zip(fields, row, strict=True)]
        digest = hashlib.sha256(json.dumps(values).encode()).digest()
        self.count += 1
        self.total = (self.total + int.from_bytes(digest, "big")) % 2**256


def fields_of(model: type[Model]) -> Sequence["Field[Any, Any]"]:
    return model._meta.concrete_fields


def rows_of(model: type[Model], alias: str) -> Iterator[Row]:
    rows = model._base_manager.using(alias).order_by("pk")
    return rows.values_list(*(field.attname for field in fields_of(model))).iterator(chunk_size=AT_ONCE)


def checksum_of(model: type[Model], alias: str) -> Checksum:
    checksum = Checksum()
    for row in rows_of(model, alias):
        checksum.add(fields_of(model), row)
    return checksum


def refused(field: "Field[Any, Any]", value: Any, alias: str) -> str | None:
    """Say why the database can't hold a value that SQLite could, without saying the value."""
    if isinstance(field, TextJSON):
        return None  # text, in which JSON's escapes stand for what text can't have
    if isinstance(field, JSONField):
        return next(filter(None, map(_refused_in_json, _leaves(value))), None)
    if isinstance(value, str):
        return _refused_text(value, field.max_length)
    if isinstance(field, IntegerField) and value is not None:
        low, high = connections[alias].ops.integer_field_range(field.get_internal_type())
        return None if low <= value <= high else "has a number that is out of range"
    return None


def _refused_text(text: str, longest: int | None) -> str | None:
    if "\0" in text:
        return "has a NUL character"
    if longest is not None and len(text) > longest:
        return f"has {len(text)} characters, and {longest} at most are allowed"
    return None


def _refused_in_json(leaf: Any) -> str | None:
    if isinstance(leaf, str):
        if any("\ud800" <= character <= "\udfff" for character in leaf):
            return "has half of a character"
        return _refused_text(leaf, None)
    if isinstance(leaf, float) and (leaf != leaf or leaf in (float("inf"), float("-inf"))):
        return "has a number that is infinite, or none"
    return None


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, str):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _canonical(field: "Field[Any, Any]", value: Any) -> Any:
    if value is None:
        return None
    if isinstance(field, JSONField):
        return json.dumps(_numbers_alike(value), sort_keys=not isinstance(field, TextJSON))
    if isinstance(field, BinaryField):
        return hashlib.sha256(value).hexdigest()
    if isinstance(field, GenericIPAddressField):
        return str(ip_address(value))
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int) else str(value)


def _numbers_alike(value: Any) -> Any:
    """jsonb keeps numbers as decimals: 1e2 comes back as 100."""
    if isinstance(value, dict):
        return {key: _numbers_alike(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers_alike(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return ["number", str(Decimal(repr(value)).normalize(EXACT) or 0)]

"""Reading JSON objects field by field, so that all faults are told at once."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from askweb.errors import FieldFault
from askweb.parsing import storable_json

Object = Mapping[str, Any]
Faults = dict[str, list[FieldFault]]


class ObjectReader:
    """Takes fields out of a JSON object; what is not as it must be becomes a fault, under its path in the body.

    `normalised`: the text of this object held what databases refuse.
    """

    def __init__(self, data: Object, path: str = "", faults: Faults | None = None) -> None:
        self.data = data
        self.faults: Faults = {} if faults is None else faults
        self.normalised = False
        self._path = path

    def fault(self, name: str, code: str, message: str) -> None:
        self.faults.setdefault(f"{self._path}{name}", []).append(FieldFault(code=code, message=message))

    def text(self, name: str, *, limit: int | None = None, required: bool = False) -> str:
        value = self.data.get(name)
        if value is None and not required:
            return ""
        if not isinstance(value, str):
            self.fault(name, "missing" if value is None else "wrong_type", _("Must be a text."))
            return ""
        if limit is not None and len(value) > limit:
            self.fault(name, "too_long", _("Must have {limit} characters at most.").format(limit=limit))
        return value

    def text_or_none(self, name: str, *, limit: int | None = None) -> str | None:
        return None if self.data.get(name) is None else self.text(name, limit=limit)

    def number_or_none(self, name: str) -> float | None:
        value = self.data.get(name)
        if value is None or (type(value) in (int, float) and isfinite(value)):
            return value
        self.fault(name, "wrong_type", _("Must be a number."))
        return None

    def uuids(self, name: str) -> list[str]:
        values = self.data.get(name)
        try:
            return [str(UUID(each)) for each in values or ()]
        except (AttributeError, TypeError, ValueError):
            self.fault(name, "wrong_type", _("Must be a list of ids."))
            return []

    def flag(self, name: str) -> bool:
        value = self.data.get(name)
        if value is not None and not isinstance(value, bool):
            self.fault(name, "wrong_type", _("Must be true or false."))
        return value is True

    def one_of(self, name: str, choices: tuple[str, ...], default: str = "") -> str:
        value = self.data.get(name, default)
        if value not in choices:
            self.fault(name, "unknown", _("Must be one of {choices}.").format(choices=", ".join(choices)))
        return str(value)

    def time(self, name: str) -> datetime:
        value = self.data.get(name)
        if value is None:
            return timezone.now()
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                raise ValueError("no time zone")
            return moment.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            self.fault(name, "wrong_type", _("Must be a time with its zone, such as 2026-01-31T12:00:00Z."))
            return timezone.now()

    def objects(self, name: str) -> Iterator["ObjectReader"]:
        values = self.data.get(name)
        if values is None:
            return
        if not isinstance(values, list):
            self.fault(name, "wrong_type", _("Must be a list."))
            return
        for index, value in enumerate(values):
            if isinstance(value, Mapping):
                yield self._within(f"{name}[{index}]", value)
            else:
                self.fault(f"{name}[{index}]", "wrong_type", _("Must be an object."))

    def object(self, name: str) -> "ObjectReader":
        value = self.data.get(name)
        if value is not None and not isinstance(value, Mapping):
            self.fault(name, "wrong_type", _("Must be an object."))
        return self._within(name, value if isinstance(value, Mapping) else {})

    def _within(self, name: str, value: Object) -> "ObjectReader":
        clean, normalised = storable_json(value)
        reader = ObjectReader(clean, f"{self._path}{name}.", self.faults)
        reader.normalised = normalised
        return reader

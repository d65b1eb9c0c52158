"""Reading the fields of a body, one reader for each, with all faults at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from askweb.errors import FieldFault, Problem, invalid
from askweb.parsing import storable_json

Reader = Callable[[Any], object]
Faults = dict[str, list[FieldFault]]


class FaultyField(ValueError):
    """A value with several faults, each with the path below the field."""

    def __init__(self, faults: Mapping[str, Sequence[FieldFault]]) -> None:
        super().__init__("")
        self.faults = faults


def read_body(data: Any, readers: Mapping[str, Reader], *, ignored: frozenset[str] = frozenset()) -> Any:
    """Return the value of each field that is there; raise a 422 `Problem` that lists every fault."""
    try:
        return read_object(storable_json(data)[0], readers, ignored=ignored)
    except FaultyField as error:
        raise invalid(error.faults) from error


def read_object(
    value: Any, readers: Mapping[str, Reader], *, ignored: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Like `read_body`, for an object inside of a body. Raises `FaultyField`."""
    if not isinstance(value, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    fields: dict[str, Any] = {}
    faults: Faults = {}
    for name, each in value.items():
        if name in ignored:
            continue
        try:
            fields[name] = readers.get(name, _no_such_field)(each)
        except FaultyField as error:
            faults |= {f"{name}{_joined(path)}": list(inner) for path, inner in error.faults.items()}
        except ValueError as error:
            faults[name] = [fault(str(error))]
    if faults:
        raise FaultyField(faults)
    return fields


def fault(message: str, code: str = "invalid") -> FieldFault:
    return FieldFault(code=code, message=message)


def text(limit: int, *, blank: bool = False, trimmed: bool = True) -> Callable[[Any], str]:
    """A text of at most `limit` characters."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > limit or not (blank or value.strip()):
            raise ValueError(_("Must be a text of at most {limit} characters.").format(limit=limit))
        return value.strip() if trimmed else value

    return read


def one_of(*allowed: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError(_("Must be one of: {allowed}.").format(allowed=", ".join(allowed)))
        return str(value)

    return read


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("Must be true or false."))
    return value


def nested(readers: Mapping[str, Reader]) -> Callable[[Any], dict[str, Any]]:
    """An object with these fields."""

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ValueError(_("Must be an object."))
        return read_object(value, readers)

    return read


def _no_such_field(value: Any) -> object:
    raise ValueError(_("There is no such field."))


def _joined(path: str) -> str:
    return path if not path or path.startswith("[") else f".{path}"

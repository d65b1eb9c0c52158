"""A posted JSON object, read key by key. Whatever is wrong is noted by its path, in the person's language."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _

from askweb.conversations.packing import JSONValue
from askweb.errors import FieldFault, Problem, invalid
from askweb.parsing import storable_json

NAME_LENGTH = 200


class Body:
    """The values are storable. Read what you need, then `check`."""

    def __init__(self, data: object, keys: Collection[str]) -> None:
        self.values: dict[str, JSONValue] = storable_json(posted_object(data))[0]
        self._faults: dict[str, list[FieldFault]] = {}
        for key in self.values.keys() - set(keys):
            known = _("Not a key here; the keys are {keys}.").format(keys=", ".join(keys))
            self.fault(key, "unknown_key", known)

    def fault(self, path: str, code: str, message: str) -> None:
        self._faults.setdefault(path, []).append(FieldFault(code=code, message=message))

    def check(self) -> None:
        """Raise a 422 `Problem` that lists all faults, if there are any."""
        if self._faults:
            raise self.problem()

    def problem(self) -> Problem:
        return invalid(self._faults)

    def text(self, key: str) -> str:
        """The text, whole; empty when it is absent or null."""
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value or ""
        self.fault(key, "wrong_type", _("Must be a text."))
        return ""

    def name(self, key: str) -> str:
        """A text of at most `NAME_LENGTH` characters; empty when it is absent, null or blank."""
        value = self.text(key)
        if len(value) > NAME_LENGTH:
            self.fault(key, "too_long", _("At most {limit} characters.").format(limit=NAME_LENGTH))
        return value if value.strip() else ""

    def client_id(self) -> str:
        value = self.name("client_id")
        if not value:
            self.fault(
                "client_id", "missing", _("Required: an id that you choose, so that nothing is done twice.")
            )
        return value

    def whole_number(self, key: str, least: int, most: int) -> int:
        value = self.values.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        expected = _("Must be a whole number from {least} to {most}.").format(least=least, most=most)
        self.fault(key, "missing" if value is None else "not_integer", expected)
        return least


def posted_object(data: object) -> Mapping[str, JSONValue]:
    """The body as it came. Raises a 422 `Problem` for anything but an object."""
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    return data

"""A JSON object of a call, read key by key; whatever is wrong is noted where it stands."""

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from questions.shapes import Fault, FaultCode


@dataclass(frozen=True)
class JsonObject:
    """A JSON object, where it stands in the call, and where its faults go."""

    values: dict[str, object]
    path: str
    faults: list[Fault]

    def at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def fault(self, key: str, code: FaultCode, message: str) -> None:
        path = self.at(key).encode(errors="replace").decode()
        self.faults.append(Fault(path, code, f"{path}: {message}"))

    def refuse_unknown(self, known: Collection[str]) -> None:
        for key in self.values.keys() - set(known):
            self.fault(key, "unknown_key", f"not a key here; the keys are {', '.join(known)}.")

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None:
            self.fault(key, "missing", "required, a text.")
        return self.optional_text(key)

    def optional_text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value
        self.fault(key, "wrong_type", "must be a text.")
        return None

    def items(self, key: str) -> list[object] | None:
        value = self.values.get(key)
        if isinstance(value, list):
            return value
        if value is None:
            self.fault(key, "missing", "required, a list.")
        else:
            self.fault(key, "wrong_type", "must be a list.")
        return None

    def flag(self, key: str) -> bool:
        value = self.values.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.fault(key, "wrong_type", "must be true or false.")
        return False

    def objects(self, key: str, items: Iterable[object]) -> list["JsonObject | None"]:
        return [self._object(f"{key}[{at}]", item) for at, item in enumerate(items)]

    def _object(self, key: str, item: object) -> "JsonObject | None":
        if isinstance(item, dict):
            return JsonObject({str(name): value for name, value in item.items()}, self.at(key), self.faults)
        self.fault(key, "wrong_type", "must be an object.")
        return None

    def check_text(self, key: str, text: str, limit: int, allowed: str = "") -> bool:
        """Whether the trimmed text is within its limits; if not, the fault is noted."""
        if not text:
            self.fault(key, "blank", "must not be blank.")
        elif len(text) > limit:
            self.fault(key, "too_long", f"at most {limit} characters; it has {len(text)}.")
        elif has_control_characters(text, allowed):
            self.fault(key, "control_character", "must not hold control characters.")
        else:
            return True
        return False


def has_control_characters(text: str, allowed: str = "") -> bool:
    """Whether it holds a control character that isn't allowed, or half a surrogate pair."""
    return any(unicodedata.category(char) in ("Cc", "Cs") and char not in allowed for char in text)

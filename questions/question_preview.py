"""The question of a call that is still arriving, as far as it can be shown."""

import re

LONGEST = 1000
UNFINISHED = re.compile(r"&[#\w]{0,8}\Z")
REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class QuestionPreview:
    """Decodes the five entities and numeric references; one that is cut off waits for its rest."""

    def __init__(self) -> None:
        self.finished = False
        self._rest = ""
        self._ready: list[str] = []
        self._room = LONGEST

    def add(self, text: str) -> None:
        """Text with references."""
        text = self._rest + text
        unfinished = UNFINISHED.search(text, max(0, len(text) - 9))
        end = unfinished.start() if unfinished else len(text)
        self._rest = text[end:]
        self._show(decoded(text[:end]))

    def add_verbatim(self, text: str) -> None:
        self._release()
        self._show(text)

    def finish(self) -> None:
        self._release()
        self.finished = True

    def take(self) -> str:
        text = "".join(self._ready)
        self._ready.clear()
        return text

    def _release(self) -> None:
        rest, self._rest = self._rest, ""
        self._show(rest)

    def _show(self, text: str) -> None:
        self._ready.append(text[: self._room])
        self._room = max(0, self._room - len(text))


def decoded(text: str) -> str:
    """The text with the references that XML knows replaced; any other stays as it is."""
    return REFERENCE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return NAMED[name]
    point = int(decimal) if decimal else int(hexadecimal, 16)
    allowed = 0x20 <= point < 0xD800 or 0xE000 <= point < 0x110000 or point in (9, 10, 13)
    return chr(point) if allowed else match[0]

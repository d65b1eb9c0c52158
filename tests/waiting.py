"""The one place where tests wait for another process."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LONG = 20.0


def until(what: str, look: Callable[[], T | None], *, seconds: float = LONG) -> T:
    """Return what `look` finds as soon as it is neither None nor False; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain: {what}"
        time.sleep(0.01)
    return found

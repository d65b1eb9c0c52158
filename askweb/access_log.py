"""daphne's access log, which it writes by itself where it is started by its own name: without tokens."""

from typing import Any

from daphne.access import AccessLogGenerator

from askweb.logs import without_tokens


def keep_tokens_out() -> None:
    AccessLogGenerator.write_entry = _quiet(AccessLogGenerator.write_entry)


def _quiet(write_entry: Any) -> Any:
    def write(self: Any, host: str, date: Any, request: str, *rest: Any, **more: Any) -> None:
        write_entry(self, host, date, without_tokens(request), *rest, **more)

    return write

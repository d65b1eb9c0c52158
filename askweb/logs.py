"""Log lines without what people wrote, which databases quote in their errors, and without the tokens of addresses."""

import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import orjson
from django.db.utils import Error

DRIVERS = frozenset(("psycopg", "sqlite3"))
VALUE = re.compile(r': ".*')
TOKEN = re.compile(r"(/(?:sign-in|invitations)/|[?&](?:ticket|token|code)=)[^\s/?&#\"']+")
"""What lets somebody in: in the path of a link, and in the query of a socket."""


class QuietFormatter(logging.Formatter):
    """Cuts what databases say down to what went wrong, in messages and in tracebacks, and tokens out of addresses."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for words in sorted(map(str, _database_faults(record)), key=len, reverse=True):
            if words:
                text = text.replace(words, without_values(words))
        return without_tokens(text)


def without_tokens(text: str) -> str:
    """The text with `…` for each token that an address in it holds."""
    return TOKEN.sub(r"\1…", text)


class QuietJSON(QuietFormatter):
    """An object a line; `text` is the message, with its traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "text": super().format(record),
        }
        return orjson.dumps(line).decode()


def without_values(words: str) -> str:
    """The first line, without the value at its end; PostgreSQL's DETAIL, CONTEXT and LINE come after it."""
    return VALUE.sub(": …", words.partition("\n")[0])


def _database_faults(record: logging.LogRecord) -> Iterator[BaseException]:
    """Those among what the record tells of, and among what they came from."""
    told: list[object] = [*(record.exc_info or ()), *(record.args or ())]
    seen: list[BaseException] = []
    while told:
        fault = told.pop()
        if not isinstance(fault, BaseException) or any(fault is each for each in seen):
            continue
        seen.append(fault)
        told += [fault.__cause__, fault.__context__]
        if isinstance(fault, Error) or type(fault).__module__.partition(".")[0] in DRIVERS:
            yield fault
